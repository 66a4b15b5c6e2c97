import type { NumberColumn } from "../stats/number-column.ts";

/** Columns of task_data that the diagnosis reads for the stages it looks into; elapsed_ms is finish - launch, at least 0. */
export const STAGE_TASK_COLUMNS = [
  "task_id",
  "task_index",
  "launch_time_ms",
  "finish_time_ms",
  "elapsed_ms",
  "getting_result_time_ms",
  "executor",
  "host",
  "locality",
  "speculative",
  "status",
  "executor_deserialize_time_ms",
  "executor_run_time_ms",
  "executor_cpu_time_ns",
  "jvm_gc_time_ms",
  "result_serialization_time_ms",
  "memory_bytes_spilled",
  "disk_bytes_spilled",
  "fetch_wait_time_ms",
  "remote_bytes_read",
  "local_bytes_read",
  "shuffle_records_read",
  "shuffle_bytes_written",
  "shuffle_records_written",
  "input_bytes_read",
  "input_records_read",
  "output_bytes_written",
  "output_records_written",
] as const;

export type StageTaskColumn = (typeof STAGE_TASK_COLUMNS)[number];

/**
 * Ended tasks of one stage attempt, a column each; NaN is NULL. executor and host index `texts`. A column of a large stage
 * is read each time it is asked for: let go of it before the next.
 */
export interface StageTasks {
  rows: number;
  columns: Readonly<Record<StageTaskColumn, NumberColumn>>;
  texts: readonly string[];
}

/** Reads the ended tasks of one stage attempt; null where the attempt has none. The store provides it. */
export type LoadStageTasks = (stageId: number, stageAttemptId: number) => StageTasks | null;
