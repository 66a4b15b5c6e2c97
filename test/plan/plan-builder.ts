import { type PlanGraph, planGraph } from "../../src/plan/plan-graph.ts";
import { readPlan } from "../../src/plan/plan-tree.ts";

/** A node of sparkPlanInfo as a log holds it. */
export interface PlanJson {
  nodeName: string;
  simpleString: string;
  children: PlanJson[];
  metadata: Record<string, string>;
  metrics: { name: string; accumulatorId: number; metricType: string }[];
}

/** A metric definition: metric(7, "spill size", "size"). */
export function metric(accumulatorId: number, name: string, metricType = "sum") {
  return { name, accumulatorId, metricType };
}

/**
 * A plan node from its simpleString; the nodeName is its first word unless given as "name | simpleString".
 */
export function plan(text: string, ...rest: (PlanJson | ReturnType<typeof metric>)[]): PlanJson {
  const [name, simple] = text.includes(" | ") ? text.split(" | ") : [nameIn(text), text];
  return {
    nodeName: name ?? "",
    simpleString: simple ?? "",
    children: rest.filter((part): part is PlanJson => "nodeName" in part),
    metadata: {},
    metrics: rest.filter((part): part is ReturnType<typeof metric> => "accumulatorId" in part),
  };
}

function nameIn(text: string): string | undefined {
  return text.startsWith("WholeStageCodegen") ? text : text.split(/[ [(]/)[0];
}

/** Draws a plan as Spark's SQL page does. */
export function draw(json: PlanJson): PlanGraph {
  const root = readPlan(json);
  if (!root) throw new Error("no plan");
  return planGraph(root);
}
