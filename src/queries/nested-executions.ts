import { defineQuery, type Int } from "./query.ts";

export interface NestedExecutionsRow {
  root_execution_id: Int;
  execution_id: Int;
}

/** One row an SQL execution that ran as part of another one, by the outermost. */
export const nestedExecutions = defineQuery<NestedExecutionsRow>({
  name: "nested-executions",
  about: "One row an SQL execution that ran as part of another one, by the outermost.",
  columns: ["root_execution_id", "execution_id"],
  sql: /* sql */ `
    SELECT root_execution_id, execution_id
    FROM sql_execution
    WHERE log_id = $log_id
      AND root_execution_id <> execution_id
    ORDER BY root_execution_id, execution_id
  `,
});
