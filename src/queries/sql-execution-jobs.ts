import { defineQuery, type Int } from "./query.ts";

export interface SqlExecutionJobsRow {
  execution_id: Int;
  job_id: Int;
}

/** One row a job that an SQL execution started. */
export const sqlExecutionJobs = defineQuery<SqlExecutionJobsRow>({
  name: "sql-execution-jobs",
  about: "One row an SQL execution and job of it.",
  columns: ["execution_id", "job_id"],
  sql: /* sql */ `
    SELECT
      execution_id,
      job_id
    FROM job
    WHERE log_id = $log_id
      AND execution_id IS NOT NULL
    ORDER BY execution_id, job_id
  `,
});
