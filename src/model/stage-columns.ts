import {
  FIRST_METRIC,
  TASK_COLUMN,
  TASK_COLUMNS,
  type TaskBatch,
  type TaskColumn,
} from "../tasks/task-batch.ts";

/** Task columns that a stage keeps until its end: what its totals, quantiles and executor summary are made of. */
export const KEPT_COLUMNS: readonly TaskColumn[] = [
  "task_id",
  "task_index",
  "launch_time_ms",
  "finish_time_ms",
  "getting_result_time_ms",
  "executor",
  "host",
  "speculative",
  "status",
  ...TASK_COLUMNS.slice(FIRST_METRIC),
];

const KEPT_AT = KEPT_COLUMNS.map((name) => TASK_COLUMN[name]);

/** A column that holds one of the Task Metrics: also a column of stage, as its sum. */
export type MetricColumn = Exclude<
  TaskColumn,
  | "stage_id"
  | "stage_attempt_id"
  | "task_id"
  | "task_index"
  | "attempt_number"
  | "partition_id"
  | "launch_time_ms"
  | "finish_time_ms"
  | "getting_result_time_ms"
  | "executor"
  | "host"
  | "locality"
  | "speculative"
  | "status"
>;

export const METRIC_COLUMNS = TASK_COLUMNS.slice(FIRST_METRIC) as MetricColumn[];

/** A number of tasks beyond this is believed when they come. */
const MAX_EXPECTED = 65_536;

/**
 * The ended tasks of one stage attempt as columns, growing by doubling. NaN is "not reported".
 * `rounded` holds columns in which some value passed 2^53 and stands rounded.
 */
export class StageColumns {
  rows = 0;
  #capacity = 8;
  #columns: Float64Array[] = KEPT_COLUMNS.map(() => new Float64Array(8));
  readonly rounded = new Set<TaskColumn>();
  readonly #expected: number;

  /** @param expected rows that are likely to come: growing goes there at once */
  constructor(expected = 0) {
    this.#expected = Math.min(expected, MAX_EXPECTED);
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#capacity * 8 * KEPT_COLUMNS.length;
  }

  column(name: TaskColumn): Float64Array {
    const column = this.#columns[KEPT_COLUMNS.indexOf(name)];
    if (!column) throw new Error(`no kept column ${name}`);
    return column.subarray(0, this.rows);
  }

  /** Appends rows from..to of a batch. */
  append(batch: TaskBatch, from: number, to: number): void {
    const needed = this.rows + to - from;
    if (needed > this.#capacity) this.#grow(needed);
    for (let at = 0; at < KEPT_AT.length; at++) {
      const source = batch.columns[KEPT_AT[at] ?? 0];
      const target = this.#columns[at];
      if (!source || !target) continue;
      if (to - from === 1) target[this.rows] = source[from] ?? Number.NaN;
      else target.set(source.subarray(from, to), this.rows);
    }
    this.rows = needed;
  }

  #grow(needed: number): void {
    if (needed <= this.#expected) this.#capacity = this.#expected;
    while (this.#capacity < needed) this.#capacity *= 2;
    this.#columns = this.#columns.map((column) => {
      const larger = new Float64Array(this.#capacity);
      larger.set(column);
      return larger;
    });
  }
}
