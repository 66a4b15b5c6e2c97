import { isObject } from "../json.ts";
/**
 * sparkPlanInfo as a typed tree. Every walk here and above is a loop: plans of real queries nest thousands deep, and
 * recursion would end on the stack.
 */

export interface PlanMetric {
  name: string;
  accumulatorId: number;
  metricType: string;
}

/** One node of sparkPlanInfo, as logged: the name is not trimmed. */
export interface PlanNode {
  name: string;
  simpleString: string;
  /** Facts of a file scan (Location, PushedFilters ...); null for the others. */
  metadata: Record<string, string> | null;
  metrics: PlanMetric[];
  children: PlanNode[];
}

/** Reads sparkPlanInfo of any shape: what is missing or of a wrong type is left empty. Null if it is no object. */
export function readPlan(json: unknown): PlanNode | null {
  if (!isObject(json)) return null;
  const root = readNode(json);
  const todo: [Record<string, unknown>, PlanNode][] = [[json, root]];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const [raw, node] = next;
    if (!Array.isArray(raw.children)) continue;
    for (const child of raw.children) {
      if (!isObject(child)) continue;
      const read = readNode(child);
      node.children.push(read);
      todo.push([child, read]);
    }
  }
  return root;
}

/** All nodes, parents before their children, in the order Spark numbers them. */
export function preOrder(root: PlanNode): PlanNode[] {
  const nodes: PlanNode[] = [];
  const todo = [root];
  for (let node = todo.pop(); node; node = todo.pop()) {
    nodes.push(node);
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at];
      if (child) todo.push(child);
    }
  }
  return nodes;
}

/**
 * A number a node: equal for equal subtrees. `text` says what of a node counts; Spark compares nodeName and
 * simpleString and leaves metrics and metadata out.
 */
export function shapes(
  nodes: readonly PlanNode[],
  text: (node: PlanNode) => string = (node) => `${node.name}\n${node.simpleString}`,
): Map<PlanNode, number> {
  const numbers = new Map<string, number>();
  const shapeOf = new Map<PlanNode, number>();
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at];
    if (!node) continue;
    const key = `${node.children.map((child) => shapeOf.get(child) ?? -1).join()}\n${text(node)}`;
    const known = numbers.get(key);
    if (known === undefined) numbers.set(key, numbers.size);
    shapeOf.set(node, known ?? numbers.size - 1);
  }
  return shapeOf;
}

function readNode(raw: Record<string, unknown>): PlanNode {
  return {
    name: typeof raw.nodeName === "string" ? raw.nodeName : "",
    simpleString: typeof raw.simpleString === "string" ? raw.simpleString : "",
    metadata: readMetadata(raw.metadata),
    metrics: Array.isArray(raw.metrics) ? readMetrics(raw.metrics) : [],
    children: [],
  };
}

/** A loop that makes no list a metric: plans of megabytes hold a hundred thousand. */
function readMetrics(raw: readonly unknown[]): PlanMetric[] {
  const metrics: PlanMetric[] = [];
  for (const item of raw) {
    const metric = metricOf(item);
    if (metric) metrics.push(metric);
  }
  return metrics;
}

function readMetadata(raw: unknown): Record<string, string> | null {
  if (!isObject(raw)) return null;
  let metadata: Record<string, string> | null = null;
  for (const key of Object.keys(raw)) {
    const value = raw[key];
    if (typeof value !== "string") continue;
    metadata ??= {};
    if (key === "__proto__") Object.defineProperty(metadata, key, { value, enumerable: true });
    else metadata[key] = value;
  }
  return metadata;
}

/** One metric definition, as in sparkPlanInfo and in sqlPlanMetrics; none if it has no usable id. */
export function readMetric(raw: unknown): PlanMetric[] {
  const metric = metricOf(raw);
  return metric ? [metric] : [];
}

function metricOf(raw: unknown): PlanMetric | null {
  if (!isObject(raw)) return null;
  const accumulatorId = Number(raw.accumulatorId);
  if (!Number.isSafeInteger(accumulatorId) || accumulatorId < 0) return null;
  return {
    name: typeof raw.name === "string" ? raw.name : "",
    accumulatorId,
    metricType: typeof raw.metricType === "string" ? raw.metricType : "sum",
  };
}
