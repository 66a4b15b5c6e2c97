import { defineQuery, type Int } from "./query.ts";

export interface OperatorsRow {
  execution_id: Int;
  node_id: Int;
  codegen_id: Int | null;
  kind: string;
  name: string;
  metric: string;
  metric_type: string;
  total: Int | null;
  min: Int | null;
  median: Int | null;
  max: Int | null;
  max_stage_id: Int | null;
  max_stage_attempt_id: Int | null;
  max_task_id: Int | null;
  /** As the History Server prints it. */
  text: string;
}

/** One row an operator of the plan that ran and metric that has a value, as Spark's SQL page lists them. */
export const operators = defineQuery<OperatorsRow>({
  name: "operators",
  about: "One row an operator of the plans that ran and metric with a value.",
  columns: [
    "execution_id",
    "node_id",
    "codegen_id",
    "kind",
    "name",
    "metric",
    "metric_type",
    "total",
    "min",
    "median",
    "max",
    "max_stage_id",
    "max_stage_attempt_id",
    "max_task_id",
    "text",
  ],
  sql: /* sql */ `
    SELECT
      x.execution_id,
      n.node_id,
      n.codegen_id,
      n.kind,
      n.name,
      pm.name AS metric,
      m.metric_type,
      m.total,
      m.min,
      m.median,
      m.max,
      m.max_stage_id,
      m.max_stage_attempt_id,
      m.max_task_id,
      m.text
    FROM sql_execution AS x
    JOIN sql_plan_node AS n ON n.log_id = x.log_id AND n.plan_id = x.plan_id
    JOIN sql_plan_metric AS pm ON pm.log_id = n.log_id AND pm.plan_id = n.plan_id AND pm.node_id = n.node_id
    JOIN sql_metric AS m
      ON m.log_id = x.log_id
      AND m.execution_id = x.execution_id
      AND m.accumulator_id = pm.accumulator_id
    WHERE x.log_id = $log_id
    ORDER BY x.execution_id, n.node_id, pm.position
  `,
});
