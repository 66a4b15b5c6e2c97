import { defineQuery, type Int } from "./query.ts";

export interface ExecutionFactsRow {
  execution_id: Int;
  root_execution_id: Int;
  description: string | null;
  start_time_ms: Int | null;
  end_time_ms: Int | null;
  error_message: string | null;
  status: string;
  engine: string;
  final_plan: Int | null;
}

/** One row an SQL execution, by id. */
export const executionFacts = defineQuery<ExecutionFactsRow>({
  name: "execution-facts",
  about: "One row an SQL execution, by id.",
  columns: [
    "execution_id",
    "root_execution_id",
    "description",
    "start_time_ms",
    "end_time_ms",
    "error_message",
    "status",
    "engine",
    "final_plan",
  ],
  sql: /* sql */ `
    SELECT
      execution_id,
      root_execution_id,
      description,
      start_time_ms,
      end_time_ms,
      error_message,
      status,
      engine,
      final_plan
    FROM sql_execution
    WHERE log_id = $log_id
    ORDER BY execution_id
  `,
});
