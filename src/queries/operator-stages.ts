import { defineQuery, type Int } from "./query.ts";

export interface OperatorStagesRow {
  execution_id: Int;
  node_id: Int;
  kind: string;
  name: string;
  codegen_id: Int | null;
  stage_id: Int;
  stage_attempt_id: Int;
  /** Jobs of the execution that list the stage. */
  job_ids: string;
}

/**
 * One row an operator and stage attempt that ran it, told by the operator's metrics in the stage's tasks. An exchange
 * has the stage that writes it and the one that reads it. Both ways: filter by node or by stage.
 */
export const operatorStages = defineQuery<OperatorStagesRow>({
  name: "operator-stages",
  about: "One row an operator of the plans that ran and stage attempt that ran it.",
  columns: [
    "execution_id",
    "node_id",
    "kind",
    "name",
    "codegen_id",
    "stage_id",
    "stage_attempt_id",
    "job_ids",
  ],
  sql: /* sql */ `
    SELECT
      x.execution_id,
      n.node_id,
      n.kind,
      n.name,
      n.codegen_id,
      s.stage_id,
      s.stage_attempt_id,
      GROUP_CONCAT(DISTINCT j.job_id) AS job_ids
    FROM sql_execution AS x
    JOIN sql_plan_node AS n ON n.log_id = x.log_id AND n.plan_id = x.plan_id
    JOIN sql_plan_metric AS pm ON pm.log_id = n.log_id AND pm.plan_id = n.plan_id AND pm.node_id = n.node_id
    JOIN stage_sql_metric AS s ON s.log_id = pm.log_id AND s.accumulator_id = pm.accumulator_id
    JOIN job_stage AS js ON js.log_id = s.log_id AND js.stage_id = s.stage_id
    JOIN job AS j ON j.log_id = js.log_id AND j.job_id = js.job_id AND j.execution_id = x.execution_id
    WHERE x.log_id = $log_id
    GROUP BY x.execution_id, n.node_id, s.stage_id, s.stage_attempt_id
    ORDER BY x.execution_id, n.node_id, s.stage_id, s.stage_attempt_id
  `,
});
