import { defineQuery, type Int } from "./query.ts";

export interface SessionSettingsRow {
  execution_id: Int;
  name: string;
  value: string;
}

/** One row a setting that an SQL execution ran with and that differs from the application. Absent in logs before Spark 3.3. */
export const sessionSettings = defineQuery<SessionSettingsRow>({
  name: "session-settings",
  about: "One row a session setting of an SQL execution.",
  columns: ["execution_id", "name", "value"],
  sql: /* sql */ `
    SELECT
      execution_id,
      name,
      value
    FROM sql_modified_config
    WHERE log_id = $log_id
    ORDER BY execution_id, name
  `,
});
