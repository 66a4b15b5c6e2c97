import type { Arena } from "./arena.ts";

/**
 * The seam between reading TaskEnd events (by JSON.parse or by the byte scanner) and everything that consumes
 * them: the task table, stage totals, SQL metrics, the time line. A batch is columns of numbers.
 */

/** Columns of a batch, in the order of the table task_data after log_id. Values are those of the event; NaN is NULL. */
export const TASK_COLUMNS = [
  "stage_id",
  "stage_attempt_id",
  "task_id",
  "task_index",
  "attempt_number",
  "partition_id",
  "launch_time_ms",
  "finish_time_ms",
  "getting_result_time_ms",
  "executor",
  "host",
  "locality",
  "speculative",
  "status",
  "executor_deserialize_time_ms",
  "executor_deserialize_cpu_time_ns",
  "executor_run_time_ms",
  "executor_cpu_time_ns",
  "peak_execution_memory_bytes",
  "result_size_bytes",
  "jvm_gc_time_ms",
  "result_serialization_time_ms",
  "memory_bytes_spilled",
  "disk_bytes_spilled",
  "remote_blocks_fetched",
  "local_blocks_fetched",
  "fetch_wait_time_ms",
  "remote_bytes_read",
  "local_bytes_read",
  "remote_bytes_read_to_disk",
  "shuffle_records_read",
  "remote_requests_duration_ms",
  "shuffle_bytes_written",
  "shuffle_write_time_ns",
  "shuffle_records_written",
  "input_bytes_read",
  "input_records_read",
  "output_bytes_written",
  "output_records_written",
] as const;

export type TaskColumn = (typeof TASK_COLUMNS)[number];

/** Position of each column in a batch. */
export const TASK_COLUMN = Object.fromEntries(TASK_COLUMNS.map((name, index) => [name, index])) as Record<
  TaskColumn,
  number
>;

/** First metric column; all columns from here on are Task Metrics. */
export const FIRST_METRIC = TASK_COLUMN.executor_deserialize_time_ms;

/** Columns that a TaskStart tells. */
export const STARTED_COLUMNS: readonly TaskColumn[] = [
  "stage_id",
  "stage_attempt_id",
  "task_id",
  "task_index",
  "attempt_number",
  "partition_id",
  "launch_time_ms",
  "executor",
  "host",
  "locality",
  "speculative",
];

export const TASK_STATUS = { running: 0, success: 1, failed: 2, killed: 3 } as const;

export const BATCH_ROWS = 2048;

/**
 * Up to BATCH_ROWS ended tasks. Integers above 2^53 stand rounded in the column and exact in `big`
 * (key: column index * BATCH_ROWS + row). SQL accumulator updates of row r are entries
 * accumulatorStart[r] .. accumulatorStart[r + 1] of accumulatorIds and accumulatorUpdates (Metadata "sql" only,
 * with an Update that is an integer; exact large ones in `bigUpdates` by entry).
 */
export class TaskBatch {
  rows = 0;
  readonly columns: Float64Array[];
  readonly accumulatorStart: Int32Array;
  accumulatorIds: Float64Array;
  accumulatorUpdates: Float64Array;
  readonly big = new Map<number, bigint>();
  readonly bigUpdates = new Map<number, bigint>();

  /**
   * @param arena where its arrays are to stand (batchBytes of room); by default in memory of their own
   * @param updates room for accumulator updates at first; more make new arrays, outside the arena
   */
  constructor(arena?: Arena, updates = 16 * BATCH_ROWS) {
    const float64 = (length: number) => arena?.float64(length) ?? new Float64Array(length);
    this.columns = TASK_COLUMNS.map(() => float64(BATCH_ROWS));
    this.accumulatorStart = arena?.int32(BATCH_ROWS + 1) ?? new Int32Array(BATCH_ROWS + 1);
    this.accumulatorIds = float64(updates);
    this.accumulatorUpdates = float64(updates);
  }

  /** Bytes that a batch with that room takes in an arena. */
  static bytes(updates: number): number {
    return 8 * (TASK_COLUMNS.length * BATCH_ROWS + 2 * updates) + 4 * (BATCH_ROWS + 2);
  }

  column(name: TaskColumn): Float64Array {
    const column = this.columns[TASK_COLUMN[name]];
    if (!column) throw new Error(`no task column ${name}`);
    return column;
  }

  /** Appends one SQL accumulator update to the row being written (row index `this.rows`). */
  addUpdate(id: number, update: number, exact?: bigint): void {
    const at = this.accumulatorStart[this.rows + 1] ?? 0;
    if (at >= this.accumulatorIds.length) this.#grow();
    this.accumulatorIds[at] = id;
    this.accumulatorUpdates[at] = update;
    if (exact !== undefined) this.bigUpdates.set(at, exact);
    this.accumulatorStart[this.rows + 1] = at + 1;
  }

  /** Appends several updates, exact as numbers, to the row being written. */
  addUpdates(ids: Float64Array, updates: Float64Array, count: number): void {
    const at = this.accumulatorStart[this.rows + 1] ?? 0;
    while (at + count > this.accumulatorIds.length) this.#grow();
    for (let index = 0; index < count; index++) {
      this.accumulatorIds[at + index] = ids[index] as number;
      this.accumulatorUpdates[at + index] = updates[index] as number;
    }
    this.accumulatorStart[this.rows + 1] = at + count;
  }

  /** Appends rows from .. to of another batch, whose values are all exact as numbers; there must be room for them. */
  append(batch: TaskBatch, from: number, to: number): void {
    const { rows } = this;
    for (let column = 0; column < this.columns.length; column++)
      this.columns[column]?.set((batch.columns[column] as Float64Array).subarray(from, to), rows);
    const first = batch.accumulatorStart[from] ?? 0;
    const last = batch.accumulatorStart[to] ?? 0;
    const at = this.accumulatorStart[rows] ?? 0;
    while (at + last - first > this.accumulatorIds.length) this.#grow();
    this.accumulatorIds.set(batch.accumulatorIds.subarray(first, last), at);
    this.accumulatorUpdates.set(batch.accumulatorUpdates.subarray(first, last), at);
    for (let row = from; row <= to; row++)
      this.accumulatorStart[rows + row - from] = at + (batch.accumulatorStart[row] ?? 0) - first;
    this.rows = rows + to - from - 1;
    this.endRow();
  }

  /** Ends the row being written. */
  endRow(): void {
    this.rows++;
    if (this.rows < BATCH_ROWS) this.accumulatorStart[this.rows + 1] = this.accumulatorStart[this.rows] ?? 0;
  }

  get full(): boolean {
    return this.rows === BATCH_ROWS;
  }

  clear(): void {
    this.rows = 0;
    this.accumulatorStart[0] = 0;
    this.accumulatorStart[1] = 0;
    if (this.big.size > 0) this.big.clear();
    if (this.bigUpdates.size > 0) this.bigUpdates.clear();
  }

  #grow(): void {
    const length = Math.max(16, 2 * this.accumulatorIds.length);
    const ids = new Float64Array(length);
    ids.set(this.accumulatorIds);
    this.accumulatorIds = ids;
    const updates = new Float64Array(length);
    updates.set(this.accumulatorUpdates);
    this.accumulatorUpdates = updates;
  }
}

/** Whatever wants to see every ended task. Called in log order; the batch is reused after return. */
export interface TaskConsumer {
  tasks(batch: TaskBatch): void;
}
