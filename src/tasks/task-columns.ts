import type { TaskColumn } from "./task-batch.ts";

/** Columns of one stage attempt's ended tasks, by name. Loading one may cost a pass over the table. */
export interface TaskColumns {
  rows: number;
  column(name: TaskColumn): Float64Array;
  /** True where the column holds values above 2^53, which stand rounded. */
  isRounded(name: TaskColumn): boolean;
  /** The exact values of a rounded column. */
  exact(name: TaskColumn): bigint[];
}
