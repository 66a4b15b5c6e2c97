import { isJoin } from "./node-kind.ts";
import { splitArguments } from "./partitioning.ts";
import type { GraphNode, PlanGraph } from "./plan-graph.ts";
import { OUTPUT_ROWS, type PlanWalk, SPILL, type Whole } from "./plan-walk.ts";

/** One input of a join. */
export interface JoinSide {
  /** The exchange that brings it; null: read where it lies. */
  exchangeNodeId: number | null;
  /** Bytes of the rows as they were exchanged, before compression ("data size"); null: not measured. */
  bytes: Whole | null;
  rows: Whole | null;
}

/** A join of the plan that ran, with what was measured. */
export interface JoinFact {
  nodeId: number;
  kind: string;
  /** Inner, LeftOuter, LeftAnti ...; null where the text has none (CartesianProduct). */
  joinType: string | null;
  buildSide: "left" | "right" | null;
  leftKeys: string;
  rightKeys: string;
  left: JoinSide;
  right: JoinSide;
  outputRows: Whole | null;
  /** Time to build the hash table, or to collect, build and broadcast it. */
  buildTimeMs: Whole | null;
  spillBytes: Whole | null;
  /** Marked skew=true: AQE splits its skewed partitions. */
  skew: boolean;
  /** The kind in the first plan where AQE changed it. */
  changedFrom: string | null;
  inCache: boolean;
  inSubquery: boolean;
}

const JOIN_TYPE =
  /^(Inner|Cross|LeftOuter|RightOuter|FullOuter|LeftSemi|LeftAnti|LeftSingle|ExistenceJoin.*)$/;

/** What the join's simpleString says. */
export function readJoin(simpleString: string) {
  const from = /^\S+\s+/.exec(simpleString)?.[0].length ?? simpleString.length;
  const parts = splitArguments(simpleString, from);
  const keys = parts.filter((part) => part.startsWith("["));
  return {
    leftKeys: strip(keys[0]),
    rightKeys: strip(keys[1]),
    joinType: parts.find((part) => JOIN_TYPE.test(part)) ?? null,
    buildSide: buildSide(parts.find((part) => /^(Gpu)?Build(Left|Right)$/.test(part))),
  };
}

function strip(keys: string | undefined): string {
  return keys?.slice(1, -1) ?? "";
}

function buildSide(part: string | undefined): "left" | "right" | null {
  if (part === undefined) return null;
  return part.endsWith("Left") ? "left" : "right";
}

/** Kinds of the first plan's joins by their keys: what AQE changed is told by holding the last plan against it. */
export type InitialJoins = ReadonlyMap<string, string>;

export function initialJoins(graph: PlanGraph): InitialJoins {
  return new Map(ownJoins(graph).map((node) => [keysOf(node), node.kind]));
}

function keysOf(node: GraphNode): string {
  const { leftKeys, rightKeys } = readJoin(node.simpleString);
  return `${leftKeys} = ${rightKeys}`;
}

function ownJoins({ nodes }: PlanGraph): GraphNode[] {
  return nodes.filter((node) => isJoin(node.kind) && !node.inReused);
}

export function joinFacts(walk: PlanWalk, initial: InitialJoins): JoinFact[] {
  return ownJoins(walk.graph).map((node) => {
    const text = readJoin(node.simpleString);
    const [left, right] = walk.inputs(node);
    const before = text.leftKeys === "" ? undefined : initial.get(keysOf(node));
    return {
      nodeId: node.id,
      kind: node.kind,
      ...text,
      left: side(walk, left),
      right: side(walk, right),
      outputRows: walk.metric(node, ...OUTPUT_ROWS),
      buildTimeMs: buildTime(walk, node, text.buildSide === "left" ? left : right),
      spillBytes: walk.metric(node, ...SPILL),
      skew: node.name.includes("(skew=true)") || node.simpleString.includes("(skew=true)"),
      changedFrom: before === undefined || before === node.kind ? null : before,
      inCache: node.inCache,
      inSubquery: node.inSubquery,
    };
  });
}

function side(walk: PlanWalk, input: GraphNode | undefined): JoinSide {
  if (!input) return { exchangeNodeId: null, bytes: null, rows: null };
  const source = walk.source(input);
  const isExchange = source.kind === "Exchange" || source.kind === "BroadcastExchange";
  return {
    exchangeNodeId: isExchange ? source.id : null,
    bytes: isExchange ? walk.metric(source, "data size") : null,
    rows: walk.rowsOut(input),
  };
}

function buildTime(walk: PlanWalk, node: GraphNode, build: GraphNode | undefined): Whole | null {
  const own = walk.timeMs(node, "time to build hash map");
  if (own !== null || !build) return own;
  const source = walk.source(build);
  if (source.kind !== "BroadcastExchange") return null;
  return walk.timeMs(source, "time to collect", "time to build", "time to broadcast");
}
