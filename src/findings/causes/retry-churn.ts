import { formatCount, formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { replay, replayAttempts } from "../../stats/replay.ts";
import type { App } from "../app.ts";
import { attemptsOf } from "../attempts.ts";
import type { StageFact } from "../facts.ts";
import { stageKey } from "../facts.ts";
import { failureAdvice } from "../failure-class.ts";
import { type FailureGroup, missingGroups } from "../failures.ts";
import { type AppJudgement, defineAppCause } from "../finding.ts";
import { lostExecutors } from "../removals.ts";

export const retryChurn = defineAppCause({
  cause: "retry-churn",
  about:
    "Work was done twice: task attempts failed and were run again, or shuffle output was lost and its stage computed anew. The run may have succeeded all the same.",
  check:
    "Stages page: Failed Tasks, stages with attempt 1 and more; tasks by Status with their Errors and Host.",
  limits: ["priceOfApplication", "priceMs"],

  judge(app): AppJudgement {
    const redone = redoneWork(app);
    const evidence = [
      `${formatCount(redone.failedEnds)} failed task attempts took ${formatDuration(redone.failedMs)} of task time; stages computed again took ${formatDuration(redone.repeatedMs)} of wall clock [Stages page, Failed Tasks and attempts]`,
      ...redone.groups
        .slice(0, 3)
        .map(
          (group) =>
            `${formatCount(group.ends)} x ${group.kind}: ${group.text}${group.host && severalHosts(app) ? ` (${formatShare(group.hostShare)} on ${group.host})` : ""}`,
        ),
      ...redone.missing,
      ...redone.repeated
        .slice(0, 3)
        .map(
          (stage) =>
            `stage ${stage.stage_id} ran again as attempt ${stage.stage_attempt_id}, ${formatCount(stage.succeeded)} tasks, ${formatDuration(stage.own_time_ms)}`,
        ),
    ];
    if (redone.coreHours > 0) evidence.push(`lost: ${redone.coreHours.toFixed(2)} core-hours`);
    const worst = redone.worstStage;
    return {
      passed: redone.priceMs > 0,
      priceMs: redone.priceMs,
      evidence,
      confidence: "high",
      ...(worst ? { stage: { stageId: worst.stage_id, stageAttemptId: worst.stage_attempt_id } } : {}),
    };
  },

  remedy(app) {
    const redone = redoneWork(app);
    const top = redone.groups[0];
    const where =
      severalHosts(app) && top && top.hostShare >= app.limits.excessOfHost && top.host
        ? ` on ${top.host}`
        : "";
    return {
      title: `${formatCount(redone.failedEnds)} task attempts failed or lost their output${where} and were done again: ${formatDuration(redone.priceMs)} of wall clock`,
      advice: [
        ...(where
          ? [
              {
                layer: "configuration" as const,
                text: `Look at host ${top?.host}: nearly all failures happened there; spark.excludeOnFailure.enabled keeps tasks away from such a host.`,
              },
            ]
          : []),
        ...failureAdvice(top?.kind ?? "error").map((text) => ({ layer: "layout" as const, text })),
      ],
      rejected: [
        { advice: "raising spark.task.maxFailures", why: "it hides the cause and pays for more attempts" },
        { advice: "more partitions or salting", why: "the lost time is repeated work, not uneven work" },
      ],
    };
  },
});

/** Own time / the time in which its tasks ran, from which a stage counts as alone. */
const ALONE = 0.9;

/** On a single host every share of it is 100 % and says nothing. */
function severalHosts(app: App): boolean {
  return new Set(app.facts.executors.map((e) => e.host)).size > 1;
}

export interface RedoneWork {
  failedEnds: number;
  failedMs: number;
  repeated: StageFact[];
  repeatedMs: number;
  priceMs: number;
  coreHours: number;
  groups: FailureGroup[];
  /** Says that rare texts of failures are not among the groups. */
  missing: string[];
  worstStage: StageFact | null;
}

/** What failed or was lost and had to be done again, and what that cost. */
export function redoneWork(app: App): RedoneWork {
  const known = redone.get(app) ?? measureRedone(app);
  redone.set(app, known);
  return known;
}

/** Four of the causes and rules ask, and a replay of millions of attempts takes seconds. */
const redone = new WeakMap<App, RedoneWork>();

function measureRedone(app: App): RedoneWork {
  const { stages } = app.facts;
  const { failed, failedMsByStage } = app.failures;
  const repeated = repeatedStages(stages);
  let priceMs = 0;
  let worst: { stage: StageFact; ms: number } | null = null;
  for (const stage of stages) {
    const lostMs = failedMsByStage.get(stageKey(stage)) ?? 0;
    if (lostMs > 0) priceMs += lossOf(app, stage, lostMs);
    if (lostMs > (worst?.ms ?? 0)) worst = { stage, ms: lostMs };
  }
  const failedMs = failed.durationMs;
  const repeatedMs = repeated.reduce((sum, s) => sum + (s.own_time_ms ?? 0), 0);
  const repeatedTaskMs = repeated.reduce((sum, s) => sum + (s.duration_sum_ms ?? 0), 0);
  return {
    failedEnds: failed.ends,
    failedMs,
    repeated,
    repeatedMs,
    priceMs: priceMs + repeatedMs,
    coreHours: ((failedMs + repeatedTaskMs) * app.taskCpus(null)) / 3_600_000,
    groups: failed.groups,
    missing: missingGroups(failed),
    worstStage: worst?.stage ?? repeated[0] ?? null,
  };
}

/**
 * The stage replayed with and without its failed attempts, ms: a retry starts when the attempt before it has failed, so a
 * late one costs more than its time / slots, and one that fills an idle slot costs less. Attempts that went with their
 * executor cost their share of the slots; the cores that are missing then are executor-loss.
 */
function lossOf(app: App, stage: StageFact, lostMs: number): number {
  const slots = app.slotsDuring(stage);
  const tasks = app.facts.tasks.get(stageKey(stage));
  if (!tasks || stage.status !== "complete" || !ranAlone(stage)) return lostMs / slots;
  const { times, earlier, isFailed } = attemptsOf(tasks, lostIds(app));
  const goodTime = (ms: number, at: number): number => (isFailed(at) ? 0 : ms);
  let replayedMs = 0;
  for (let at = 0; at < times.length; at++) if (isFailed(at)) replayedMs += times[at] as number;
  const saved = Math.max(0, replayAttempts(times, earlier, slots) - replay(times, slots, goodTime));
  return saved + Math.max(0, lostMs - replayedMs) / slots;
}

function lostIds(app: App): Set<string> {
  const lost = lostExecutors(app.facts, Number.POSITIVE_INFINITY, 0);
  return new Set(lost.map((e) => e.executor_id));
}

/** Attempts of a stage that had been complete before: its output was lost. */
function repeatedStages(stages: readonly StageFact[]): StageFact[] {
  const complete = new Set<number>();
  return stages.filter((stage) => {
    const again = complete.has(stage.stage_id);
    if (stage.status === "complete") complete.add(stage.stage_id);
    return again;
  });
}

/** Own time is less than the time in which a stage's tasks ran where other stages shared the slots. */
function ranAlone(stage: StageFact): boolean {
  const { first_task_launched_time_ms: first, last_task_finished_time_ms: last, own_time_ms: own } = stage;
  return first !== null && last !== null && (own ?? 0) >= ALONE * (last - first);
}
