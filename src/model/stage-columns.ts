import type { ScratchFile } from "../scratch-file.ts";
import { SpilledColumns } from "../tasks/spilled-columns.ts";
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

const PLACE_OF = new Map(KEPT_COLUMNS.map((name, place) => [name, place]));
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
 * The ended tasks of one stage attempt as columns, growing by doubling; what does not fit the memory goes to a scratch
 * file. NaN is "not reported".
 */
export class StageColumns {
  /** Rows in memory. */
  #rows = 0;
  #capacity = 8;
  #columns: Float64Array[] = KEPT_COLUMNS.map(() => new Float64Array(8));
  #spilled: SpilledColumns | null = null;
  readonly #expected: number;

  /** @param expected rows that are likely to come: growing goes there at once */
  constructor(expected = 0) {
    this.#expected = Math.min(expected, MAX_EXPECTED);
  }

  get rows(): number {
    return this.#rows + (this.#spilled?.rows ?? 0);
  }

  /** Bytes held in memory. */
  get bytes(): number {
    return this.#rows === 0 ? 0 : this.#capacity * 8 * KEPT_COLUMNS.length;
  }

  /** A column of all rows; read from the file where rows went there. */
  column(name: TaskColumn): Float64Array {
    const at = PLACE_OF.get(name) ?? -1;
    const column = this.#columns[at];
    if (!column) throw new Error(`no kept column ${name}`);
    const inMemory = column.subarray(0, this.#rows);
    if (!this.#spilled) return inMemory;
    const whole = new Float64Array(this.rows);
    this.#spilled.read(at, whole);
    whole.set(inMemory, this.#spilled.rows);
    return whole;
  }

  /** Moves the rows in memory to the file. */
  spill(file: ScratchFile): void {
    this.#spilled ??= new SpilledColumns(file);
    this.#spilled.append(this.#columns, this.#rows);
    this.#rows = 0;
    this.#capacity = 8;
    this.#columns = KEPT_COLUMNS.map(() => new Float64Array(8));
  }

  /** Appends rows from..to of a batch. */
  append(batch: TaskBatch, from: number, to: number): void {
    const needed = this.#rows + to - from;
    if (needed > this.#capacity) this.#grow(needed);
    for (let at = 0; at < KEPT_AT.length; at++) {
      const source = batch.columns[KEPT_AT[at] ?? 0];
      const target = this.#columns[at];
      if (!source || !target) continue;
      if (to - from === 1) target[this.#rows] = source[from] ?? Number.NaN;
      else target.set(source.subarray(from, to), this.#rows);
    }
    this.#rows = needed;
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
