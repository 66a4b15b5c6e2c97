import { type Engine, isHiddenShuffle, isJoin } from "./node-kind.ts";
import { partitioningOf } from "./partitioning.ts";
import type { GraphNode, PlanGraph } from "./plan-graph.ts";

/** What one plan holds, counted once: nothing below a ReusedExchange, cached plans apart. */
export interface PlanSummary {
  engine: Engine;
  /** Of the outermost adaptive plan; null if the plan is not adaptive. */
  finalPlan: boolean | null;
  shuffleExchanges: number;
  broadcastExchanges: number;
  /** Shuffles into one partition, but for broadcasts from executors; they are among shuffleExchanges too. */
  singlePartitionExchanges: number;
  reusedExchanges: number;
  /** Shuffles inside cached plans, each distinct cached plan once. */
  cachedShuffleExchanges: number;
  /** Shuffles that have no Exchange node: TakeOrderedAndProject, CollectLimit ... */
  hiddenShuffles: number;
  /** Joins by Spark's kind. */
  joins: Record<string, number>;
  aqeReads: number;
  skewedReads: number;
  coalescedReads: number;
  localReads: number;
  skewJoins: number;
}

export function summarizePlan(graph: PlanGraph): PlanSummary {
  const nodes = graph.nodes.filter((node) => !node.inReused && !node.inCache && !node.isCluster);
  const shuffles = nodes.filter(isShuffle);
  const reads = nodes.filter(({ kind }) => kind === "AQEShuffleRead");
  const joins = nodes.filter(({ kind }) => isJoin(kind));
  const reuses = graph.edges.filter(({ again, inCache, inReused }) => {
    return again === "ReusedExchange" && !inCache && !inReused;
  });
  return {
    engine: engineOf(graph.nodes),
    finalPlan: isFinalPlan(graph.nodes),
    shuffleExchanges: shuffles.length,
    broadcastExchanges: nodes.filter(({ kind }) => kind === "BroadcastExchange").length,
    singlePartitionExchanges: shuffles.filter((node) => {
      const { scheme, origin } = partitioningOf(graph, node);
      return scheme === "single" && origin !== "EXECUTOR_BROADCAST";
    }).length,
    reusedExchanges: reuses.length + nodes.filter(({ kind }) => kind === "ReusedExchange").length,
    cachedShuffleExchanges: cachedShuffles(graph.nodes),
    hiddenShuffles: nodes.filter(isHiddenShuffle).length,
    joins: countBy(joins.map(({ kind }) => kind)),
    aqeReads: reads.length,
    skewedReads: reads.filter(({ simpleString }) => /\bskewed\b/.test(simpleString)).length,
    coalescedReads: reads.filter(({ simpleString }) => /\bcoalesced\b/.test(simpleString)).length,
    localReads: reads.filter(({ simpleString }) => /\blocal\b/.test(simpleString)).length,
    skewJoins: joins.filter(({ name, simpleString }) => {
      return name.includes("(skew=true)") || simpleString.includes("(skew=true)");
    }).length,
  };
}

export function isShuffle({ kind }: GraphNode): boolean {
  return kind === "Exchange";
}

/** Distinct cached plans are told apart by their structure: each scan of a cache shows the whole plan below it. */
function cachedShuffles(nodes: readonly GraphNode[]): number {
  const seen = new Set<number>();
  for (const node of nodes) if (node.inCache && !node.inReused && isShuffle(node)) seen.add(node.shape);
  return seen.size;
}

/** The plug-in that ran most of the plug-in nodes; spark if there is none. */
function engineOf(nodes: readonly GraphNode[]): Engine {
  const counts = countBy(nodes.filter(({ engine }) => engine !== "spark").map(({ engine }) => engine));
  let best: Engine = "spark";
  for (const [engine, count] of Object.entries(counts)) {
    if (count > (counts[best] ?? 0)) best = engine as Engine;
  }
  return best;
}

function isFinalPlan(nodes: readonly GraphNode[]): boolean | null {
  const adaptive = nodes.find(({ kind, inSubquery, inCache }) => {
    return kind === "AdaptiveSparkPlan" && !inSubquery && !inCache;
  });
  return adaptive ? adaptive.simpleString.includes("isFinalPlan=true") : null;
}

function countBy<Key extends string>(keys: readonly Key[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
