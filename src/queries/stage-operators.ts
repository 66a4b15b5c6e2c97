import { defineQuery, type Int } from "./query.ts";

export interface StageOperatorsRow {
  stage_id: Int;
  stage_attempt_id: Int;
  execution_id: Int;
  node_id: Int;
  kind: string;
  simple_string: string;
  metric: string;
  metric_type: string;
  tasks: Int;
  total: Int | null;
  max: Int | null;
  max_task_id: Int | null;
}

/** One row a stage attempt with at least 1 % of all own time, operator and SQL metric: which operator worked, and how much, in which stage. */
export const stageOperators = defineQuery<StageOperatorsRow>({
  name: "stage-operators",
  about: "One row a long stage, operator and SQL metric.",
  columns: [
    "stage_id",
    "stage_attempt_id",
    "execution_id",
    "node_id",
    "kind",
    "simple_string",
    "metric",
    "metric_type",
    "tasks",
    "total",
    "max",
    "max_task_id",
  ],
  sql: /* sql */ `
    WITH
      big_stage AS (
        SELECT stage_id, stage_attempt_id
        FROM stage
        WHERE log_id = $log_id
          AND own_time_ms >= 0.01 * (SELECT TOTAL(own_time_ms) FROM stage WHERE log_id = $log_id)
      ),
      stage_execution AS MATERIALIZED (
        SELECT DISTINCT b.stage_id, b.stage_attempt_id, j.execution_id
        FROM big_stage AS b
        JOIN job_stage AS js ON js.log_id = $log_id AND js.stage_id = b.stage_id
        JOIN job AS j ON j.log_id = js.log_id AND j.job_id = js.job_id
      ),
      -- Materialized, so that SQLite can index it by accumulator: a plan declares thousands of metrics.
      declared AS MATERIALIZED (
        SELECT e.execution_id, pm.plan_id, pm.node_id, pm.accumulator_id, pm.name, pm.metric_type
        FROM (SELECT DISTINCT execution_id FROM stage_execution) AS e
        JOIN sql_execution AS x ON x.log_id = $log_id AND x.execution_id = e.execution_id
        JOIN sql_plan_metric AS pm ON pm.log_id = x.log_id AND pm.plan_id = x.plan_id
      )
    SELECT
      m.stage_id,
      m.stage_attempt_id,
      e.execution_id,
      n.node_id,
      n.kind,
      n.simple_string,
      d.name AS metric,
      d.metric_type,
      m.tasks,
      m.total,
      m.max,
      m.max_task_id
    FROM stage_execution AS e
    JOIN stage_sql_metric AS m
      ON m.log_id = $log_id
      AND m.stage_id = e.stage_id
      AND m.stage_attempt_id = e.stage_attempt_id
    JOIN declared AS d ON d.accumulator_id = m.accumulator_id AND d.execution_id = e.execution_id
    JOIN sql_plan_node AS n ON n.log_id = m.log_id AND n.plan_id = d.plan_id AND n.node_id = d.node_id
    GROUP BY m.stage_id, m.stage_attempt_id, e.execution_id, n.node_id, m.accumulator_id
    ORDER BY m.stage_id, m.stage_attempt_id, n.node_id, d.name
  `,
});
