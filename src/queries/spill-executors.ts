import { defineQuery, type Int } from "./query.ts";

export interface SpillExecutorsRow {
  stage_id: Int;
  stage_attempt_id: Int;
  executor_id: string;
  host: string | null;
  memory_bytes_spilled: Int;
  disk_bytes_spilled: Int | null;
}

/** The three executors of each stage attempt that spilled most, largest first. */
export const spillExecutors = defineQuery<SpillExecutorsRow>({
  name: "spill-executors",
  about: "The three executors of each stage attempt that spilled most.",
  columns: [
    "stage_id",
    "stage_attempt_id",
    "executor_id",
    "host",
    "memory_bytes_spilled",
    "disk_bytes_spilled",
  ],
  sql: /* sql */ `
    WITH
      ranked AS (
        SELECT
          *,
          ROW_NUMBER() OVER (
            PARTITION BY stage_id, stage_attempt_id
            ORDER BY memory_bytes_spilled DESC, executor_id
          ) AS rank
        FROM stage_executor
        WHERE log_id = $log_id
          AND memory_bytes_spilled > 0
      )
    SELECT
      stage_id,
      stage_attempt_id,
      executor_id,
      host,
      memory_bytes_spilled,
      disk_bytes_spilled
    FROM ranked
    WHERE rank <= 3
    ORDER BY stage_id, stage_attempt_id, rank
  `,
});
