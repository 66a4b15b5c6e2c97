import type { StageTaskColumn, StageTasks } from "../queries/stage-tasks.ts";
import { median } from "../stats/quantile.ts";

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
  const { columns, texts } = tasks;
  const at = (name: StageTaskColumn, row: number): number => columns[name][row] ?? Number.NaN;
  const copied = overtakenIndexes(tasks);
  const rows: number[] = [];
  for (let row = 0; row < tasks.rows; row++) {
    const status = at("status", row);
    const original = status === KILLED && at("speculative", row) !== 1 && copied.has(at("task_index", row));
    if (original || (status === SUCCESS && at("executor_run_time_ms", row) >= 0)) rows.push(row);
  }
  rows.sort(
    (a, b) => at("launch_time_ms", a) - at("launch_time_ms", b) || at("task_id", a) - at("task_id", b),
  );
  const picked = new Map<StageTaskColumn, Float64Array>();
  // Most of the columns are never asked for.
  const column = (name: StageTaskColumn): Float64Array => {
    const known = picked.get(name);
    if (known) return known;
    const values = pickRows(columns[name], rows);
    picked.set(name, values);
    return values;
  };
  const overtaken = Uint8Array.from(rows, (row) => (at("status", row) === KILLED ? 1 : 0));
  const duration = (row: number): number => at("finish_time_ms", row) - at("launch_time_ms", row);
  const run = column("executor_run_time_ms").map((ms, i) =>
    overtaken[i] === 1 ? Math.max(0, duration(rows[i] ?? 0)) : ms,
  );
  const both = (a: Float64Array, b: Float64Array): Float64Array =>
    a.map((value, i) => orZero(value) + orZero(b[i] ?? 0));
  const work: Record<Work, Float64Array> = {
    "bytes read": both(
      both(column("input_bytes_read"), column("remote_bytes_read")),
      column("local_bytes_read"),
    ),
    "records read": both(column("input_records_read"), column("shuffle_records_read")),
    "bytes written": both(column("output_bytes_written"), column("shuffle_bytes_written")),
    "records written": both(column("output_records_written"), column("shuffle_records_written")),
  };
  return {
    count: rows.length,
    run,
    overtaken,
    work,
    recorded: WORK.some((name) => work[name].some((value) => value > 0)),
    column,
    host: (i) => texts[column("host")[i] ?? -1] ?? "unknown host",
    executor: (i) => texts[column("executor")[i] ?? -1] ?? "unknown",
  };
}

function pickRows(values: Float64Array, rows: readonly number[]): Float64Array {
  const picked = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) picked[i] = values[rows[i] as number] as number;
  return picked;
}

/** Indexes whose speculative copy succeeded. */
function overtakenIndexes({ columns, rows }: StageTasks): Set<number> {
  const indexes = new Set<number>();
  for (let row = 0; row < rows; row++) {
    if (columns.speculative[row] === 1 && columns.status[row] === SUCCESS) {
      indexes.add(columns.task_index[row] ?? -1);
    }
  }
  return indexes;
}

function orZero(value: number): number {
  return Number.isNaN(value) ? 0 : Math.max(0, value);
}

/** Tasks that had something to read; all tasks where none recorded any reading. */
export function tasksWithInput(sample: TaskSample): number[] {
  const read = (i: number): boolean =>
    (sample.work["bytes read"][i] ?? 0) > 0 || (sample.work["records read"][i] ?? 0) > 0;
  const all = Array.from({ length: sample.count }, (_, i) => i);
  const busy = all.filter((i) => read(i) || sample.overtaken[i] === 1);
  return busy.some(read) ? busy : all;
}

/** Spark's median of chosen tasks; null for none. */
export function medianOf(values: Float64Array, tasks: readonly number[]): number | null {
  return median(pickRows(values, tasks));
}
