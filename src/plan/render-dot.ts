import type { GraphNode } from "./plan-graph.ts";
import { metricLines, type PlanView } from "./plan-view.ts";

/** A plan as a Graphviz graph: codegen clusters as boxes, edges from child to parent, dashed where read again. */
export function renderDot(view: PlanView): string {
  const { nodes, edges } = view.graph;
  const members = new Map<number | null, GraphNode[]>();
  for (const node of nodes.filter(({ isCluster }) => !isCluster)) {
    members.set(node.cluster, members.get(node.cluster) ?? []);
    members.get(node.cluster)?.push(node);
  }
  const lines = ["digraph plan {", "  rankdir=BT;", '  node [shape=box, fontname="Helvetica"];'];
  for (const node of members.get(null) ?? []) lines.push(`  ${dotNode(view, node)}`);
  for (const cluster of nodes.filter(({ isCluster }) => isCluster)) {
    lines.push(`  subgraph cluster_${cluster.id} {`, `    label=${labelOf(view, cluster)};`);
    for (const node of members.get(cluster.id) ?? []) lines.push(`    ${dotNode(view, node)}`);
    lines.push("  }");
  }
  for (const { from, to, again } of edges) {
    lines.push(`  n${from} -> n${to}${again === null ? "" : ` [style=dashed, label=${quote(again)}]`};`);
  }
  return `${[...lines, "}"].join("\n")}\n`;
}

function dotNode(view: PlanView, node: GraphNode): string {
  return `n${node.id} [label=${labelOf(view, node)}, tooltip=${quote(node.simpleString)}];`;
}

function labelOf(view: PlanView, node: GraphNode): string {
  const metrics = metricLines(view, node.id).map(([name, text]) => `${name}: ${text}`);
  return quote([`${node.name} (${node.id})`, ...metrics].join("\n"));
}

/** A DOT string: quotes and backslashes escaped, line ends as \n, other control characters left out. */
function quote(text: string): string {
  const escaped = text.replace(/[\\"]/g, "\\$&").replace(/\r?\n/g, "\\n");
  return `"${escaped.replace(/\p{Cc}/gu, "")}"`;
}
