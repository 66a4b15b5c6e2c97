import type { GraphNode, PlanGraph } from "./plan-graph.ts";

/** A whole number as the metrics have it: bigint only beyond 2^53 - 1. */
export type Whole = number | bigint;

/** Total of an accumulator over the execution; null: no data. */
export type MetricTotals = (accumulatorId: number) => Whole | null;

/** Operators that hand rows on without moving them between tasks: a side of a join or a reader is looked for through them. */
const PASS_THROUGH = new Set([
  "Project",
  "Filter",
  "Sort",
  "AQEShuffleRead",
  "ColumnarToRow",
  "RowToColumnar",
  "ShuffleCoalesce",
  "CoalesceBatches",
  "ShuffleExchangeSource",
  "ShuffleMapStage",
  "ResultStage",
  "ReusedExchange",
  "AdaptiveSparkPlan",
  "VeloxResizeBatches",
  "InputIteratorTransformer",
  "InputIterator",
]);

export function passesThrough({ kind }: GraphNode): boolean {
  return PASS_THROUGH.has(kind);
}

/** Finds a node's neighbours and metric values in a drawn plan. */
export class PlanWalk {
  readonly graph: PlanGraph;
  readonly #children = new Map<number, GraphNode[]>();
  readonly #parents = new Map<number, GraphNode[]>();
  readonly #totals: MetricTotals;
  readonly #sources = new Map<number, GraphNode>();
  readonly #totalsByName = new Map<number, Map<string, Whole>>();

  constructor(graph: PlanGraph, totals: MetricTotals) {
    this.graph = graph;
    this.#totals = totals;
    for (const { from, to } of graph.edges) {
      const child = graph.nodes[from];
      const parent = graph.nodes[to];
      if (!child || !parent) continue;
      push(this.#children, to, child);
      push(this.#parents, from, parent);
    }
  }

  /** Inputs in their order; subqueries come after them. */
  children(node: GraphNode): GraphNode[] {
    return this.#children.get(node.id) ?? [];
  }

  /** Whoever reads the node: several where it is reused. */
  parents(node: GraphNode): GraphNode[] {
    return this.#parents.get(node.id) ?? [];
  }

  /** The first reader that is no reuse. */
  reader(node: GraphNode): GraphNode | null {
    const parents = this.parents(node);
    return parents.find(({ kind }) => kind !== "ReusedExchange") ?? parents[0] ?? null;
  }

  /** Inputs without subqueries. */
  inputs(node: GraphNode): GraphNode[] {
    return this.children(node).filter(({ kind }) => !kind.startsWith("Subquery"));
  }

  /** The first node below that is not passed through, by first inputs. */
  source(node: GraphNode): GraphNode {
    const path: GraphNode[] = [];
    let at = node;
    while (passesThrough(at)) {
      const below: GraphNode | undefined = this.#sources.get(at.id) ?? this.inputs(at)[0];
      if (!below) break;
      path.push(at);
      at = below;
    }
    // Plans may be thousands deep: what was walked once is not walked again.
    for (const passed of path) this.#sources.set(passed.id, at);
    return at;
  }

  /** The first operator above, through the first reader each, that does not only pass rows on. */
  consumer(node: GraphNode): GraphNode | null {
    let at = this.reader(node);
    while (at && passesThrough(at)) at = this.reader(at);
    return at;
  }

  /** A node's metric of one of these names; null: no data. */
  metric(node: GraphNode, ...names: string[]): Whole | null {
    const totals = this.#totalsOf(node);
    for (const name of names) {
      const total = totals.get(name);
      if (total !== undefined) return total;
    }
    return null;
  }

  /** Totals by plain name; of two metrics with one name the first that has data. */
  #totalsOf(node: GraphNode): Map<string, Whole> {
    const known = this.#totalsByName.get(node.id);
    if (known) return known;
    const totals = new Map<string, Whole>();
    for (const { name, accumulatorId } of node.metrics) {
      const plain = plainName(name);
      const total = totals.has(plain) ? null : this.#totals(accumulatorId);
      if (total !== null) totals.set(plain, total);
    }
    this.#totalsByName.set(node.id, totals);
    return totals;
  }

  /** A time in milliseconds, whatever its unit in the plan; several names are added up. */
  timeMs(node: GraphNode, ...names: string[]): Whole | null {
    const times = names.flatMap((name) => {
      const total = this.metric(node, name);
      const inNanoseconds = node.metrics.some((metric) => {
        return metric.metricType === "nsTiming" && plainName(metric.name) === name;
      });
      if (total === null) return [];
      return inNanoseconds ? Math.trunc(Number(total) / 1e6) : total;
    });
    return times.length === 0 ? null : addWhole(times);
  }

  /** Sum of those of these metrics that have data; null if none has. */
  sum(node: GraphNode, ...names: string[]): Whole | null {
    const totals = names.flatMap((name) => this.metric(node, name) ?? []);
    return totals.length === 0 ? null : addWhole(totals);
  }

  hasMetric(node: GraphNode, name: string): boolean {
    return node.metrics.some((metric) => plainName(metric.name) === name);
  }

  /** Records that a shuffle counted: of Spark's own they are rows, of a columnar engine batches, so unknown. */
  shuffledRows(node: GraphNode, ...names: string[]): Whole | null {
    return node.engine === "spark" ? this.metric(node, ...names) : null;
  }

  /** Rows that leave a node: of the first node at or below it that counts them. */
  rowsOut(node: GraphNode): Whole | null {
    let at: GraphNode | undefined = node;
    while (at) {
      const rows =
        this.metric(at, ...OUTPUT_ROWS) ?? this.shuffledRows(at, "records read", "shuffle records written");
      if (rows !== null) return rows;
      if (!KEEPS_ROWS.has(at.kind) && !isExchange(at)) return null;
      at = this.inputs(at)[0];
    }
    return null;
  }
}

export const OUTPUT_ROWS = [
  "number of output rows",
  "output rows",
  "join output rows",
  "rows output",
  "estimated rows output",
];

/** Spark's name for what an operator spilled, and Photon's. */
export const SPILL = ["spill size", "num bytes spilled to disk due to memory pressure"];

/** Operators that emit as many rows as they take. */
const KEEPS_ROWS = new Set([
  "Project",
  "Sort",
  "AQEShuffleRead",
  "ColumnarToRow",
  "RowToColumnar",
  "ShuffleCoalesce",
  "CoalesceBatches",
  "ShuffleExchangeSource",
  "ShuffleMapStage",
  "ReusedExchange",
  "AdaptiveSparkPlan",
  "Window",
]);

export function isExchange({ kind }: GraphNode): boolean {
  return kind === "Exchange" || kind === "BroadcastExchange";
}

/** A metric name without what Spark 2 put behind it: units and " total (min, med, max)". */
export function plainName(name: string): string {
  return name.trim().replace(/ (?:total )?\((?:min, med, max|ms|bytes)\)$/, "");
}

export function addWhole(values: readonly Whole[]): Whole {
  const sum = values.reduce((total: bigint, value) => total + BigInt(value), 0n);
  return sum <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sum) : sum;
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
