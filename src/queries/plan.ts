import { defineQuery, type Int } from "./query.ts";

export interface PlanRow {
  execution_id: Int;
  plan_id: Int;
  node_id: Int;
  parent_node_id: Int | null;
  cluster_node_id: Int | null;
  codegen_id: Int | null;
  kind: string;
  name: string;
  simple_string: string;
  in_cache: Int;
  in_subquery: Int;
  in_reused: Int;
}

/** One row a node of the plan that ran, as Spark's SQL page numbers them. */
export const plan = defineQuery<PlanRow>({
  name: "plan",
  about: "One row a node of the plans that ran.",
  columns: [
    "execution_id",
    "plan_id",
    "node_id",
    "parent_node_id",
    "cluster_node_id",
    "codegen_id",
    "kind",
    "name",
    "simple_string",
    "in_cache",
    "in_subquery",
    "in_reused",
  ],
  sql: /* sql */ `
    SELECT
      x.execution_id,
      x.plan_id,
      n.node_id,
      n.parent_node_id,
      n.cluster_node_id,
      n.codegen_id,
      n.kind,
      n.name,
      n.simple_string,
      n.in_cache,
      n.in_subquery,
      n.in_reused
    FROM sql_execution AS x
    JOIN sql_plan_node AS n ON n.log_id = x.log_id AND n.plan_id = x.plan_id
    WHERE x.log_id = $log_id
    ORDER BY x.execution_id, n.node_id
  `,
});
