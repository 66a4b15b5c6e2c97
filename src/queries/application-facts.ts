import { defineQuery, type Int } from "./query.ts";

export interface ApplicationFactsRow {
  application_id: string | null;
  attempt_id: string | null;
  name: string | null;
  spark_version: string | null;
  master: string | null;
  deploy_mode: string | null;
  start_time_ms: Int | null;
  end_time_ms: Int | null;
  exit_code: Int | null;
  engine: string | null;
  vendor: string | null;
  layout: string;
  task_ends: Int;
  first_time_ms: Int | null;
  last_time_ms: Int | null;
  slice: string | null;
}

/** One row: the application and the limits of its log. */
export const applicationFacts = defineQuery<ApplicationFactsRow>({
  name: "application-facts",
  about: "One row: the application and the limits of its log.",
  columns: [
    "application_id",
    "attempt_id",
    "name",
    "spark_version",
    "master",
    "deploy_mode",
    "start_time_ms",
    "end_time_ms",
    "exit_code",
    "engine",
    "vendor",
    "layout",
    "task_ends",
    "first_time_ms",
    "last_time_ms",
    "slice",
  ],
  sql: /* sql */ `
    SELECT
      a.application_id,
      a.attempt_id,
      a.name,
      a.spark_version,
      a.master,
      a.deploy_mode,
      a.start_time_ms,
      a.end_time_ms,
      a.exit_code,
      a.engine,
      a.vendor,
      l.layout,
      l.task_ends,
      l.first_time_ms,
      l.last_time_ms,
      l.slice
    FROM application AS a
    JOIN log AS l ON l.log_id = a.log_id
    WHERE a.log_id = $log_id
  `,
});
