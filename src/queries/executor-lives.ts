import { defineQuery, type Int } from "./query.ts";

export interface ExecutorLivesRow {
  executor_id: string;
  life: Int;
  host: string | null;
  total_cores: Int | null;
  resource_profile_id: Int | null;
  added_time_ms: Int | null;
  removed_time_ms: Int | null;
  removed_reason: string | null;
  removal_class: string | null;
  exit_code: Int | null;
  removal_detail: string | null;
  is_shutdown: Int;
  max_memory_bytes: Int | null;
  completed_tasks: Int;
  failed_tasks: Int;
  killed_tasks: Int;
  total_duration_ms: Int | null;
  total_gc_time_ms: Int | null;
  total_run_time_ms: Int | null;
}

/** One row a life of an executor, in the order in which they began. */
export const executorLives = defineQuery<ExecutorLivesRow>({
  name: "executor-lives",
  about: "One row a life of an executor, in the order in which they began.",
  columns: [
    "executor_id",
    "life",
    "host",
    "total_cores",
    "resource_profile_id",
    "added_time_ms",
    "removed_time_ms",
    "removed_reason",
    "removal_class",
    "exit_code",
    "removal_detail",
    "is_shutdown",
    "max_memory_bytes",
    "completed_tasks",
    "failed_tasks",
    "killed_tasks",
    "total_duration_ms",
    "total_gc_time_ms",
    "total_run_time_ms",
  ],
  sql: /* sql */ `
    SELECT
      executor_id,
      life,
      host,
      total_cores,
      resource_profile_id,
      added_time_ms,
      removed_time_ms,
      removed_reason,
      removal_class,
      exit_code,
      removal_detail,
      is_shutdown,
      max_memory_bytes,
      completed_tasks,
      failed_tasks,
      killed_tasks,
      total_duration_ms,
      total_gc_time_ms,
      total_run_time_ms
    FROM executor
    WHERE log_id = $log_id
    ORDER BY added_time_ms, executor_id, life
  `,
});
