import { codegenId, type GraphNode } from "./plan-graph.ts";
import type { PlanView } from "./plan-view.ts";

/** A plan as plain data: nodes and edges as Spark's REST API names them, with ids, places and metric values. */
export function planJson(view: PlanView): object {
  const { nodes, edges } = view.graph;
  return {
    executionId: view.executionId,
    version: view.version,
    versions: view.versions,
    description: view.description,
    nodes: nodes.map((node) => nodeJson(view, node)),
    edges: edges.map(({ from, to, again }) => ({ fromId: from, toId: to, readAgain: again })),
  };
}

function nodeJson({ graph, values }: PlanView, node: GraphNode): object {
  const cluster = node.isCluster ? node : graph.nodes[node.cluster ?? -1];
  return {
    nodeId: node.id,
    nodeName: node.name,
    kind: node.kind,
    engine: node.engine,
    wholeStageCodegenId: codegenId(cluster?.name ?? ""),
    clusterNodeId: node.cluster,
    inCache: node.inCache,
    inSubquery: node.inSubquery,
    inReused: node.inReused,
    simpleString: node.simpleString,
    metadata: node.metadata,
    metrics: node.metrics.map(({ name, accumulatorId, metricType }) => ({
      name,
      accumulatorId,
      metricType,
      value: values.get(accumulatorId)?.trim() ?? null,
    })),
  };
}
