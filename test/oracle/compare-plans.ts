import type { Answer, Answers } from "./answers.ts";
import type { Rows } from "./compare-log.ts";
import type { Comparer, Plain } from "./comparer.ts";

/** Holds every node, edge and metric string of the plans that ran against the History Server's. */
export function comparePlans(comparer: Comparer, rows: Rows, answers: Answers): void {
  for (const execution of answers.sql) {
    if (!Array.isArray(execution.nodes)) continue;
    const which = String(execution.id);
    const nodes = nodesOf(rows, which);
    const theirs = execution.nodes as Answer[];
    comparer.value("sql.nodes", which, nodes.length, theirs.length);
    for (const node of theirs) compareNode(comparer, rows, which, node, nodes);
    const edges = rows(
      `SELECT e.from_node_id || '>' || e.to_node_id AS edge FROM sql_execution x
       JOIN sql_plan_edge e ON e.plan_id = x.plan_id WHERE x.execution_id = ?`,
      which,
    );
    comparer.set(
      "sql.edges",
      which,
      edges.map(({ edge }) => edge ?? null),
      (execution.edges as Answer[]).map(({ fromId, toId }) => `${fromId}>${toId}`),
    );
  }
}

function nodesOf(rows: Rows, executionId: string): Record<string, Plain>[] {
  return rows(
    `SELECT n.* FROM sql_execution x JOIN sql_plan_node n ON n.plan_id = x.plan_id
     WHERE x.execution_id = ? ORDER BY n.node_id`,
    executionId,
  );
}

function compareNode(
  comparer: Comparer,
  rows: Rows,
  executionId: string,
  theirs: Answer,
  nodes: readonly Record<string, Plain>[],
): void {
  const which = `${executionId} node ${theirs.nodeId}`;
  const ours = nodes[theirs.nodeId as number];
  comparer.value("sql.nodeName", which, ours?.name ?? null, theirs.nodeName);
  comparer.value("sql.wholeStageCodegenId", which, ours?.codegen_id ?? null, theirs.wholeStageCodegenId);
  const metrics = rows(
    `SELECT TRIM(pm.name) AS name, m.text FROM sql_execution x
     JOIN sql_plan_metric pm ON pm.plan_id = x.plan_id
     JOIN sql_metric m ON m.execution_id = x.execution_id AND m.accumulator_id = pm.accumulator_id
     WHERE x.execution_id = ? AND pm.node_id = ? ORDER BY pm.position`,
    executionId,
    theirs.nodeId as number,
  );
  const list = theirs.metrics as Answer[];
  comparer.value("sql.metrics", which, metrics.length, list.length);
  for (const [at, metric] of list.entries()) {
    comparer.value("sql.metricName", `${which} ${at}`, metrics[at]?.name ?? null, metric.name);
    comparer.value("sql.metricText", `${which} ${metric.name}`, metrics[at]?.text ?? null, metric.value);
  }
}
