import { defineQuery, type Int } from "./query.ts";

export interface ResultFetchesRow {
  stage_id: Int;
  stage_attempt_id: Int;
  first_fetch_ms: Int;
  last_fetch_ms: Int;
}

/** One row a stage attempt whose task results the driver had to fetch, with the first and the last moment of it. Small results travel with the message and are never fetched. */
export const resultFetches = defineQuery<ResultFetchesRow>({
  name: "result-fetches",
  about: "One row a stage attempt whose task results the driver fetched, in order.",
  columns: ["stage_id", "stage_attempt_id", "first_fetch_ms", "last_fetch_ms"],
  sql: /* sql */ `
    SELECT
      t.stage_id,
      t.stage_attempt_id,
      MIN(t.getting_result_time_ms) AS first_fetch_ms,
      MAX(t.finish_time_ms) AS last_fetch_ms
    FROM stage AS s
    JOIN task_data AS t
      ON t.rowid BETWEEN s.first_task_rowid AND s.last_task_rowid
      AND t.stage_id = s.stage_id
      AND t.stage_attempt_id = s.stage_attempt_id
    WHERE s.log_id = $log_id
      AND s.result_size_bytes >= 1048576
      AND t.log_id = $log_id
      AND t.getting_result_time_ms > 0
    GROUP BY t.stage_id, t.stage_attempt_id
    ORDER BY first_fetch_ms, t.stage_id, t.stage_attempt_id
  `,
});
