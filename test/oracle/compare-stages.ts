import { QUANTILES } from "../../src/stats/quantiles.ts";
import type { Answer, Answers, AnswerValue } from "./answers.ts";
import { QUANTILE, STAGE, STAGE_EXECUTOR, TASK, TASK_METRIC } from "./columns.ts";
import type { Rows } from "./compare-log.ts";
import { type Comparer, type Plain, timeOf } from "./comparer.ts";

/** What the server calls the pool of a stage that names none. */
const DEFAULT_POOL = "default";

export function compareStages(comparer: Comparer, rows: Rows, answers: Answers): void {
  const stages = new Map(rows("SELECT * FROM stage").map((s) => [`${s.stage_id}.${s.stage_attempt_id}`, s]));
  comparer.value("stage.count", "", stages.size, answers.stages.length);
  for (const theirs of answers.stages) {
    const which = `${theirs.stageId}.${theirs.attemptId}`;
    const ours = stages.get(which);
    comparer.value("stage.stageId", which, ours?.stage_id ?? null, theirs.stageId);
    if (ours) compareStage(comparer, rows, which, ours, theirs);
  }
}

function compareStage(
  comparer: Comparer,
  rows: Rows,
  which: string,
  ours: Record<string, Plain>,
  theirs: Answer,
): void {
  const key = [Number(theirs.stageId), Number(theirs.attemptId)] as const;
  comparer.fields("stage", which, ours, theirs, STAGE);
  comparer.value("stage.status", which, String(ours.status).toUpperCase(), theirs.status);
  comparer.value("stage.schedulingPool", which, ours.pool ?? DEFAULT_POOL, theirs.schedulingPool);
  comparer.value("stage.failureReason", which, ours.failure_reason, theirs.failureReason);
  comparer.value("stage.submissionTime", which, ours.submission_time_ms, timeOf(theirs.submissionTime));
  comparer.value("stage.completionTime", which, ours.completion_time_ms, timeOf(theirs.completionTime));
  const launched = timeOf(theirs.firstTaskLaunchedTime);
  comparer.value("stage.firstTaskLaunchedTime", which, ours.first_task_launched_time_ms, launched);
  const rdds = rows("SELECT rdd_id FROM stage_rdd WHERE stage_id = ? AND stage_attempt_id = ?", ...key);
  if (rdds.length > 0)
    comparer.set(
      "stage.rddIds",
      which,
      rdds.map(({ rdd_id }) => rdd_id as Plain),
      theirs.rddIds as number[],
    );
  compareAccumulables(comparer, rows, which, key, theirs.accumulatorUpdates as Answer[]);
  compareKills(comparer, rows, which, key, theirs.killedTasksSummary as Answer);
  compareSpeculation(comparer, rows, which, key, theirs.speculationSummary as Answer | undefined);
  compareQuantiles(comparer, rows, which, key, theirs.taskMetricsDistributions as Answer | undefined);
  compareStageExecutors(comparer, rows, which, key, theirs.executorSummary as Answer | undefined);
  if (theirs.tasks)
    compareTasks(comparer, rows, which, key, Object.values(theirs.tasks as Answer) as Answer[]);
}

type StageKey = readonly [number, number];
const OF_STAGE = "WHERE stage_id = ? AND stage_attempt_id = ?";

function compareAccumulables(
  comparer: Comparer,
  rows: Rows,
  which: string,
  key: StageKey,
  theirs: Answer[],
): void {
  const found = rows(`SELECT * FROM stage_accumulable ${OF_STAGE}`, ...key);
  const ours = new Map(found.map((row) => [row.accumulator_id, row]));
  comparer.value("stage.accumulatorUpdates.count", which, found.length, theirs.length);
  for (const { id, name, value } of theirs) {
    comparer.value(
      "stage.accumulatorUpdates.name",
      `${which} ${id}`,
      ours.get(id as number)?.name ?? null,
      name,
    );
    comparer.value(
      "stage.accumulatorUpdates.value",
      `${which} ${id}`,
      ours.get(id as number)?.value ?? null,
      value,
    );
  }
}

function compareKills(comparer: Comparer, rows: Rows, which: string, key: StageKey, theirs: Answer): void {
  const found = rows(
    `SELECT message, COUNT(*) AS n FROM task_failure ${OF_STAGE} AND counted_as = 'killed' GROUP BY message`,
    ...key,
  );
  const ours = new Map(found.map(({ message, n }) => [message, n as Plain]));
  for (const [reason, count] of Object.entries(theirs))
    comparer.value("stage.killedTasksSummary", `${which} ${reason}`, ours.get(reason) ?? null, count);
}

function compareSpeculation(
  comparer: Comparer,
  rows: Rows,
  which: string,
  key: StageKey,
  theirs?: Answer,
): void {
  if (!theirs) return;
  const [ours] = rows(
    `SELECT COUNT(*) AS tasks, SUM(status = 'success') AS completed, SUM(status = 'failed') AS failed,
       SUM(status = 'killed') AS killed, SUM(status = 'running') AS running
     FROM task ${OF_STAGE} AND speculative = 1`,
    ...key,
  );
  if (!ours) return;
  comparer.fields("stage.speculationSummary", which, ours, theirs, {
    numTasks: "tasks",
    numActiveTasks: "running",
    numCompletedTasks: "completed",
    numFailedTasks: "failed",
    numKilledTasks: "killed",
  });
}

/** Columns min to max of the rows of stage_quantile against the eight quantiles that the server was asked for. */
function compareQuantiles(
  comparer: Comparer,
  rows: Rows,
  which: string,
  key: StageKey,
  theirs?: Answer,
): void {
  if (!theirs) return;
  const positions = theirs.quantiles as number[];
  const found = rows(`SELECT * FROM stage_quantile ${OF_STAGE}`, ...key);
  const ours = new Map(found.map((row) => [row.metric, row]));
  for (const [path, metric] of Object.entries(QUANTILE)) {
    const values = at(theirs, path) as number[] | undefined;
    for (const [name, quantile] of Object.entries(QUANTILES)) {
      const value = values?.[positions.indexOf(quantile)];
      comparer.value(`quantile.${path}`, `${which} ${name}`, ours.get(metric)?.[name] ?? null, value);
    }
  }
}

function compareStageExecutors(
  comparer: Comparer,
  rows: Rows,
  which: string,
  key: StageKey,
  theirs?: Answer,
): void {
  if (!theirs) return;
  const found = rows(`SELECT * FROM stage_executor ${OF_STAGE}`, ...key);
  const ours = new Map(found.map((row) => [row.executor_id, row]));
  const peaks = rows(`SELECT * FROM stage_executor_peak ${OF_STAGE}`, ...key);
  for (const [id, summary] of Object.entries(theirs) as [string, Answer][]) {
    const row = ours.get(id);
    comparer.value("stageExecutor.executorId", `${which} ${id}`, row?.executor_id ?? null, id);
    if (row) comparer.fields("stageExecutor", `${which} ${id}`, row, summary, STAGE_EXECUTOR);
    const metrics = (summary.peakMemoryMetrics ?? {}) as Answer;
    for (const { metric, value } of peaks.filter((peak) => peak.executor_id === id))
      comparer.value(
        "stageExecutor.peakMemoryMetrics",
        `${which} ${id} ${metric}`,
        value,
        metrics[String(metric)],
      );
  }
}

function compareTasks(comparer: Comparer, rows: Rows, which: string, key: StageKey, theirs: Answer[]): void {
  const ours = new Map(rows(`SELECT * FROM task ${OF_STAGE}`, ...key).map((task) => [task.task_id, task]));
  const failures = rows(`SELECT * FROM task_failure ${OF_STAGE} AND reason <> 'Resubmitted'`, ...key);
  const messages = new Map(failures.map(({ task_id, details }) => [task_id, details as Plain]));
  comparer.value("task.count", which, ours.size, theirs.length);
  for (const task of theirs) {
    const row = ours.get(task.taskId as number);
    const place = `${which} task ${task.taskId}`;
    comparer.value("task.taskId", place, row?.task_id ?? null, task.taskId);
    if (row) compareTask(comparer, place, row, task, messages.get(row.task_id) ?? null);
  }
}

function compareTask(
  comparer: Comparer,
  place: string,
  ours: Record<string, Plain>,
  theirs: Answer,
  message: Plain,
): void {
  comparer.fields("task", place, ours, theirs, TASK);
  comparer.value("task.status", place, String(ours.status).toUpperCase(), theirs.status);
  comparer.value("task.speculative", place, ours.speculative === 1, theirs.speculative);
  comparer.value("task.launchTime", place, ours.launch_time_ms, timeOf(theirs.launchTime));
  if (ours.finish_time_ms !== null) comparer.value("task.duration", place, ours.duration_ms, theirs.duration);
  // The server wraps the reason's own text: "ExecutorLostFailure (executor 1 exited ...) Reason: <text>".
  const shown = String(theirs.errorMessage ?? "");
  const carried = message !== null && shown.includes(String(message));
  comparer.value("task.errorMessage", place, carried ? shown : message, theirs.errorMessage);
  const metrics = theirs.taskMetrics as Answer | undefined;
  if (!metrics) return;
  for (const [path, column] of Object.entries(TASK_METRIC))
    comparer.value(`task.${path}`, place, ours[column], at(metrics, path));
}

/** The value at a path such as `inputMetrics.bytesRead`. */
function at(answer: Answer, path: string): AnswerValue | undefined {
  const [head = "", rest] = path.split(".");
  const value = answer[head];
  return rest === undefined || value === undefined ? value : (value as Answer)[rest];
}
