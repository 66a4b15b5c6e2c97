import type { TaskColumn } from "./task-batch.ts";

/** Some of a stage attempt's ended tasks as columns. Good until the next block is asked for. */
export interface TaskBlock {
  readonly rows: number;
  /** As many values as there are rows; NaN is "not reported". Not to be changed. */
  column(name: TaskColumn): Float64Array;
}

/** Values above 2^53, which stand rounded in blocks. */
export interface ExactValues {
  isRounded(name: TaskColumn): boolean;
  /** The exact values of a rounded column, 0 where there is none. */
  exact(name: TaskColumn): BigInt64Array;
}

/** The ended tasks of one stage attempt, of any number: block by block, and again as often as is wanted. */
export interface TaskColumns extends ExactValues {
  readonly rows: number;
  blocks(): Iterable<TaskBlock>;
}
