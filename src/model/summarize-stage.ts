import { narrow } from "../json.ts";
import { type QuantileName, quantileRanks, quantiles } from "../stats/quantiles.ts";
import type { Int, StageQuantileRow, StageRow } from "../store/rows.ts";
import { TASK_STATUS, type TaskColumn } from "../tasks/task-batch.ts";
import type { TaskColumns } from "../tasks/task-columns.ts";
import { METRIC_COLUMNS, type MetricColumn } from "./stage-columns.ts";

/** The part of a stage row that is made from its tasks. */
export type StageTotals = Pick<
  StageRow,
  | "tasks"
  | "completed_indices"
  | "ended_indices"
  | "speculative"
  | "tasks_with_metrics"
  | "spilling_tasks"
  | "duration_sum_ms"
  | "scheduler_delay_sum_ms"
  | "shuffle_bytes_read"
  | MetricColumn
> & { last_task_finished_time_ms: number | null; first_launch_of_ended_ms: number | null };

export type StageKey = Pick<StageRow, "stage_id" | "stage_attempt_id">;

export interface StageSummary {
  totals: StageTotals;
  quantiles: StageQuantileRow[];
  /** Columns whose sum passed 2^63 - 1 and is therefore NULL. */
  overflowed: string[];
}

/** Ids spread over more than this many times their number are sparse. */
const SPARSE = 32;
const MAX_INT64 = 2n ** 63n - 1n;

/**
 * Totals over every ended task with metrics and quantiles over the successful ones (eventlog: TaskEnd's Task Metrics),
 * as the History Server makes them.
 */
export function summarizeStage(stage: StageKey, tasks: TaskColumns): StageSummary {
  const successful = successfulRows(tasks);
  const overflowed: string[] = [];
  const metrics = {} as Record<MetricColumn, Int | null>;
  const rows: StageSummary["quantiles"] = [];
  const addQuantiles = (metric: string, values: Float64Array) => {
    const found = quantiles(values);
    if (found) rows.push(quantileRow(stage, metric, values.length, found));
  };
  for (const name of METRIC_COLUMNS) {
    const sum = total(tasks, name);
    metrics[name] = sum ?? null;
    if (sum === undefined) overflowed.push(name);
    if (tasks.isRounded(name)) addExactQuantiles(stage, tasks, name, successful, rows);
    else addQuantiles(name, pick(tasks.column(name), successful));
  }
  const sums = new Map<string, number | null>();
  for (const [name, derive] of DERIVED) {
    const values = derive(tasks);
    sums.set(name, sumOf(values));
    addQuantiles(name, pick(values, successful));
  }
  return {
    totals: {
      ...metrics,
      ...countTasks(tasks),
      duration_sum_ms: sums.get("duration_ms") ?? null,
      scheduler_delay_sum_ms: sums.get("scheduler_delay_ms") ?? null,
      shuffle_bytes_read: addInts(metrics.remote_bytes_read, metrics.local_bytes_read),
    },
    quantiles: rows,
    overflowed,
  };
}

/** Rows of the population of the quantiles. */
function successfulRows(tasks: TaskColumns): Int32Array {
  const status = tasks.column("status");
  const run = tasks.column("executor_run_time_ms");
  return indexes(tasks.rows, (row) => status[row] === TASK_STATUS.success && !Number.isNaN(run[row]));
}

/** Written out: tens of rows a stage, and spreading objects into one another costs more than all else here. */
function quantileRow(
  stage: StageKey,
  metric: string,
  tasks: number,
  at: Record<QuantileName, Int>,
): StageQuantileRow {
  return {
    stage_id: stage.stage_id,
    stage_attempt_id: stage.stage_attempt_id,
    metric,
    tasks,
    min: at.min,
    p05: at.p05,
    p25: at.p25,
    p50: at.p50,
    p75: at.p75,
    p95: at.p95,
    p99: at.p99,
    max: at.max,
  };
}

/** Values above 2^53 are sorted exactly. */
function addExactQuantiles(
  stage: StageKey,
  tasks: TaskColumns,
  name: TaskColumn,
  successful: Int32Array,
  rows: StageQuantileRow[],
): void {
  const exact = tasks.exact(name);
  const values = [...successful].map((row) => exact[row] ?? 0n).sort((a, b) => (a < b ? -1 : Number(a > b)));
  const at = quantileRanks(values.length);
  if (!at) return;
  const entries = Object.entries(at).map(([key, index]) => [key, narrow(values[index] ?? 0n)]);
  rows.push(
    quantileRow(stage, name, values.length, Object.fromEntries(entries) as Record<QuantileName, Int>),
  );
}

/** The sum of a column; null where no task reported it, undefined where it passes 2^63 - 1. */
function total(tasks: TaskColumns, name: TaskColumn): Int | null | undefined {
  const values = tasks.column(name);
  let sum = 0;
  let reported = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? Number.NaN;
    if (!Number.isNaN(value)) {
      sum += value;
      reported++;
    }
  }
  if (reported === 0) return null;
  if (Number.isSafeInteger(sum) && !tasks.isRounded(name)) return sum;
  const exact = tasks.isRounded(name)
    ? tasks.exact(name)
    : Array.from(values, (value) => (Number.isNaN(value) ? 0n : BigInt(value)));
  const exactSum = exact.reduce((a, b) => a + b, 0n);
  return exactSum <= MAX_INT64 ? narrow(exactSum) : undefined;
}

/** Few columns at a time: each may be millions of values read back from a file. */
function countTasks(tasks: TaskColumns) {
  const index = tasks.column("task_index");
  const status = tasks.column("status");
  const completed = new Float64Array(tasks.rows);
  let succeeded = 0;
  for (let row = 0; row < tasks.rows; row++)
    if (status[row] === TASK_STATUS.success) completed[succeeded++] = index[row] ?? -1;
  return {
    tasks: distinct(tasks.column("task_id")),
    completed_indices: distinct(completed.subarray(0, succeeded)),
    ended_indices: distinct(index),
    speculative: count(tasks.column("speculative"), (value) => value === 1),
    tasks_with_metrics: count(tasks.column("executor_run_time_ms"), (value) => !Number.isNaN(value)),
    spilling_tasks: countSpilling(tasks),
    last_task_finished_time_ms: extreme(tasks.column("finish_time_ms"), Math.max),
    first_launch_of_ended_ms: extreme(tasks.column("launch_time_ms"), Math.min),
  };
}

function count(values: Float64Array, test: (value: number) => boolean): number {
  let found = 0;
  for (let row = 0; row < values.length; row++) if (test(values[row] ?? Number.NaN)) found++;
  return found;
}

function countSpilling(tasks: TaskColumns): number {
  const memory = tasks.column("memory_bytes_spilled");
  const disk = tasks.column("disk_bytes_spilled");
  let found = 0;
  for (let row = 0; row < tasks.rows; row++) if ((memory[row] || disk[row] || 0) > 0) found++;
  return found;
}

/** The smallest or largest value there is; null for none. */
function extreme(values: Float64Array, better: (a: number, b: number) => number): number | null {
  let best = Number.NaN;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? Number.NaN;
    if (!Number.isNaN(value)) best = Number.isNaN(best) ? value : better(best, value);
  }
  return Number.isNaN(best) ? null : best;
}

/** What the stage page shows beside the raw metrics. One column at a time: a stage may have millions of tasks. */
const DERIVED: readonly [string, (tasks: TaskColumns) => Float64Array][] = [
  ["duration_ms", duration],
  ["getting_result_duration_ms", gettingResult],
  ["scheduler_delay_ms", schedulerDelay],
  ["shuffle_bytes_read", (tasks) => add(tasks.column("remote_bytes_read"), tasks.column("local_bytes_read"))],
  [
    "total_blocks_fetched",
    (tasks) => add(tasks.column("remote_blocks_fetched"), tasks.column("local_blocks_fetched")),
  ],
];

function duration(tasks: TaskColumns): Float64Array {
  const launch = tasks.column("launch_time_ms");
  return tasks.column("finish_time_ms").map((finish, row) => Math.max(0, finish - (launch[row] ?? 0)) || 0);
}

/** Getting Result Time is when the driver began to fetch; 0: the result came with the message. */
function gettingResult(tasks: TaskColumns): Float64Array {
  const began = tasks.column("getting_result_time_ms");
  return tasks
    .column("finish_time_ms")
    .map((finish, row) => ((began[row] || 0) > 0 ? Math.max(0, finish - (began[row] ?? 0)) : 0));
}

function schedulerDelay(tasks: TaskColumns): Float64Array {
  const delay = duration(tasks);
  const subtract = (used: Float64Array) => {
    for (let row = 0; row < delay.length; row++) delay[row] = (delay[row] ?? 0) - (used[row] || 0);
  };
  subtract(gettingResult(tasks));
  subtract(tasks.column("executor_run_time_ms"));
  subtract(tasks.column("executor_deserialize_time_ms"));
  subtract(tasks.column("result_serialization_time_ms"));
  for (let row = 0; row < delay.length; row++) delay[row] = Math.max(0, delay[row] ?? 0);
  return delay;
}

/** How many different ids or indexes there are: ticked off where they are dense, else counted by sorting. */
function distinct(values: Float64Array): number {
  if (values.length === 0) return 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (!(high - low < SPARSE * values.length)) return distinctSorted(values);
  const seen = new Uint8Array(high - low + 1);
  let count = 0;
  for (const value of values) {
    if (seen[value - low] === 0) count++;
    seen[value - low] = 1;
  }
  return count;
}

/** A set of millions of numbers would cost ten times the memory. */
function distinctSorted(values: Float64Array): number {
  const sorted = values.slice().sort();
  let count = 0;
  for (let row = 0; row < sorted.length; row++) if (row === 0 || sorted[row] !== sorted[row - 1]) count++;
  return count;
}

function add(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, row) => value + (b[row] ?? Number.NaN));
}

function sumOf(values: Float64Array | undefined): number | null {
  if (!values || values.length === 0) return null;
  let sum = 0;
  for (const value of values) sum += value || 0;
  return Number.isSafeInteger(sum) ? sum : null;
}

function addInts(a: Int | null, b: Int | null): Int | null {
  if (a === null || b === null) return a ?? b;
  const sum = BigInt(a) + BigInt(b);
  return sum <= MAX_INT64 ? narrow(sum) : null;
}

function indexes(rows: number, test: (row: number) => boolean): Int32Array {
  const found = new Int32Array(rows);
  let count = 0;
  for (let row = 0; row < rows; row++) if (test(row)) found[count++] = row;
  return found.subarray(0, count);
}

/** The reported values at some rows. Most columns are reported by all tasks, and most stages have no failed one. */
function pick(values: Float64Array, rows: Int32Array): Float64Array {
  if (rows.length === values.length && !values.includes(Number.NaN)) return values.slice();
  const picked = new Float64Array(rows.length);
  let count = 0;
  for (const row of rows) {
    const value = values[row] ?? Number.NaN;
    if (!Number.isNaN(value)) picked[count++] = value;
  }
  return picked.subarray(0, count);
}
