import { createHash } from "node:crypto";
import { jsonText } from "../plan/json-text.ts";
import { codegenId, type GraphNode, type PlanGraph } from "../plan/plan-graph.ts";
import { type PlanMetric, type PlanNode, readPlan } from "../plan/plan-tree.ts";
import type { RowSink } from "../store/rows.ts";
import { LoggedPlan } from "./logged-plan.ts";

/** One version of an execution's plan, read from an event. */
export interface PlanVersion {
  planId: number;
  root: PlanNode;
  /** sparkPlanInfo as JSON text. */
  text: string;
}

/** Hashes kept to recognise a plan seen before. A plan that returns after this many others is stored again. */
const HASHES_KEPT = 100_000;

/** Writes each distinct plan once, and the graphs that are asked for. */
export class SqlPlans {
  readonly #rows: RowSink;
  readonly #idOfHash = new Map<string, number>();
  #nextId = 0;

  constructor(rows: RowSink) {
    this.#rows = rows;
  }

  /** Reads sparkPlanInfo, as JSON or as a LoggedPlan, and stores it if it is new; null if it is no object. */
  store(sparkPlanInfo: unknown, description: string | null): PlanVersion | null {
    const logged =
      sparkPlanInfo instanceof LoggedPlan ? sparkPlanInfo : writtenPlan(sparkPlanInfo, description);
    const root = readPlan(logged.sparkPlanInfo);
    if (!root) return null;
    return { planId: this.#idOf(logged, description), root, text: logged.text };
  }

  /** Writes the nodes of a plan's graph, with the metrics they declare, and what is read again. */
  writeGraph(planId: number, graph: PlanGraph): void {
    for (const node of graph.nodes) this.#writeNode(planId, node, graph);
    for (const [position, { from, to, again }] of graph.edges.entries()) {
      if (again !== null)
        this.#rows.insert("sql_plan_reuse", {
          plan_id: planId,
          position,
          from_node_id: from,
          to_node_id: to,
        });
    }
  }

  #writeNode(planId: number, node: GraphNode, graph: PlanGraph): void {
    const cluster = node.isCluster ? node : graph.nodes[node.cluster ?? -1];
    this.#rows.insert("sql_plan_node", {
      plan_id: planId,
      node_id: node.id,
      parent_node_id: node.parent,
      cluster_node_id: node.cluster,
      codegen_id: cluster ? codegenId(cluster.name) : null,
      name: node.name,
      kind: node.kind,
      simple_string: node.simpleString,
      metadata_json: node.metadata && jsonText(node.metadata),
      in_cache: node.inCache ? 1 : 0,
      in_subquery: node.inSubquery ? 1 : 0,
      in_reused: node.inReused ? 1 : 0,
      metrics_json: metricsJson(node.metrics),
    });
  }

  #idOf({ hash, text, bytes }: LoggedPlan, description: string | null): number {
    const known = this.#idOfHash.get(hash);
    if (known !== undefined) return known;
    const planId = this.#nextId++;
    this.#idOfHash.set(hash, planId);
    if (this.#idOfHash.size > HASHES_KEPT) {
      const oldest = this.#idOfHash.keys().next().value;
      if (oldest !== undefined) this.#idOfHash.delete(oldest);
    }
    this.#rows.insert("sql_plan", { plan_id: planId, tree_json: bytes ?? text, description });
    return planId;
  }
}

/** [[accumulator id, name, type], ...], each accumulator once; null for none. */
function metricsJson(metrics: readonly PlanMetric[]): string | null {
  if (metrics.length === 0) return null;
  return JSON.stringify(
    distinct(metrics).map(({ accumulatorId, name, metricType }) => [accumulatorId, name, metricType]),
  );
}

/** The last of those with the same accumulator. They come in no order of ids, but ascending ids are distinct. */
function distinct(metrics: readonly PlanMetric[]): readonly PlanMetric[] {
  if (
    metrics.every(
      ({ accumulatorId }, at) => at === 0 || accumulatorId > (metrics[at - 1]?.accumulatorId ?? -1),
    )
  )
    return metrics;
  return [...new Map(metrics.map((metric) => [metric.accumulatorId, metric])).values()];
}

/** A plan that was not cut out of its line: its text is written anew. */
function writtenPlan(sparkPlanInfo: unknown, description: string | null): LoggedPlan {
  const text = jsonText(sparkPlanInfo);
  const hash = createHash("sha256").update(text).update("\0");
  return new LoggedPlan(sparkPlanInfo, text, hash.update(description ?? "").digest("base64"));
}
