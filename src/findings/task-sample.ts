import type { StageTaskColumn, StageTasks } from "../queries/stage-tasks.ts";
import { largeArray } from "../stats/large-array.ts";
import { columnLike, type NumberColumn, narrowed } from "../stats/number-column.ts";
import { keep, NumberSet, positionsTo, sortPositions } from "../stats/positions.ts";
import { quantileBy } from "../stats/quantile.ts";
import { ColumnStore } from "./column-store.ts";

const SUCCESS = 1;
const KILLED = 3;
const NO_TEXT = 0xffff_ffff;

/** What a task read or wrote, each a way in which one task can have more to do than another. */
export const WORK = ["bytes read", "records read", "bytes written", "records written"] as const;
export type Work = (typeof WORK)[number];

const WORK_COLUMNS: Record<Work, readonly StageTaskColumn[]> = {
  "bytes read": ["input_bytes_read", "remote_bytes_read", "local_bytes_read"],
  "records read": ["input_records_read", "shuffle_records_read"],
  "bytes written": ["output_bytes_written", "shuffle_bytes_written"],
  "records written": ["output_records_written", "shuffle_records_written"],
};

/**
 * Tasks of a stage attempt that say how long the work takes: the successful ones with a run time and, with the time
 * until their kill, the originals that a speculative copy overtook. In launch order.
 */
export interface TaskSample {
  count: number;
  /** ms, Executor Run Time; for an overtaken original its time until the kill. */
  run: NumberColumn;
  /** 1 for overtaken originals. */
  overtaken: Uint8Array;
  /** One of the kinds of work is above 0 anywhere. */
  recorded: boolean;
  /** Of a large stage these two are read anew each time: once for a loop, not once a task. */
  work: (name: Work) => NumberColumn;
  column: (name: StageTaskColumn) => NumberColumn;
  host: (task: number) => string;
  executor: (task: number) => string;
}

export function sampleTasks(tasks: StageTasks): TaskSample {
  const { texts } = tasks;
  const rows = sampledRows(tasks);
  const count = rows?.length ?? tasks.rows;
  const picked = (name: StageTaskColumn): NumberColumn =>
    rows ? pickRows(tasks.columns[name], rows) : tasks.columns[name];
  const columns = new ColumnStore<StageTaskColumn | Work>((name) =>
    isWork(name)
      ? sum(
          count,
          WORK_COLUMNS[name].map((column) => () => picked(column)),
        )
      : picked(name),
  );
  const overtaken = overtakenOf(picked("status"));
  const hosts = textIds(picked("host"), texts.length);
  const executors = textIds(picked("executor"), texts.length);
  return {
    count,
    run: runTimes(picked, overtaken),
    overtaken,
    work: (name) => columns.get(name),
    recorded: WORK.some((name) => hasSome(columns.get(name))),
    column: (name) => columns.get(name),
    host: (task) => texts[hosts[task] ?? NO_TEXT] ?? "unknown host",
    executor: (task) => texts[executors[task] ?? NO_TEXT] ?? "unknown",
  };
}

function isWork(name: StageTaskColumn | Work): name is Work {
  return name in WORK_COLUMNS;
}

function hasSome(values: NumberColumn): boolean {
  for (let i = 0; i < values.length; i++) if ((values[i] as number) > 0) return true;
  return false;
}

function overtakenOf(status: NumberColumn): Uint8Array {
  const overtaken = largeArray(Uint8Array, status.length);
  for (let i = 0; i < status.length; i++) overtaken[i] = status[i] === KILLED ? 1 : 0;
  return overtaken;
}

/** Numbers of texts. One that is no text's stands for none. */
function textIds(values: NumberColumn, texts: number): Uint16Array | Uint32Array {
  const ids =
    texts < 2 ** 16 ? largeArray(Uint16Array, values.length) : largeArray(Uint32Array, values.length);
  for (let i = 0; i < ids.length; i++) {
    const id = values[i] as number;
    ids[i] = id >= 0 && id < texts ? id : NO_TEXT;
  }
  return ids;
}

function pickRows(values: NumberColumn, rows: Int32Array): NumberColumn {
  const picked = columnLike(values, rows.length);
  for (let i = 0; i < picked.length; i++) picked[i] = values[rows[i] as number] as number;
  return picked;
}

/** Rows of the sample in launch order; null: all of them, as they stand. */
function sampledRows(tasks: StageTasks): Int32Array | null {
  const counted = rowsThatCount(tasks);
  const launch = tasks.columns.launch_time_ms;
  const id = tasks.columns.task_id;
  const isBefore = (a: number, b: number): boolean =>
    (launch[a] as number) < (launch[b] as number) ||
    (launch[a] === launch[b] && (id[a] as number) <= (id[b] as number));
  const all = counted === null;
  const rows = counted ?? positionsTo(tasks.rows);
  // Logs list ends; short stages end in launch order.
  for (let i = 1; i < rows.length; i++)
    if (!isBefore(rows[i - 1] as number, rows[i] as number))
      return sortPositions(
        rows,
        (row) => launch[row] as number,
        (row) => id[row] as number,
      );
  return all ? null : rows;
}

/** null: all of them. */
function rowsThatCount(tasks: StageTasks): Int32Array | null {
  const { status, speculative, task_index, executor_run_time_ms } = tasks.columns;
  const copied = new NumberSet(8 * tasks.rows);
  for (let row = 0; row < tasks.rows; row++)
    if (speculative[row] === 1 && status[row] === SUCCESS) copied.add(task_index[row] as number);
  const counts = (row: number): boolean =>
    status[row] === SUCCESS
      ? (executor_run_time_ms[row] as number) >= 0
      : status[row] === KILLED && speculative[row] !== 1 && copied.has(task_index[row] as number);
  const rows = keep(positionsTo(tasks.rows), counts);
  return rows.length === tasks.rows ? null : rows;
}

/** Executor Run Time; for an overtaken original the time until its kill. */
function runTimes(picked: (name: StageTaskColumn) => NumberColumn, overtaken: Uint8Array): NumberColumn {
  const own = picked("executor_run_time_ms");
  if (!overtaken.includes(1)) return own;
  const run = largeArray(Float64Array, own.length);
  const elapsed = picked("elapsed_ms");
  for (let i = 0; i < run.length; i++) run[i] = overtaken[i] === 1 ? elapsed[i] || 0 : (own[i] as number);
  return narrowed(run);
}

/** Sum of columns, what is not known counted as 0. */
function sum(count: number, columns: readonly (() => NumberColumn)[]): NumberColumn {
  const total = largeArray(Float64Array, count);
  for (const read of columns) {
    const column = read();
    for (let i = 0; i < count; i++) {
      const value = column[i] as number;
      if (value > 0) total[i] = (total[i] as number) + value;
    }
  }
  return narrowed(total);
}

/** Tasks that had something to read; all tasks where none recorded any reading. */
export function tasksWithInput(sample: TaskSample): Int32Array {
  const reads = new Uint8Array(sample.count);
  let reading = false;
  for (const name of ["bytes read", "records read"] as const) {
    const work = sample.work(name);
    for (let i = 0; i < reads.length; i++) if ((work[i] as number) > 0) reads[i] = 1;
    reading ||= hasSome(work);
  }
  const all = positionsTo(sample.count);
  return reading ? keep(all, (i) => reads[i] === 1 || sample.overtaken[i] === 1) : all;
}

/** Spark's median of chosen tasks; null for none. */
export function medianOf(values: ArrayLike<number>, tasks: ArrayLike<number>): number | null {
  return quantileOfTasks(values, tasks, 0.5);
}

/** Spark's quantile of chosen tasks; null for none. */
export function quantileOfTasks(
  values: ArrayLike<number>,
  tasks: ArrayLike<number>,
  q: number,
): number | null {
  return quantileBy(tasks.length, (i) => values[tasks[i] as number] as number, q);
}
