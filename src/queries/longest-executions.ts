import { defineQuery } from "./query.ts";
import { type SqlExecutionsRow, sqlExecutions } from "./sql-executions.ts";

/** The 10 SQL executions that took longest: a printed report lists these. */
export const longestExecutions = defineQuery<SqlExecutionsRow>({
  ...sqlExecutions,
  name: "longest-executions",
  about: "The 10 SQL executions that took longest, longest first.",
  sql: sqlExecutions.sql.replace(
    "ORDER BY execution_id",
    "ORDER BY COALESCE(MAX(0, end_time_ms - start_time_ms), 0) DESC, execution_id LIMIT 10",
  ),
});
