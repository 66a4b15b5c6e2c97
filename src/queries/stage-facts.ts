import { defineQuery, type Int } from "./query.ts";

export interface StageFactsRow {
  stage_id: Int;
  stage_attempt_id: Int;
  name: string | null;
  status: string;
  number_of_tasks: Int | null;
  submission_time_ms: Int | null;
  completion_time_ms: Int | null;
  first_task_launched_time_ms: Int | null;
  last_task_finished_time_ms: Int | null;
  failure_reason: string | null;
  parent_ids_json: string;
  resource_profile_id: Int | null;
  own_time_ms: number | null;
  task_starts: Int;
  task_ends: Int;
  completed_indices: Int;
  ended_indices: Int;
  succeeded: Int;
  failed: Int;
  killed: Int;
  speculative: Int;
  tasks_with_metrics: Int;
  spilling_tasks: Int;
  duration_sum_ms: Int | null;
  scheduler_delay_sum_ms: Int | null;
  executor_deserialize_time_ms: Int | null;
  executor_run_time_ms: Int | null;
  executor_cpu_time_ns: Int | null;
  result_size_bytes: Int | null;
  jvm_gc_time_ms: Int | null;
  result_serialization_time_ms: Int | null;
  memory_bytes_spilled: Int | null;
  disk_bytes_spilled: Int | null;
  fetch_wait_time_ms: Int | null;
  remote_bytes_read: Int | null;
  shuffle_bytes_read: Int | null;
  shuffle_records_read: Int | null;
  shuffle_bytes_written: Int | null;
  shuffle_records_written: Int | null;
  input_bytes_read: Int | null;
  input_records_read: Int | null;
  output_bytes_written: Int | null;
  output_records_written: Int | null;
  /** Successful tasks with a run time. */
  run_time_tasks: Int | null;
  run_time_p50_ms: Int | null;
  run_time_max_ms: Int | null;
}

/** One row a stage attempt that ran, with its totals and the median and longest run time of its tasks. */
export const stageFacts = defineQuery<StageFactsRow>({
  name: "stage-facts",
  about: "One row a stage attempt that ran, with its totals.",
  columns: [
    "stage_id",
    "stage_attempt_id",
    "name",
    "status",
    "number_of_tasks",
    "submission_time_ms",
    "completion_time_ms",
    "first_task_launched_time_ms",
    "last_task_finished_time_ms",
    "failure_reason",
    "parent_ids_json",
    "resource_profile_id",
    "own_time_ms",
    "task_starts",
    "task_ends",
    "completed_indices",
    "ended_indices",
    "succeeded",
    "failed",
    "killed",
    "speculative",
    "tasks_with_metrics",
    "spilling_tasks",
    "duration_sum_ms",
    "scheduler_delay_sum_ms",
    "executor_deserialize_time_ms",
    "executor_run_time_ms",
    "executor_cpu_time_ns",
    "result_size_bytes",
    "jvm_gc_time_ms",
    "result_serialization_time_ms",
    "memory_bytes_spilled",
    "disk_bytes_spilled",
    "fetch_wait_time_ms",
    "remote_bytes_read",
    "shuffle_bytes_read",
    "shuffle_records_read",
    "shuffle_bytes_written",
    "shuffle_records_written",
    "input_bytes_read",
    "input_records_read",
    "output_bytes_written",
    "output_records_written",
    "run_time_tasks",
    "run_time_p50_ms",
    "run_time_max_ms",
  ],
  sql: /* sql */ `
    SELECT
      s.stage_id,
      s.stage_attempt_id,
      s.name,
      s.status,
      s.number_of_tasks,
      s.submission_time_ms,
      s.completion_time_ms,
      s.first_task_launched_time_ms,
      s.last_task_finished_time_ms,
      s.failure_reason,
      s.parent_ids_json,
      s.resource_profile_id,
      s.own_time_ms,
      s.task_starts,
      s.task_ends,
      s.completed_indices,
      s.ended_indices,
      s.succeeded,
      s.failed,
      s.killed,
      s.speculative,
      s.tasks_with_metrics,
      s.spilling_tasks,
      s.duration_sum_ms,
      s.scheduler_delay_sum_ms,
      s.executor_deserialize_time_ms,
      s.executor_run_time_ms,
      s.executor_cpu_time_ns,
      s.result_size_bytes,
      s.jvm_gc_time_ms,
      s.result_serialization_time_ms,
      s.memory_bytes_spilled,
      s.disk_bytes_spilled,
      s.fetch_wait_time_ms,
      s.remote_bytes_read,
      s.shuffle_bytes_read,
      s.shuffle_records_read,
      s.shuffle_bytes_written,
      s.shuffle_records_written,
      s.input_bytes_read,
      s.input_records_read,
      s.output_bytes_written,
      s.output_records_written,
      d.quantiles_json ->> '$.executor_run_time_ms[0]' AS run_time_tasks,
      d.quantiles_json ->> '$.executor_run_time_ms[4]' AS run_time_p50_ms,
      d.quantiles_json ->> '$.executor_run_time_ms[8]' AS run_time_max_ms
    FROM stage AS s
    LEFT JOIN stage_distribution AS d
      ON d.log_id = s.log_id
      AND d.stage_id = s.stage_id
      AND d.stage_attempt_id = s.stage_attempt_id
    WHERE s.log_id = $log_id
      AND s.status NOT IN ('skipped', 'pending')
    ORDER BY s.stage_id, s.stage_attempt_id
  `,
});
