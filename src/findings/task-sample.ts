import type { StageTaskColumn, StageTasks } from "../queries/stage-tasks.ts";
import { quantileInPlace } from "../stats/quantile.ts";

/** Bytes of picked columns that one stage's sample holds on to. */
const HELD_BYTES = 32 * 1024 ** 2;
const SUCCESS = 1;
const KILLED = 3;

/** What a task read or wrote, each a way in which one task can have more to do than another. */
export const WORK = ["bytes read", "records read", "bytes written", "records written"] as const;
export type Work = (typeof WORK)[number];

/**
 * Tasks of a stage attempt that say how long the work takes: the successful ones with a run time and, with the time
 * until their kill, the originals that a speculative copy overtook. In launch order.
 */
export interface TaskSample {
  count: number;
  /** ms, Executor Run Time; for an overtaken original its time until the kill. */
  run: Float64Array;
  /** 1 for overtaken originals. */
  overtaken: Uint8Array;
  work: Record<Work, Float64Array>;
  /** One of the work columns is above 0 anywhere. */
  recorded: boolean;
  column: (name: StageTaskColumn) => Float64Array;
  host: (task: number) => string;
  executor: (task: number) => string;
}

export function sampleTasks(tasks: StageTasks): TaskSample {
  const { texts } = tasks;
  const rows = sampledRows(tasks);
  // Columns are read when they are asked for: a stage may have millions of tasks.
  const picked = new Map<StageTaskColumn, Float64Array>();
  const pick = (name: StageTaskColumn): Float64Array => {
    const known = picked.get(name);
    if (known) return known;
    const values = pickRows(tasks.columns[name], rows);
    if (rows.length * 8 * picked.size > HELD_BYTES) picked.clear();
    picked.set(name, values);
    return values;
  };
  const overtaken = Uint8Array.from(pick("status"), (value) => (value === KILLED ? 1 : 0));
  const work: Record<Work, Float64Array> = {
    "bytes read": sum(pick("input_bytes_read"), pick("remote_bytes_read"), pick("local_bytes_read")),
    "records read": sum(pick("input_records_read"), pick("shuffle_records_read")),
    "bytes written": sum(pick("output_bytes_written"), pick("shuffle_bytes_written")),
    "records written": sum(pick("output_records_written"), pick("shuffle_records_written")),
  };
  const hosts = Int32Array.from(pick("host"), textId);
  const executors = Int32Array.from(pick("executor"), textId);
  return {
    count: rows.length,
    run: runTimes(pick, overtaken),
    overtaken,
    work,
    recorded: WORK.some((name) => work[name].some((value) => value > 0)),
    column: pick,
    host: (task) => texts[hosts[task] ?? -1] ?? "unknown host",
    executor: (task) => texts[executors[task] ?? -1] ?? "unknown",
  };
}

/** Number of a text; -1 for none. */
function textId(value: number): number {
  return Number.isNaN(value) ? -1 : value;
}

function pickRows(values: Float64Array, rows: ArrayLike<number>): Float64Array {
  const picked = new Float64Array(rows.length);
  for (let i = 0; i < picked.length; i++) picked[i] = values[rows[i] ?? -1] ?? Number.NaN;
  return picked;
}

/** Rows of the sample in launch order. */
function sampledRows(tasks: StageTasks): Int32Array {
  const rows = rowsThatCount(tasks);
  const { launch_time_ms: launch, task_id: id } = tasks.columns;
  const at = (column: Float64Array, row: number): number => column[row] ?? Number.NaN;
  const isBefore = (a: number, b: number): boolean =>
    at(launch, a) < at(launch, b) || (at(launch, a) === at(launch, b) && at(id, a) <= at(id, b));
  // Logs list ends; short stages end in launch order, and sorting millions of rows takes a copy of them.
  if (rows.every((row, i) => i === 0 || isBefore(rows[i - 1] ?? row, row))) return rows;
  return rows.sort((a, b) => at(launch, a) - at(launch, b) || at(id, a) - at(id, b));
}

/** Each column is let go before others are read: they may be millions of values. */
function rowsThatCount(tasks: StageTasks): Int32Array {
  const { status, speculative, task_index, executor_run_time_ms } = tasks.columns;
  const copied = overtakenIndexes(tasks);
  const rows = new Int32Array(tasks.rows);
  let count = 0;
  for (let row = 0; row < tasks.rows; row++) {
    const original =
      status[row] === KILLED && speculative[row] !== 1 && copied.has(task_index[row] ?? Number.NaN);
    if (original || (status[row] === SUCCESS && (executor_run_time_ms[row] ?? -1) >= 0)) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

/** Executor Run Time; for an overtaken original the time until its kill. */
function runTimes(pick: (name: StageTaskColumn) => Float64Array, overtaken: Uint8Array): Float64Array {
  const run = pick("executor_run_time_ms");
  if (!overtaken.includes(1)) return run;
  const launch = pick("launch_time_ms");
  const finish = pick("finish_time_ms");
  return run.map((ms, i) => (overtaken[i] === 1 ? elapsedMs(launch[i], finish[i]) : ms));
}

function sum(...columns: Float64Array[]): Float64Array {
  const [first = new Float64Array(0), ...others] = columns;
  const total = first.map(orZero);
  for (const column of others)
    for (let i = 0; i < total.length; i++) total[i] = (total[i] ?? 0) + orZero(column[i] ?? 0);
  return total;
}

/** Indexes whose speculative copy succeeded. */
function overtakenIndexes({ columns, rows }: StageTasks): Set<number> {
  const { speculative, status, task_index } = columns;
  const indexes = new Set<number>();
  for (let row = 0; row < rows; row++) {
    if (speculative[row] === 1 && status[row] === SUCCESS) indexes.add(task_index[row] ?? -1);
  }
  return indexes;
}

/** Finish - launch, ms; 0 where one is not known or the clock went back. */
export function elapsedMs(launch: number | undefined, finish: number | undefined): number {
  return Math.max(0, (finish ?? 0) - (launch ?? 0)) || 0;
}

function orZero(value: number): number {
  return Number.isNaN(value) ? 0 : Math.max(0, value);
}

/** Tasks that had something to read; all tasks where none recorded any reading. */
export function tasksWithInput(sample: TaskSample): Int32Array {
  const { "bytes read": bytes, "records read": records } = sample.work;
  const tasks = new Int32Array(sample.count);
  let count = 0;
  let reading = 0;
  for (let i = 0; i < sample.count; i++) {
    const read = (bytes[i] ?? 0) > 0 || (records[i] ?? 0) > 0;
    if (read) reading++;
    if (read || sample.overtaken[i] === 1) tasks[count++] = i;
  }
  return reading > 0 ? tasks.subarray(0, count) : tasks.map((_, i) => i);
}

/** Spark's median of chosen tasks; null for none. */
export function medianOf(values: Float64Array, tasks: ArrayLike<number>): number | null {
  return quantileOfTasks(values, tasks, 0.5);
}

/** Spark's quantile of chosen tasks; null for none. */
export function quantileOfTasks(values: Float64Array, tasks: ArrayLike<number>, q: number): number | null {
  return quantileInPlace(pickRows(values, tasks), q);
}
