import { defineQuery, type Int } from "./query.ts";

export interface StreamingRunsRow {
  run_id: string;
  name: string | null;
  start_time_ms: Int | null;
  end_time_ms: Int | null;
  terminated: Int;
  exception: string | null;
}

/** One row a run of a streaming query, in order. */
export const streamingRuns = defineQuery<StreamingRunsRow>({
  name: "streaming-runs",
  about: "One row a run of a streaming query, in order.",
  columns: ["run_id", "name", "start_time_ms", "end_time_ms", "terminated", "exception"],
  sql: /* sql */ `
    SELECT
      run_id,
      name,
      start_time_ms,
      end_time_ms,
      terminated,
      exception
    FROM streaming_query
    WHERE log_id = $log_id
    ORDER BY start_time_ms, run_id
  `,
});
