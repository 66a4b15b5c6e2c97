import type { PlanGraph } from "./plan-graph.ts";

/** One version of an execution's plan with its metric values: what the renderers of the plan command take. */
export interface PlanView {
  executionId: number;
  version: number;
  /** Versions there are; the last one ran. */
  versions: number;
  description: string | null;
  graph: PlanGraph;
  /** Metric values by accumulator id, as the History Server prints them. */
  values: ReadonlyMap<number, string>;
}

/** Metrics of a node that have a value, in the plan's order: name and text. */
export function metricLines(view: PlanView, nodeId: number): [name: string, text: string][] {
  const node = view.graph.nodes[nodeId];
  return (node?.metrics ?? []).flatMap(({ name, accumulatorId }): [string, string][] => {
    const value = view.values.get(accumulatorId);
    return value === undefined ? [] : [[name, value.trim()]];
  });
}
