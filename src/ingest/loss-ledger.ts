import type { IssueLog } from "../issues.ts";
import type { LogModel } from "../model/log-model.ts";
import type { StageLosses } from "../store/stage-losses.ts";

/** What finish() of the models left open. */
export interface OpenEnds {
  runningJobs: number;
  runningTasks: number;
  stages: StageLosses;
}

/**
 * Compares what a lossless log would hold with what was read. Spark's listener bus drops events without a mark when
 * its queue overflows, so loss only shows as an imbalance.
 */
export function writeLedger(log: LogModel, open: OpenEnds, issues: IssueLog): void {
  const complete = log.application.endTime !== null;
  const hasHead = log.application.hasStart;
  if (!complete)
    issues.add(
      "incomplete-application",
      "no application end was read: the application was still running, was killed, or the log is cut; times end with the last event",
    );
  if (!hasHead) issues.add("missing-head", "no application start was read: this is a piece of a log");
  if (complete) stagesWithoutEnds(open.stages, issues);
  const { short } = open.stages;
  if (short > 0)
    issues.add(
      "event-loss",
      `${short} stages report more run time than their task ends add up to: their totals are lower bounds`,
      {},
      "loss-metrics",
      short,
    );
  if (complete && open.runningJobs > 0)
    issues.add(
      "event-loss",
      `${open.runningJobs} jobs have no end although the application ended`,
      {},
      "loss-jobs",
    );
  if (hasHead) endsWithoutStarts(log, issues);
  oddEnds(log, issues);
}

/** A complete stage ended every index it had, whatever happened to single attempts. */
function stagesWithoutEnds({ running, incomplete, missingTasks }: StageLosses, issues: IssueLog): void {
  if (running > 0)
    issues.add(
      "event-loss",
      "stages have no completion although the application ended",
      {},
      "loss-stage-ends",
      running,
    );
  if (incomplete > 0)
    issues.add(
      "event-loss",
      `${missingTasks} tasks of ${incomplete} complete stages have no end in the log: totals of those stages are lower bounds`,
      {},
      "loss-tasks",
      missingTasks,
    );
}

function endsWithoutStarts(log: LogModel, issues: IssueLog): void {
  const { taskEndsWithoutStart } = log.unmatched;
  if (taskEndsWithoutStart > 0)
    issues.add(
      "event-loss",
      `${taskEndsWithoutStart} tasks ended whose start is not in the log`,
      {},
      "loss-task-starts",
      taskEndsWithoutStart,
    );
  if (log.jobs.endsWithoutStart > 0)
    issues.add(
      "event-loss",
      `${log.jobs.endsWithoutStart} jobs ended whose start is not in the log`,
      {},
      "loss-job-starts",
      log.jobs.endsWithoutStart,
    );
}

function oddEnds(log: LogModel, issues: IssueLog): void {
  const { repeatedTaskEnds, taskEndsWithoutId } = log.unmatched;
  if (repeatedTaskEnds > 0)
    issues.add(
      "duplicate-events",
      `${repeatedTaskEnds} task ends were repeated lines and counted once`,
      {},
      "duplicate-task-ends",
      repeatedTaskEnds,
    );
  if (taskEndsWithoutId > 0)
    issues.add(
      "bad-values",
      `${taskEndsWithoutId} task ends name no task or stage and were left out`,
      {},
      "no-task-id",
      taskEndsWithoutId,
    );
  if (log.oddValues > 0)
    issues.add(
      "bad-values",
      `${log.oddValues} task metrics are negative or no integers and were left out`,
      {},
      "odd-values",
      log.oddValues,
    );
  if (log.oddTimes > 0)
    issues.add(
      "bad-times",
      `${log.oddTimes} task ends have a launch or finish time that is absent, impossible or out of order; their durations count as 0`,
      {},
      "odd-times",
      log.oddTimes,
    );
}
