import { defineQuery, type Int } from "./query.ts";

export interface ApplicationCountsRow {
  jobs: Int;
  /** Distinct stages that ran. */
  stages: Int;
  stage_attempts: Int;
  skipped_stages: Int;
  /** Task ends over all stages. */
  failed_tasks: number;
  killed_tasks: number;
  speculative_tasks: number;
  sql_executions: Int;
}

/** One row: how many jobs, stages, bad task ends and SQL executions the log holds. */
export const applicationCounts = defineQuery<ApplicationCountsRow>({
  name: "application-counts",
  about: "One row: how many jobs, stages, bad task ends and SQL executions.",
  columns: [
    "jobs",
    "stages",
    "stage_attempts",
    "skipped_stages",
    "failed_tasks",
    "killed_tasks",
    "speculative_tasks",
    "sql_executions",
  ],
  sql: /* sql */ `
    SELECT
      (SELECT COUNT(*) FROM job AS j WHERE j.log_id = log.log_id) AS jobs,
      COUNT(DISTINCT CASE WHEN s.status NOT IN ('skipped', 'pending') THEN s.stage_id END) AS stages,
      COUNT(CASE WHEN s.status NOT IN ('skipped', 'pending') THEN 1 END) AS stage_attempts,
      COUNT(CASE WHEN s.status = 'skipped' THEN 1 END) AS skipped_stages,
      TOTAL(s.failed) AS failed_tasks,
      TOTAL(s.killed) AS killed_tasks,
      TOTAL(s.speculative) AS speculative_tasks,
      (SELECT COUNT(*) FROM sql_execution AS x WHERE x.log_id = log.log_id) AS sql_executions
    FROM log
    LEFT JOIN stage AS s ON s.log_id = log.log_id
    WHERE log.log_id = $log_id
    GROUP BY log.log_id
    ORDER BY log.log_id
  `,
});
