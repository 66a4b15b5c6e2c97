import { defineQuery, type Int } from "./query.ts";

export interface IdleGapsRow {
  start_time_ms: Int;
  end_time_ms: Int;
}

/** One row a stretch of a second or more without a working task, in order. */
export const idleGaps = defineQuery<IdleGapsRow>({
  name: "idle-gaps",
  about: "One row a stretch of a second or more without a working task, in order.",
  columns: ["start_time_ms", "end_time_ms"],
  sql: /* sql */ `
    SELECT
      start_time_ms,
      end_time_ms
    FROM idle_gap
    WHERE log_id = $log_id
    ORDER BY start_time_ms
  `,
});
