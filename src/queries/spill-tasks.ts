import { defineQuery, type Int } from "./query.ts";

export interface SpillTasksRow {
  stage_id: Int;
  stage_attempt_id: Int;
  task_id: Int;
  task_index: Int | null;
  executor_id: string | null;
  host: string | null;
  memory_bytes_spilled: Int;
  disk_bytes_spilled: Int | null;
  executor_run_time_ms: Int | null;
  shuffle_bytes_read: Int | null;
}

/** The three tasks of each stage attempt that spilled most, largest first: which task and executor to look at. */
export const spillTasks = defineQuery<SpillTasksRow>({
  name: "spill-tasks",
  about: "The three tasks of each stage attempt that spilled most.",
  columns: [
    "stage_id",
    "stage_attempt_id",
    "task_id",
    "task_index",
    "executor_id",
    "host",
    "memory_bytes_spilled",
    "disk_bytes_spilled",
    "executor_run_time_ms",
    "shuffle_bytes_read",
  ],
  sql: /* sql */ `
    WITH
      ranked AS (
        SELECT
          t.log_id,
          t.stage_id,
          t.stage_attempt_id,
          t.task_id,
          t.task_index,
          t.executor,
          t.host,
          t.memory_bytes_spilled,
          t.disk_bytes_spilled,
          t.executor_run_time_ms,
          t.remote_bytes_read,
          t.local_bytes_read,
          ROW_NUMBER() OVER (
            PARTITION BY t.stage_id, t.stage_attempt_id
            ORDER BY t.memory_bytes_spilled DESC, t.disk_bytes_spilled DESC, t.task_id
          ) AS rank
        FROM stage AS s
        JOIN task_data AS t
          ON t.rowid BETWEEN s.first_task_rowid AND s.last_task_rowid
          AND t.log_id = s.log_id
          AND t.stage_id = s.stage_id
          AND t.stage_attempt_id = s.stage_attempt_id
        WHERE s.log_id = $log_id
          AND s.spilling_tasks > 0
          AND (t.memory_bytes_spilled > 0 OR t.disk_bytes_spilled > 0)
      )
    SELECT
      r.stage_id,
      r.stage_attempt_id,
      r.task_id,
      r.task_index,
      e.text AS executor_id,
      h.text AS host,
      r.memory_bytes_spilled,
      r.disk_bytes_spilled,
      r.executor_run_time_ms,
      r.remote_bytes_read + r.local_bytes_read AS shuffle_bytes_read
    FROM ranked AS r
    LEFT JOIN log_string AS e ON e.log_id = r.log_id AND e.string_id = r.executor
    LEFT JOIN log_string AS h ON h.log_id = r.log_id AND h.string_id = r.host
    WHERE r.rank <= 3
    ORDER BY r.stage_id, r.stage_attempt_id, r.rank
  `,
});
