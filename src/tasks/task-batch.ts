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
  readonly columns: Float64Array[] = TASK_COLUMNS.map(() => new Float64Array(BATCH_ROWS));
  readonly accumulatorStart = new Int32Array(BATCH_ROWS + 1);
  accumulatorIds = new Float64Array(16 * BATCH_ROWS);
  accumulatorUpdates = new Float64Array(16 * BATCH_ROWS);
  readonly big = new Map<number, bigint>();
  readonly bigUpdates = new Map<number, bigint>();

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

  /** Ends the row being written. */
  endRow(): void {
    this.rows++;
    if (this.rows < BATCH_ROWS) this.accumulatorStart[this.rows + 1] = this.accumulatorStart[this.rows] ?? 0;
  }

  /** Takes the last row back. */
  dropRow(): void {
    this.rows--;
    const updates = this.accumulatorStart[this.rows] ?? 0;
    this.accumulatorStart[this.rows + 1] = updates;
    for (const at of this.bigUpdates.keys()) if (at >= updates) this.bigUpdates.delete(at);
    for (const at of this.big.keys()) if (at % BATCH_ROWS === this.rows) this.big.delete(at);
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
    const ids = new Float64Array(this.accumulatorIds.length * 2);
    ids.set(this.accumulatorIds);
    this.accumulatorIds = ids;
    const updates = new Float64Array(this.accumulatorUpdates.length * 2);
    updates.set(this.accumulatorUpdates);
    this.accumulatorUpdates = updates;
  }
}

/** Whatever wants to see every ended task. Called in log order; the batch is reused after return. */
export interface TaskConsumer {
  tasks(batch: TaskBatch): void;
}
