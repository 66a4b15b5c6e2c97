import { defineQuery, type Int } from "./query.ts";

export interface StagesRow {
  stage_id: Int;
  stage_attempt_id: Int;
  name: string | null;
  status: string;
  number_of_tasks: Int | null;
  submission_time_ms: Int | null;
  completion_time_ms: Int | null;
  first_task_launched_time_ms: Int | null;
  own_time_ms: number | null;
  failure_reason: string | null;
  tasks: Int;
  task_ends: Int;
  succeeded: Int;
  failed: Int;
  killed: Int;
  speculative: Int;
  completed_indices: Int;
  ended_indices: Int;
  spilling_tasks: Int;
  input_bytes_read: Int | null;
  input_records_read: Int | null;
  output_bytes_written: Int | null;
  output_records_written: Int | null;
  shuffle_bytes_read: Int | null;
  shuffle_records_read: Int | null;
  shuffle_bytes_written: Int | null;
  shuffle_records_written: Int | null;
  memory_bytes_spilled: Int | null;
  disk_bytes_spilled: Int | null;
  jvm_gc_time_ms: Int | null;
  executor_run_time_ms: Int | null;
  executor_cpu_time_ns: Int | null;
  /** Executor Run Time of all its tasks as StageCompleted has it. */
  reported_run_time_ms: Int | null;
}

/** One row a stage attempt, by id, skipped ones included. */
export const stages = defineQuery<StagesRow>({
  name: "stages",
  about: "One row a stage attempt, by id, skipped ones included.",
  columns: [
    "stage_id",
    "stage_attempt_id",
    "name",
    "status",
    "number_of_tasks",
    "submission_time_ms",
    "completion_time_ms",
    "first_task_launched_time_ms",
    "own_time_ms",
    "failure_reason",
    "tasks",
    "task_ends",
    "succeeded",
    "failed",
    "killed",
    "speculative",
    "completed_indices",
    "ended_indices",
    "spilling_tasks",
    "input_bytes_read",
    "input_records_read",
    "output_bytes_written",
    "output_records_written",
    "shuffle_bytes_read",
    "shuffle_records_read",
    "shuffle_bytes_written",
    "shuffle_records_written",
    "memory_bytes_spilled",
    "disk_bytes_spilled",
    "jvm_gc_time_ms",
    "executor_run_time_ms",
    "executor_cpu_time_ns",
    "reported_run_time_ms",
  ],
  sql: /* sql */ `
    SELECT stage_id, stage_attempt_id, name, status, number_of_tasks, submission_time_ms, completion_time_ms,
      first_task_launched_time_ms, own_time_ms, failure_reason, tasks, task_ends, succeeded, failed,
      killed, speculative, completed_indices, ended_indices, spilling_tasks, input_bytes_read,
      input_records_read, output_bytes_written, output_records_written, shuffle_bytes_read,
      shuffle_records_read, shuffle_bytes_written, shuffle_records_written, memory_bytes_spilled,
      disk_bytes_spilled, jvm_gc_time_ms, executor_run_time_ms, executor_cpu_time_ns,
      (
        SELECT r.totals_json ->> 'executor_run_time_ms'
        FROM stage_reported AS r
        WHERE r.log_id = stage.log_id
          AND r.stage_id = stage.stage_id
          AND r.stage_attempt_id = stage.stage_attempt_id
      ) AS reported_run_time_ms
    FROM stage
    WHERE log_id = $log_id
    ORDER BY stage_id, stage_attempt_id
  `,
});
