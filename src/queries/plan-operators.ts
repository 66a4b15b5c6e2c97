import { defineQuery, type Int } from "./query.ts";

export interface PlanOperatorsRow {
  execution_id: Int;
  node_id: Int;
  parent_node_id: Int | null;
  kind: string;
  name: string;
  simple_string: string;
  in_cache: Int;
}

/** One row an operator of the last plan of each execution that ran a stage with at least 1 % of all own time. */
export const planOperators = defineQuery<PlanOperatorsRow>({
  name: "plan-operators",
  about: "One row an operator of the last plan of each execution with a long stage.",
  columns: ["execution_id", "node_id", "parent_node_id", "kind", "name", "simple_string", "in_cache"],
  sql: /* sql */ `
    WITH
      big_stage AS (
        SELECT stage_id, stage_attempt_id
        FROM stage
        WHERE log_id = $log_id
          AND own_time_ms >= 0.01 * (SELECT TOTAL(own_time_ms) FROM stage WHERE log_id = $log_id)
      ),
      big_execution AS (
        SELECT DISTINCT j.execution_id
        FROM big_stage AS b
        JOIN job_stage AS js ON js.log_id = $log_id AND js.stage_id = b.stage_id
        JOIN job AS j ON j.log_id = js.log_id AND j.job_id = js.job_id
        WHERE j.execution_id IS NOT NULL
      )
    SELECT
      x.execution_id,
      n.node_id,
      n.parent_node_id,
      n.kind,
      n.name,
      n.simple_string,
      n.in_cache
    -- CROSS JOIN keeps SQLite from going through all nodes of all plans.
    FROM big_execution AS b
    CROSS JOIN sql_execution AS x ON x.log_id = $log_id AND x.execution_id = b.execution_id
    CROSS JOIN sql_plan_node AS n ON n.log_id = x.log_id AND n.plan_id = x.plan_id
    ORDER BY x.execution_id, n.node_id
  `,
});
