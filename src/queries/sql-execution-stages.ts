import { defineQuery, type Int } from "./query.ts";

export interface SqlExecutionStagesRow {
  execution_id: Int;
  stage_id: Int;
}

/** One row a stage that a job of the SQL execution lists, skipped ones too. */
export const sqlExecutionStages = defineQuery<SqlExecutionStagesRow>({
  name: "sql-execution-stages",
  about: "One row an SQL execution and stage that a job of it lists, skipped ones too.",
  columns: ["execution_id", "stage_id"],
  sql: /* sql */ `
    SELECT DISTINCT
      j.execution_id,
      s.stage_id
    FROM job AS j
    JOIN job_stage AS s ON s.log_id = j.log_id AND s.job_id = j.job_id
    WHERE j.log_id = $log_id
      AND j.execution_id IS NOT NULL
    ORDER BY j.execution_id, s.stage_id
  `,
});
