import { defineQuery } from "./query.ts";

export interface SessionSettingNamesRow {
  name: string;
}

/** One row a setting that some SQL execution changed for its session. */
export const sessionSettingNames = defineQuery<SessionSettingNamesRow>({
  name: "session-setting-names",
  about: "One row a setting that some SQL execution changed for its session.",
  columns: ["name"],
  sql: /* sql */ `
    SELECT DISTINCT name
    FROM sql_modified_config
    WHERE log_id = $log_id
    ORDER BY name
  `,
});
