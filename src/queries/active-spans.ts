import { defineQuery, type Int } from "./query.ts";

export interface ActiveSpansRow {
  start_time_ms: Int;
  /** NULL: its end is not in the log. */
  end_time_ms: Int | null;
  kind: string;
}

/** One row a job or SQL execution that began, in order of its start. */
export const activeSpans = defineQuery<ActiveSpansRow>({
  name: "active-spans",
  about: "One row a job or SQL execution that began, in order of its start.",
  columns: ["start_time_ms", "end_time_ms", "kind"],
  sql: /* sql */ `
    SELECT submission_time_ms AS start_time_ms, completion_time_ms AS end_time_ms, 'job' AS kind
    FROM job
    WHERE log_id = $log_id
      AND submission_time_ms IS NOT NULL
    UNION ALL
    SELECT start_time_ms, end_time_ms, 'execution'
    FROM sql_execution
    WHERE log_id = $log_id
      AND start_time_ms IS NOT NULL
    ORDER BY start_time_ms, end_time_ms, kind
  `,
});
