import { defineQuery, type Int } from "./query.ts";

export interface CodegenStagesRow {
  execution_id: Int;
  node_id: Int;
  codegen_id: Int;
  stage_id: Int;
  stage_attempt_id: Int;
}

/**
 * One row a WholeStageCodegen cluster of the plan that ran and stage that holds an RDD made by it: a second way from
 * plan to stage, for logs whose tasks report no SQL metrics. Subqueries number their clusters anew and stay out.
 */
export const codegenStages = defineQuery<CodegenStagesRow>({
  name: "codegen-stages",
  about: "One row a WholeStageCodegen cluster and stage attempt that ran it, by the scope of its RDDs.",
  columns: ["execution_id", "node_id", "codegen_id", "stage_id", "stage_attempt_id"],
  sql: /* sql */ `
    SELECT DISTINCT
      x.execution_id,
      n.node_id,
      n.codegen_id,
      sr.stage_id,
      sr.stage_attempt_id
    FROM sql_execution AS x
    JOIN job AS j ON j.log_id = x.log_id AND j.execution_id = x.execution_id
    JOIN job_stage AS js ON js.log_id = j.log_id AND js.job_id = j.job_id
    JOIN stage_rdd AS sr ON sr.log_id = js.log_id AND sr.stage_id = js.stage_id
    JOIN rdd AS r ON r.log_id = sr.log_id AND r.rdd_id = sr.rdd_id
    -- CROSS JOIN keeps SQLite from going through the nodes of all plans for each RDD.
    CROSS JOIN sql_plan_node AS n ON n.log_id = x.log_id AND n.plan_id = x.plan_id AND n.name = r.scope
    WHERE x.log_id = $log_id
      AND n.kind = 'WholeStageCodegen'
      AND n.codegen_id IS NOT NULL
      AND n.in_subquery = 0
      AND n.in_reused = 0
    ORDER BY x.execution_id, n.node_id, sr.stage_id, sr.stage_attempt_id
  `,
});
