import { type Engine, type NodeKind, nodeKind } from "./node-kind.ts";
import { type PlanMetric, type PlanNode, preOrder, shapes } from "./plan-tree.ts";

/** A node or WholeStageCodegen cluster of the graph that Spark's SQL page draws. */
export interface GraphNode {
  id: number;
  /** nodeName, trimmed. */
  name: string;
  kind: string;
  engine: Engine;
  simpleString: string;
  metadata: Record<string, string> | null;
  metrics: PlanMetric[];
  /** The node it feeds first; null at the root and for clusters. */
  parent: number | null;
  /** The cluster it is drawn in. */
  cluster: number | null;
  isCluster: boolean;
  /** Below InMemoryTableScan: filled the cache, perhaps in another execution. */
  inCache: boolean;
  inSubquery: boolean;
  /** Below a ReusedExchange or ReusedSubquery that is drawn, because its original is drawn elsewhere or nowhere. */
  inReused: boolean;
  /** Structural number of its subtree; equal numbers are equal subtrees. */
  shape: number;
}

export interface GraphEdge {
  from: number;
  to: number;
  /** Why an existing node is read again, or null for the ordinary edge of a node to the one above it. */
  again: "ReusedExchange" | "Subquery" | "QueryStage" | null;
  inCache: boolean;
  inReused: boolean;
}

export interface PlanGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

interface Frame {
  node: PlanNode;
  parent: GraphNode | null;
  cluster: GraphNode | null;
  inCache: boolean;
  inSubquery: boolean;
  inReused: boolean;
}

const SUBQUERIES = new Set([
  "Subquery",
  "SubqueryBroadcast",
  "SubqueryAdaptiveBroadcast",
  "CometSubqueryBroadcast",
]);

/**
 * Draws a plan by the rules of Spark's SQL page: same nodes, ids and edges. Codegen clusters take an id of their own;
 * InputAdapter and query stages are not drawn; exchanges and subqueries that were drawn before get an edge only.
 */
export function planGraph(root: PlanNode): PlanGraph {
  return new GraphBuilder(root).build();
}

class GraphBuilder {
  readonly #nodes: GraphNode[] = [];
  readonly #edges: GraphEdge[] = [];
  readonly #known = new Map<number, GraphNode>();
  /** Nodes drawn below a ReusedExchange, and the place of their original. */
  readonly #originals = new Map<GraphNode, Frame>();
  readonly #shapes: Map<PlanNode, number>;
  readonly #kinds = new Map<string, NodeKind>();
  readonly #todo: Frame[];

  constructor(root: PlanNode) {
    this.#shapes = shapes(preOrder(root));
    this.#todo = [
      { node: root, parent: null, cluster: null, inCache: false, inSubquery: false, inReused: false },
    ];
  }

  build(): PlanGraph {
    for (let frame = this.#todo.pop(); frame; frame = this.#todo.pop()) this.#visit(frame);
    for (const [node, frame] of this.#originals) this.#moveToOriginal(node, frame);
    return { nodes: this.#nodes, edges: this.#edges };
  }

  /**
   * Spark draws an exchange where it first meets it, which may be below a ReusedExchange; where the original comes
   * later, only an edge is drawn. The nodes belong to the original nonetheless.
   */
  #moveToOriginal(top: GraphNode, { inCache, inSubquery }: Frame): void {
    const moved = new Set<number>();
    for (const node of this.#nodes) {
      if (node !== top && !moved.has(node.parent ?? -1)) continue;
      Object.assign(node, { inCache, inSubquery, inReused: false });
      if (node.name !== "ReusedExchange") moved.add(node.id);
    }
  }

  #visit(frame: Frame): void {
    const { node } = frame;
    if (node.nodeName.startsWith("WholeStageCodegen")) {
      this.#push(frame, this.#draw({ ...frame, parent: null, cluster: null }, true));
      return;
    }
    switch (node.nodeName) {
      case "InputAdapter":
      case "TableCacheQueryStage":
      case "ResultQueryStage":
        this.#push(frame, null);
        return;
      case "BroadcastQueryStage":
      case "ShuffleQueryStage":
        if (!this.#linkKnown(frame, node.children[0], "QueryStage")) this.#push(frame, null);
        return;
      case "Subquery":
        if (!this.#linkKnown(frame, node, "Subquery")) this.#drawWithChildren({ ...frame, cluster: null });
        return;
      case "ReusedSubquery":
        // A Subquery below is drawn here if it comes before its original; any other kind is drawn twice by Spark.
        frame.inReused ||= node.children[0]?.nodeName !== "Subquery";
        this.#push(frame, frame.cluster);
        return;
      case "ReusedExchange":
        if (!this.#linkKnown(frame, node.children[0], "ReusedExchange")) this.#drawWithChildren(frame);
        return;
      default:
        this.#drawWithChildren(frame);
    }
  }

  /** Adds an edge from the node drawn before for an equal subtree; false if there is none. */
  #linkKnown(frame: Frame, original: PlanNode | undefined, again: NonNullable<GraphEdge["again"]>): boolean {
    const known = original && this.#known.get(this.#shapes.get(original) ?? -1);
    if (!known) return false;
    const { inCache, inReused } = frame;
    if (again === "QueryStage" && known.inReused && !inReused) this.#originals.set(known, frame);
    if (frame.parent) this.#edges.push({ from: known.id, to: frame.parent.id, again, inCache, inReused });
    return true;
  }

  #drawWithChildren(frame: Frame): void {
    const drawn = this.#draw(frame, false);
    const { nodeName: name } = frame.node;
    if (name.includes("Exchange") || name === "Subquery") this.#known.set(drawn.shape, drawn);
    frame.parent = drawn;
    frame.inCache ||= drawn.kind === "InMemoryTableScan";
    frame.inSubquery ||= SUBQUERIES.has(name);
    frame.inReused ||= name === "ReusedExchange";
    this.#push(frame, frame.cluster);
  }

  #draw(frame: Frame, isCluster: boolean): GraphNode {
    const { node, parent, cluster, inCache, inSubquery, inReused } = frame;
    const { kind, engine } = this.#kindOf(node.nodeName);
    const drawn: GraphNode = {
      id: this.#nodes.length,
      name: node.nodeName.trim(),
      kind,
      engine,
      simpleString: node.simpleString,
      metadata: node.metadata,
      metrics: node.metrics,
      parent: parent?.id ?? null,
      cluster: cluster?.id ?? null,
      isCluster,
      inCache,
      inSubquery,
      inReused,
      shape: this.#shapes.get(node) ?? -1,
    };
    this.#nodes.push(drawn);
    if (parent) this.#edges.push({ from: drawn.id, to: parent.id, again: null, inCache, inReused });
    return drawn;
  }

  /** Puts the children next in line, in their order. */
  #push({ node, parent, inCache, inSubquery, inReused }: Frame, cluster: GraphNode | null): void {
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at];
      if (child) this.#todo.push({ node: child, parent, cluster, inCache, inSubquery, inReused });
    }
  }

  #kindOf(name: string): NodeKind {
    const known = this.#kinds.get(name);
    if (known) return known;
    const kind = nodeKind(name);
    this.#kinds.set(name, kind);
    return kind;
  }
}

/** n of "WholeStageCodegen (n)"; null for other names and for Spark 2, which prints no number. */
export function codegenId(name: string): number | null {
  const digits = /^WholeStageCodegen\w*\s*\((\d{1,9})\)$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}
