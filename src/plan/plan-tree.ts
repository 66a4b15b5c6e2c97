import { isObject } from "../json.ts";
import { Numbers } from "./numbers.ts";

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
  nodeName: string;
  simpleString: string;
  /** Facts of a file scan (Location, PushedFilters ...); null for the others. */
  metadata: Record<string, string> | null;
  metrics: PlanMetric[];
  children: PlanNode[];
}

/**
 * Reads sparkPlanInfo of any shape: what is missing or of a wrong type is left empty. The parsed JSON itself becomes the
 * tree, put right in place: a copy of a plan of megabytes would be hundreds of thousands of objects. Null if it is no
 * object.
 */
export function readPlan(json: unknown): PlanNode | null {
  if (!isObject(json)) return null;
  const root = readNode(json);
  const todo = [root];
  for (let node = todo.pop(); node; node = todo.pop()) {
    for (const child of node.children) todo.push(readNode(child));
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

/** A number a node: equal for equal subtrees. Spark compares nodeName and simpleString, not metrics and metadata. */
export function shapes(nodes: readonly PlanNode[]): Map<PlanNode, number> {
  const texts = new Numbers();
  const numbers = new Numbers();
  const shapeOf = new Map<PlanNode, number>();
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at];
    if (!node) continue;
    let key = `${texts.of(node.nodeName)}:${texts.of(node.simpleString)}`;
    for (const child of node.children) key += `,${shapeOf.get(child) ?? -1}`;
    shapeOf.set(node, numbers.of(key));
  }
  return shapeOf;
}

/** Any object as a node; of its children only that they are objects is sure afterwards. */
function readNode(raw: object): PlanNode {
  const node = raw as Record<keyof PlanNode, unknown>;
  if (typeof node.nodeName !== "string") node.nodeName = "";
  if (typeof node.simpleString !== "string") node.simpleString = "";
  node.metadata = readMetadata(node.metadata);
  if (!Array.isArray(node.metrics)) node.metrics = [];
  else if (!node.metrics.every(isMetric)) node.metrics = node.metrics.flatMap(readMetric);
  if (!Array.isArray(node.children)) node.children = [];
  else if (!node.children.every(isObject)) node.children = node.children.filter(isObject);
  return node as PlanNode;
}

function readMetadata(raw: unknown): Record<string, string> | null {
  if (!isObject(raw)) return null;
  const keys = Object.keys(raw);
  const texts = keys.filter((key) => typeof raw[key] === "string");
  if (texts.length === 0) return null;
  if (texts.length === keys.length) return raw as Record<string, string>;
  return Object.fromEntries(texts.map((key) => [key, raw[key] as string]));
}

/** Whether a metric definition can be taken as it is. */
function isMetric(raw: unknown): raw is PlanMetric {
  return (
    isObject(raw) &&
    typeof raw.name === "string" &&
    typeof raw.metricType === "string" &&
    Number.isSafeInteger(raw.accumulatorId) &&
    (raw.accumulatorId as number) >= 0
  );
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
