import { codegenId, type GraphEdge, type GraphNode } from "./plan-graph.ts";
import { metricLines, type PlanView } from "./plan-view.ts";

/** Deeper branches are not indented further: a plan may be thousands deep. */
const MAX_INDENT = 40;

interface Item {
  edge: GraphEdge | null;
  node: GraphNode;
  indent: number;
  /** Starts a branch: one of several inputs. */
  isBranch: boolean;
}

/**
 * A plan as an indented tree, one line an operator, metrics below it. A single input stays at its reader's indent; only
 * branches go in. `*(n)` marks the codegen stage; an exchange that is read again is named, not repeated. Lines may hold
 * any text of the log.
 */
export function renderTree(view: PlanView): string[] {
  const lines = [headline(view)];
  const { nodes } = view.graph;
  const below = edgesBelow(view);
  const seenClusters = new Set<number>();
  const todo: Item[] = nodes.filter(isRoot).map((node) => ({ edge: null, node, indent: 0, isBranch: false }));
  for (let item = todo.pop(); item; item = todo.pop()) {
    lines.push(...itemLines(view, item, seenClusters));
    const children = item.edge?.again ? [] : (below.get(item.node.id) ?? []);
    const isBranch = children.length > 1;
    const indent = isBranch ? item.indent + 1 : item.indent;
    for (const edge of children.toReversed()) {
      const node = nodes[edge.from];
      if (node) todo.push({ edge, node, indent, isBranch });
    }
  }
  return lines;
}

function edgesBelow({ graph }: PlanView): Map<number, GraphEdge[]> {
  const below = new Map<number, GraphEdge[]>();
  for (const edge of graph.edges) {
    const list = below.get(edge.to);
    if (list) list.push(edge);
    else below.set(edge.to, [edge]);
  }
  return below;
}

function itemLines(view: PlanView, { edge, node, indent, isBranch }: Item, seen: Set<number>): string[] {
  const margin = "   ".repeat(Math.min(indent, MAX_INDENT));
  const head = isBranch ? `${margin.slice(3)}+- ` : margin;
  if (edge?.again) return [`${head}${node.name} of node ${node.id}, read again (${edge.again})`];
  return [`${head}${label(view, node)}`, ...metricTexts(view, node, margin, seen)];
}

function isRoot(node: GraphNode): boolean {
  return node.parent === null && !node.isCluster;
}

function headline({ executionId, version, versions, description }: PlanView): string {
  const which = version === versions - 1 ? "the plan that ran" : "replaced later";
  return `SQL execution ${executionId}, plan version ${version} of 0-${versions - 1} (${which})${description === null ? "" : `: ${description}`}`;
}

function label({ graph }: PlanView, node: GraphNode): string {
  const codegen = codegenId(graph.nodes[node.cluster ?? -1]?.name ?? "");
  const marks = node.inCache ? " [cached plan]" : "";
  return `${codegen === null ? "" : `*(${codegen}) `}${node.simpleString || node.name} (${node.id})${marks}`;
}

/** The metrics of a codegen cluster stand with its first operator. */
function metricTexts(view: PlanView, node: GraphNode, margin: string, seen: Set<number>): string[] {
  const cluster = view.graph.nodes[node.cluster ?? -1];
  const own = metricLines(view, node.id);
  const ofCluster = cluster && !seen.has(cluster.id) ? metricLines(view, cluster.id) : [];
  if (cluster) seen.add(cluster.id);
  return [
    ...ofCluster.map(([name, text]) => `${margin}     ${cluster?.name} ${name}: ${oneLine(text)}`),
    ...own.map(([name, text]) => `${margin}     ${name}: ${oneLine(text)}`),
  ];
}

function oneLine(text: string): string {
  return text.replace(/^.*\n/, "");
}
