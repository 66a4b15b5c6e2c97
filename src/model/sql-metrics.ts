import { type MaxTask, metricText } from "../plan/metric-text.ts";
import type { RowSink } from "../store/rows.ts";
import { type Folded, foldBoth, foldMetric, foldPositive, type MetricValues } from "./fold-metric.ts";
import type { SqlExecution } from "./sql-execution.ts";
import type { StageMetric } from "./sql-stage.ts";

/**
 * Folds and writes every metric of an execution that has a value.
 * @param metrics of its stages, in the order in which Spark folds them
 * @returns totals by accumulator; null without data, or where 64 bits do not hold it
 */
export function writeMetrics(
  rows: RowSink,
  execution: SqlExecution,
  metrics: readonly StageMetric[],
): Map<number, number | bigint | null> {
  const sources = new Map<number, StageMetric[]>();
  for (const id of execution.facts.driverIds) sources.set(id, []);
  for (const metric of metrics) {
    const list = sources.get(metric.accumulatorId);
    if (list) list.push(metric);
    else sources.set(metric.accumulatorId, [metric]);
  }
  const totals = new Map<number, number | bigint | null>();
  for (const [id, list] of sources) totals.set(id, writeMetric(rows, execution, id, list));
  return totals;
}

/** Writes what the tasks of one stage attempt did. */
export function writeStageMetric(rows: RowSink, metric: StageMetric): void {
  const { stage, column, accumulatorId, maxTaskId } = metric;
  const { count, total, median, max } = metric.positive ?? foldPositive(stage.values(column));
  rows.insert("stage_sql_metric", {
    stage_id: stage.key.stageId,
    stage_attempt_id: stage.key.attemptId,
    accumulator_id: accumulatorId,
    tasks: count,
    total: storable(total),
    median: count === 0 ? null : median,
    max: count === 0 ? null : max,
    max_task_id: count === 0 ? null : maxTaskId,
  });
}

function writeMetric(
  rows: RowSink,
  execution: SqlExecution,
  accumulatorId: number,
  stages: readonly StageMetric[],
): number | bigint | null {
  const metricType = execution.facts.declared.get(accumulatorId);
  if (metricType === undefined) return null;
  const driver = execution.driverValues(accumulatorId);
  const folded = foldOf(metricType, stages, driver);
  const maxTask = largestTask(stages, driver?.max);
  const hasData = folded.count > 0 && folded.max >= 0;
  const total = hasData ? storable(folded.total) : null;
  rows.insert("sql_metric", {
    execution_id: execution.id,
    accumulator_id: accumulatorId,
    metric_type: metricType,
    total,
    min: hasData && folded.min >= 0 ? folded.min : null,
    median: hasData && folded.median >= 0 ? folded.median : null,
    max: hasData ? folded.max : null,
    max_stage_id: maxTask?.stageId ?? null,
    max_stage_attempt_id: maxTask?.stageAttemptId ?? null,
    max_task_id: maxTask?.taskId ?? null,
    text: metricText(metricType, folded, maxTask),
  });
  return total;
}

/** Nearly every metric is one stage's: its two folds share their pass over the values. */
function foldOf(
  metricType: string,
  stages: readonly StageMetric[],
  driver: Omit<MetricValues, "zeros"> | null,
): Folded {
  const [only] = stages;
  if (only && stages.length === 1 && !driver) {
    const { metric, positive } = foldBoth(metricType, only.stage.values(only.column));
    only.positive = positive;
    return metric;
  }
  const sources = stages.map(({ stage, column }) => stage.values(column));
  if (driver) sources.push({ values: driver.values, large: driver.large, zeros: 0 });
  return foldMetric(metricType, sources);
}

/** The task with the largest update of all stages; null if the driver gave a larger value, or nobody is known. */
function largestTask(stages: readonly StageMetric[], driverMax: number | undefined): MaxTask {
  let best: StageMetric | null = null;
  for (const metric of stages) if (best === null || metric.max > best.max) best = metric;
  if (!best || (driverMax !== undefined && driverMax > best.max)) return null;
  const { key } = best.stage;
  return { stageId: key.stageId, stageAttemptId: key.attemptId, taskId: best.maxTaskId };
}

/** NULL for what a 64-bit column cannot hold. */
function storable(value: number | bigint): number | bigint | null {
  return typeof value === "bigint" && BigInt.asIntN(64, value) !== value ? null : value;
}
