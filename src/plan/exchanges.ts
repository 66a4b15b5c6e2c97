import { isHiddenShuffle, isJoin } from "./node-kind.ts";
import { Numbers } from "./numbers.ts";
import { type Partitioning, partitioningOf, readPartitioning } from "./partitioning.ts";
import type { GraphNode } from "./plan-graph.ts";
import { isExchange, OUTPUT_ROWS, type PlanWalk, passesThrough, type Whole } from "./plan-walk.ts";

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
  readonly #first = new Map<number, GraphNode>();
  readonly #keys: readonly number[];

  constructor(walk: PlanWalk) {
    const { nodes } = walk.graph;
    const exchanges = nodes.filter((node) => isExchange(node) && !node.inReused && !node.inCache);
    const alike = alikeByName(walk, exchanges);
    this.#keys = alike.length === 0 ? [] : subtreeNumbers(walk, workOf, isBelow(walk, alike));
    for (const node of alike) {
      const key = this.#keys[node.id] ?? NONE;
      if (key !== NONE && !this.#first.has(key)) this.#first.set(key, node);
    }
  }

  of(node: GraphNode): { avoidable: Avoidable; avoidableWhy: string } | null {
    const first = this.#first.get(this.#keys[node.id] ?? NONE);
    if (!first || first.id === node.id) return null;
    return {
      avoidable: "duplicate-subtree",
      avoidableWhy: `exchange ${first.id} does the same work and was not reused`,
    };
  }
}

/** Exchanges above subtrees of the same operators as another's: only their long texts need to be compared. */
function alikeByName(walk: PlanWalk, exchanges: readonly GraphNode[]): GraphNode[] {
  if (exchanges.length < 2) return [];
  const numbers = subtreeNumbers(walk, ({ name }) => withoutIds(name));
  const counts = new Map<number, number>();
  for (const { id } of exchanges) counts.set(numbers[id] ?? NONE, (counts.get(numbers[id] ?? NONE) ?? 0) + 1);
  return exchanges.filter(({ id }) => {
    const number = numbers[id] ?? NONE;
    return number !== NONE && (counts.get(number) ?? 0) > 1;
  });
}

/** Whether a node is one of these or an input, near or far, of one. */
function isBelow(walk: PlanWalk, tops: readonly GraphNode[]): (node: GraphNode) => boolean {
  const below = new Set(tops.map(({ id }) => id));
  // Inputs are drawn behind their readers, but for those that are read again, and these have no number.
  for (const node of walk.graph.nodes) {
    if (below.has(node.id)) for (const child of walk.children(node)) below.add(child.id);
  }
  return ({ id }) => below.has(id);
}

const NONE = -1;

/**
 * A number by node id, equal for subtrees of equal texts. NONE above what has no text and above what is read again, and
 * for nodes that are not asked for.
 */
function subtreeNumbers(
  walk: PlanWalk,
  textOf: (node: GraphNode) => string | null,
  isAsked: (node: GraphNode) => boolean = () => true,
): number[] {
  const { nodes } = walk.graph;
  const texts = new Numbers();
  const keys = new Numbers();
  const result = new Array<number>(nodes.length).fill(NONE);
  for (let id = nodes.length - 1; id >= 0; id--) {
    const node = nodes[id];
    if (!node || node.isCluster || !isAsked(node)) continue;
    const below = walk.children(node).map((child) => result[child.id] ?? NONE);
    const text = below.includes(NONE) ? null : textOf(node);
    if (text !== null) result[id] = keys.of(`${texts.of(text)}:${below.join()}`);
  }
  return result;
}

/** What an operator does, in words without ids; null where Spark cut a list short. */
function workOf({ name, simpleString, metadata }: GraphNode): string | null {
  if (simpleString.includes("more fields") || (!metadata && simpleString.includes("..."))) return null;
  return withoutIds(`${name}\n${metadata ? JSON.stringify(metadata) : simpleString}`);
}

/** Drops expression and plan ids: two readings of one table differ in them alone. */
function withoutIds(text: string): string {
  if (!text.includes("#") && !text.includes("id=")) return text;
  return text.replace(/#\d+L?/g, "").replace(/,? ?\[(?:plan_)?id=#?\d+\]/g, "");
}
