import { defineQuery, type Int } from "./query.ts";

export interface PlanVersionsRow {
  execution_id: Int;
  version: Int;
  plan_id: Int;
  /** isFinalPlan=true. */
  is_final: Int;
  description: string | null;
}

/** One row a version of an execution's plan, in order; the last one ran. Equal plans share a plan_id. */
export const planVersions = defineQuery<PlanVersionsRow>({
  name: "plan-versions",
  about: "One row a version of an execution's plan, in order; the last one ran.",
  columns: ["execution_id", "version", "plan_id", "is_final", "description"],
  sql: /* sql */ `
    SELECT
      v.execution_id,
      v.version,
      v.plan_id,
      v.is_final,
      x.description
    FROM sql_plan_version AS v
    LEFT JOIN sql_execution AS x ON x.log_id = v.log_id AND x.execution_id = v.execution_id
    WHERE v.log_id = $log_id
    ORDER BY v.execution_id, v.version
  `,
});
