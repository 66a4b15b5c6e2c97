import { isHiddenShuffle, isJoin } from "./node-kind.ts";
import { type Partitioning, partitioningOf, readPartitioning } from "./partitioning.ts";
import type { GraphNode } from "./plan-graph.ts";
import { OUTPUT_ROWS, type PlanWalk, passesThrough, type Whole } from "./plan-walk.ts";

/** Why an exchange looks as if the plan could do without it. */
export type Avoidable = "back-to-back" | "already-partitioned" | "duplicate-subtree";

/** An exchange of the plan that ran: why it is there, what it moved, and whether the plan could do without it. */
export interface ExchangeFact {
  nodeId: number;
  /** hidden: TakeOrderedAndProject, CollectLimit ... that shuffle without an Exchange node. */
  kind: "shuffle" | "broadcast" | "hidden";
  scheme: Partitioning["scheme"] | "broadcast";
  /** Partitioning expressions, joined with ", ". */
  keys: string;
  origin: string | null;
  /** As planned; null: not told. */
  configuredPartitions: Whole | null;
  /** As its first reader made them, after AQE coalesced or split them. */
  effectivePartitions: Whole | null;
  coalesced: boolean;
  skewSplit: boolean;
  localRead: boolean;
  /** Rows as exchanged, before compression. */
  dataBytes: Whole | null;
  bytesWritten: Whole | null;
  rowsWritten: Whole | null;
  bytesRead: Whole | null;
  rowsRead: Whole | null;
  fetchWaitMs: Whole | null;
  /** How many operators read it; above 1 it is reused. */
  readers: number;
  /** The operator it is there for. */
  consumerNodeId: number | null;
  consumerKind: string | null;
  /** Why it is there, as a sentence part. */
  why: string;
  avoidable: Avoidable | null;
  avoidableWhy: string | null;
  inCache: boolean;
  inSubquery: boolean;
}

export function exchangeFacts(walk: PlanWalk): ExchangeFact[] {
  const twins = new Twins(walk);
  return walk.graph.nodes.flatMap((node) => {
    if (node.inReused) return [];
    if (node.kind === "Exchange") return [shuffleFact(walk, node, twins)];
    if (node.kind === "BroadcastExchange") return [broadcastFact(walk, node, twins)];
    return isHiddenShuffle(node) ? [hiddenFact(walk, node)] : [];
  });
}

function shuffleFact(walk: PlanWalk, node: GraphNode, twins: Twins): ExchangeFact {
  const partitioning = partitioningOf(walk.graph, node);
  const consumer = walk.consumer(node);
  return {
    ...measured(walk, node),
    ...readerFacts(walk, node),
    kind: "shuffle",
    scheme: partitioning.scheme,
    keys: partitioning.keys.join(", "),
    origin: partitioning.origin,
    configuredPartitions: partitioning.partitions ?? walk.metric(node, "number of partitions", "partitions"),
    consumerNodeId: consumer?.id ?? null,
    consumerKind: consumer?.kind ?? null,
    why: whyShuffled(partitioning, walk, node, consumer),
    ...avoidableShuffle(walk, node, partitioning, consumer, twins),
  };
}

function broadcastFact(walk: PlanWalk, node: GraphNode, twins: Twins): ExchangeFact {
  const consumer = walk.consumer(node);
  return {
    ...measured(walk, node),
    effectivePartitions: null,
    coalesced: false,
    skewSplit: false,
    localRead: false,
    kind: "broadcast",
    scheme: "broadcast",
    keys: "",
    origin: null,
    configuredPartitions: null,
    consumerNodeId: consumer?.id ?? null,
    consumerKind: consumer?.kind ?? null,
    why: `${consumer?.kind ?? "its reader"} takes this side whole on every executor`,
    ...(twins.of(node) ?? { avoidable: null, avoidableWhy: null }),
  };
}

function hiddenFact(walk: PlanWalk, node: GraphNode): ExchangeFact {
  return {
    ...measured(walk, node),
    effectivePartitions: null,
    coalesced: false,
    skewSplit: false,
    localRead: false,
    kind: "hidden",
    scheme: node.kind === "DeltaOptimizedWriter" ? "other" : "single",
    keys: "",
    origin: null,
    configuredPartitions: node.kind === "DeltaOptimizedWriter" ? null : 1,
    consumerNodeId: node.id,
    consumerKind: node.kind,
    why:
      node.kind === "DeltaOptimizedWriter"
        ? "rows are gathered into files of a good size before the write"
        : `${node.kind} brings the rows that each partition kept into one`,
    avoidable: null,
    avoidableWhy: null,
  };
}

function measured(walk: PlanWalk, node: GraphNode) {
  return {
    nodeId: node.id,
    dataBytes: walk.metric(node, "data size"),
    bytesWritten: walk.metric(node, "shuffle bytes written"),
    rowsWritten: walk.shuffledRows(node, "shuffle records written") ?? walk.metric(node, ...OUTPUT_ROWS),
    bytesRead: walk.sum(node, "local bytes read", "remote bytes read"),
    rowsRead: walk.shuffledRows(node, "records read"),
    fetchWaitMs: walk.timeMs(node, "fetch wait time"),
    readers: walk.parents(node).length,
    inCache: node.inCache,
    inSubquery: node.inSubquery,
  };
}

function readerFacts(walk: PlanWalk, node: GraphNode) {
  const readers = walk.parents(node).filter(({ kind }) => kind === "AQEShuffleRead");
  const says = (word: RegExp) => readers.some(({ simpleString }) => word.test(simpleString));
  const [reader] = readers;
  return {
    effectivePartitions: reader ? walk.metric(reader, "number of partitions", "partitions") : null,
    coalesced: says(/\bcoalesced\b/),
    skewSplit: says(/\bskewed\b/),
    localRead: says(/\blocal\b/),
  };
}

function whyShuffled(
  partitioning: Partitioning,
  walk: PlanWalk,
  node: GraphNode,
  consumer: GraphNode | null,
): string {
  const { origin, scheme, keys } = partitioning;
  const operator = consumer?.kind ?? "the result";
  const by = keys.map(withoutIds).join(", ");
  if (origin?.startsWith("REPARTITION_BY_COL")) return `the query asks for a repartition by ${by}`;
  if (origin?.startsWith("REPARTITION_BY_NUM")) return "the query asks for a number of partitions";
  if (origin?.startsWith("REBALANCE")) return "the query asks for partitions of even size";
  if (origin === "EXECUTOR_BROADCAST")
    return `${operator} takes this side whole, broadcast from the executors`;
  if (consumer?.kind === "Exchange") return `nothing: exchange ${consumer.id} spreads its rows anew`;
  if (scheme === "hash") return `${operator} needs rows of equal ${by} in one partition`;
  if (scheme === "range") return sortsAbove(walk, node) ? `a total order by ${by}` : `ranges of ${by}`;
  if (scheme === "single") return `${operator} needs all rows in one partition`;
  if (scheme === "round-robin") return "rows are dealt out evenly, as repartition(n) asks";
  return `${operator} needs its rows spread anew`;
}

function sortsAbove(walk: PlanWalk, node: GraphNode): boolean {
  let at = walk.parents(node)[0];
  while (at && at.kind !== "Sort" && passesThrough(at)) at = walk.parents(at)[0];
  return at?.kind === "Sort";
}

function avoidableShuffle(
  walk: PlanWalk,
  node: GraphNode,
  partitioning: Partitioning,
  consumer: GraphNode | null,
  twins: Twins,
): { avoidable: Avoidable | null; avoidableWhy: string | null } {
  const above = exchangeRightAbove(walk, node);
  if (above) {
    const why = `exchange ${above.id} spreads the same rows anew before anything uses this spread`;
    return { avoidable: "back-to-back", avoidableWhy: why };
  }
  const spread = partitioning.scheme === "hash" ? spreadBelow(walk, node) : null;
  if (spread && covers(spread.keys, partitioning.keys, consumer)) {
    const keys = spread.keys.map(withoutIds).join(", ");
    const why = `the rows are spread by ${keys} since exchange ${spread.nodeId}, so rows of equal keys lie together`;
    return { avoidable: "already-partitioned", avoidableWhy: why };
  }
  return twins.of(node) ?? { avoidable: null, avoidableWhy: null };
}

/** Operators that only read or convert: between two exchanges they use nothing of the lower one's spread. */
const CONVERTERS = new Set([
  "AQEShuffleRead",
  "ShuffleCoalesce",
  "CoalesceBatches",
  "ShuffleExchangeSource",
  "ShuffleMapStage",
  "ColumnarToRow",
  "RowToColumnar",
  "Project",
]);

function exchangeRightAbove(walk: PlanWalk, node: GraphNode): GraphNode | null {
  const parents = walk.parents(node);
  let at = parents.length === 1 ? parents[0] : undefined;
  while (at && CONVERTERS.has(at.kind)) at = walk.parents(at)[0];
  return at?.kind === "Exchange" ? at : null;
}

/** Operators that leave every row in its partition. */
const KEEPS_PARTITIONS = new Set([
  "Project",
  "Filter",
  "Sort",
  "Window",
  "WindowGroupLimit",
  "HashAggregate",
  "ObjectHashAggregate",
  "SortAggregate",
  "Generate",
  "ColumnarToRow",
  "RowToColumnar",
  "BroadcastHashJoin",
  "BroadcastNestedLoopJoin",
]);

/** The hash exchange whose spread still holds at the exchange's input. */
function spreadBelow(walk: PlanWalk, node: GraphNode): { nodeId: number; keys: string[] } | null {
  let at = walk.inputs(node)[0];
  while (at) {
    if (at.kind === "Exchange") {
      const { scheme, keys } = readPartitioning(at.simpleString);
      return scheme === "hash" && keys.length > 0 ? { nodeId: at.id, keys } : null;
    }
    const isReader = at.kind === "AQEShuffleRead" && !/\blocal\b|\bskewed\b/.test(at.simpleString);
    if (!isReader && !KEEPS_PARTITIONS.has(at.kind)) return null;
    at = walk.inputs(at).find(({ kind }) => kind !== "BroadcastExchange");
  }
  return null;
}

/**
 * Rows spread by some of the keys are spread by all of them: enough for windows and aggregates. The two sides of a join
 * must be spread alike, so there only the same keys count.
 */
function covers(spread: readonly string[], wanted: readonly string[], consumer: GraphNode | null): boolean {
  if (spread.some((key) => !/#\d/.test(key))) return false;
  if (consumer && isJoin(consumer.kind)) return spread.join() === wanted.join();
  return spread.every((key) => wanted.includes(key));
}

/** Finds exchanges that do the same work as an earlier one, leaving ids aside. */
class Twins {
  readonly #first = new Map<string, GraphNode>();
  readonly #keys = new Map<number, string>();

  constructor(walk: PlanWalk) {
    const texts = normalizedSubtrees(walk);
    for (const node of walk.graph.nodes) {
      if (node.inReused || node.inCache || (node.kind !== "Exchange" && node.kind !== "BroadcastExchange"))
        continue;
      const key = texts.get(node.id);
      if (key === undefined) continue;
      this.#keys.set(node.id, key);
      if (!this.#first.has(key)) this.#first.set(key, node);
    }
  }

  of(node: GraphNode): { avoidable: Avoidable; avoidableWhy: string } | null {
    const first = this.#first.get(this.#keys.get(node.id) ?? "");
    if (!first || first.id === node.id) return null;
    return {
      avoidable: "duplicate-subtree",
      avoidableWhy: `exchange ${first.id} does the same work and was not reused`,
    };
  }
}

/** A text a node that is equal for subtrees that differ in ids only; none where Spark cut a list short. */
function normalizedSubtrees(walk: PlanWalk): Map<number, string> {
  const numbers = new Map<string, number>();
  const result = new Map<number, string>();
  for (let id = walk.graph.nodes.length - 1; id >= 0; id--) {
    const node = walk.graph.nodes[id];
    if (!node || node.isCluster) continue;
    const below = walk.children(node).map((child) => result.get(child.id));
    const metadata = node.metadata && JSON.stringify(node.metadata);
    const isCut =
      node.simpleString.includes("more fields") || (!metadata && node.simpleString.includes("..."));
    if (isCut || below.includes(undefined)) continue;
    const key = withoutIds(`${node.name}\n${metadata ?? node.simpleString}\n${below.join()}`);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    result.set(node.id, String(number));
  }
  return result;
}

/** Drops expression and plan ids: two readings of one table differ in them alone. */
function withoutIds(text: string): string {
  return text.replace(/#\d+L?/g, "").replace(/,? ?\[(?:plan_)?id=#?\d+\]/g, "");
}
