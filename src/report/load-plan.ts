import { UserError } from "../errors.ts";
import { planGraph } from "../plan/plan-graph.ts";
import { readPlan } from "../plan/plan-tree.ts";
import type { PlanView } from "../plan/plan-view.ts";
import { planVersions } from "../queries/plan-versions.ts";
import { defineQuery, type Int, type RunQuery } from "../queries/query.ts";

/**
 * One version of an execution's plan with its metric values; by default the plan that ran.
 * @throws UserError where the log has no such execution or version
 */
export function loadPlan(run: RunQuery, executionId: number, version?: number): PlanView {
  const rows = run(planVersions);
  const versions = rows.filter((row) => Number(row.execution_id) === executionId);
  if (versions.length === 0) throw new UserError(`no plan of SQL execution ${executionId}`, known(rows));
  const wanted = versions[version ?? versions.length - 1];
  if (!wanted) {
    throw new UserError(
      `SQL execution ${executionId} has no plan version ${version}`,
      `It has versions 0 to ${versions.length - 1}; the last one ran.`,
    );
  }
  const [text] = run(planText(Number(wanted.plan_id)));
  const root = text && readPlan(JSON.parse(text.tree_json));
  if (!root) throw new Error(`the database holds no plan ${wanted.plan_id}`);
  return {
    executionId,
    version: Number(wanted.version),
    versions: versions.length,
    description: wanted.description,
    graph: planGraph(root),
    values: new Map(run(metricTexts(executionId)).map((row) => [Number(row.accumulator_id), row.text])),
  };
}

function known(rows: readonly { execution_id: Int }[]): string {
  const ids = [...new Set(rows.map((row) => Number(row.execution_id)))];
  if (ids.length === 0) return "The log holds no SQL plan.";
  return `The log has plans of ${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ` and ${ids.length - 10} more` : ""}.`;
}

/** The ids are safe integers: one plan is read, not all of them. */
function planText(planId: number) {
  return defineQuery<{ tree_json: string }>({
    name: "plan-text",
    about: "sparkPlanInfo of one plan.",
    columns: ["tree_json"],
    sql: `SELECT tree_json FROM sql_plan WHERE log_id = $log_id AND plan_id = ${Math.trunc(planId)}`,
  });
}

function metricTexts(executionId: number) {
  return defineQuery<{ accumulator_id: Int; text: string }>({
    name: "metric-texts",
    about: "Metric values of one execution.",
    columns: ["accumulator_id", "text"],
    sql: `SELECT accumulator_id, text FROM sql_metric WHERE log_id = $log_id AND execution_id = ${Math.trunc(executionId)}`,
  });
}
