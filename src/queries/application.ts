import { defineQuery, type Int } from "./query.ts";

export interface ApplicationSummaryRow {
  application_id: string | null;
  attempt_id: string | null;
  name: string | null;
  spark_version: string | null;
  user: string | null;
  master: string | null;
  deploy_mode: string | null;
  start_time_ms: Int | null;
  end_time_ms: Int | null;
  starts: Int;
  engine: string | null;
  vendor: string | null;
}

/** One row: the application. */
export const applicationSummary = defineQuery<ApplicationSummaryRow>({
  name: "application",
  about: "One row: the application.",
  columns: [
    "application_id",
    "attempt_id",
    "name",
    "spark_version",
    "user",
    "master",
    "deploy_mode",
    "start_time_ms",
    "end_time_ms",
    "starts",
    "engine",
    "vendor",
  ],
  sql: /* sql */ `
    SELECT application_id, attempt_id, name, spark_version, user, master, deploy_mode, start_time_ms,
      end_time_ms, starts, engine, vendor
    FROM application
    WHERE log_id = $log_id
    ORDER BY log_id
  `,
});
