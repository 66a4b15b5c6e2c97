import { defineQuery, type Int } from "./query.ts";

export interface ExecutorsRow {
  executor_id: string;
  life: Int;
  host: string | null;
  total_cores: Int | null;
  added_time_ms: Int | null;
  removed_time_ms: Int | null;
  removed_reason: string | null;
  removal_events: Int;
  removal_class: string | null;
  exit_code: Int | null;
  removal_detail: string | null;
  is_shutdown: Int;
  completed_tasks: Int;
  failed_tasks: Int;
  killed_tasks: Int;
  total_duration_ms: Int | null;
  total_gc_time_ms: Int | null;
}

/** One row an executor lifetime, by the time it was added. */
export const executors = defineQuery<ExecutorsRow>({
  name: "executors",
  about: "One row an executor lifetime, by the time it was added.",
  columns: [
    "executor_id",
    "life",
    "host",
    "total_cores",
    "added_time_ms",
    "removed_time_ms",
    "removed_reason",
    "removal_events",
    "removal_class",
    "exit_code",
    "removal_detail",
    "is_shutdown",
    "completed_tasks",
    "failed_tasks",
    "killed_tasks",
    "total_duration_ms",
    "total_gc_time_ms",
  ],
  sql: /* sql */ `
    SELECT executor_id, life, host, total_cores, added_time_ms, removed_time_ms, removed_reason,
      removal_events, removal_class, exit_code, removal_detail, is_shutdown, completed_tasks,
      failed_tasks, killed_tasks, total_duration_ms, total_gc_time_ms
    FROM executor
    WHERE log_id = $log_id
    ORDER BY added_time_ms, executor_id, life
  `,
});
