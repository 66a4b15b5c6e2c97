import { isJoin } from "./node-kind.ts";
import { splitArguments } from "./partitioning.ts";
import type { GraphNode } from "./plan-graph.ts";
import { OUTPUT_ROWS, type PlanWalk, type Whole } from "./plan-walk.ts";

/** An operator whose place in the plan, or whose presence, costs rows, bytes or time. */
export interface PlacementFact {
  nodeId: number;
  kind:
    | "filter-above-join"
    | "filter-above-exchange"
    | "python-boundary"
    | "expand"
    | "generate"
    | "window-without-partition";
  /** The operator's name, or the filter's condition. */
  detail: string;
  /** The join or exchange below a filter. */
  belowNodeId: number | null;
  rowsIn: Whole | null;
  rowsOut: Whole | null;
  /** To and from Python workers together. */
  bytes: Whole | null;
  timeMs: Whole | null;
}

const PYTHON =
  /(?:^BatchEvalPython|^ArrowEvalPython|InPandas|InArrow|InPython|PythonUDTF|^WindowInPandas|^AggregateInPandas|^PythonMapInArrow|^ArrowWindowPython|^ArrowAggregatePython)/;
const PYTHON_TIMES = [
  "time to start Python workers",
  "time to initialize Python workers",
  "time to run Python workers",
];

export function isPython({ kind }: GraphNode): boolean {
  return PYTHON.test(kind);
}

/** All placements worth naming. Whether one is worth a warning is for its reader: the rows and bytes stand beside it. */
export function placementFacts(walk: PlanWalk): PlacementFact[] {
  return walk.graph.nodes
    .filter(({ inReused, isCluster }) => !inReused && !isCluster)
    .flatMap((node) => place(walk, node) ?? []);
}

function place(walk: PlanWalk, node: GraphNode): PlacementFact | null {
  if (node.kind === "Filter") return filterPlace(walk, node);
  if (isPython(node)) return pythonPlace(walk, node);
  if (node.kind === "Expand") return growth(walk, node, "expand");
  if (node.kind === "Generate") return growth(walk, node, "generate");
  return windowHasNoPartition(node) ? growth(walk, node, "window-without-partition") : null;
}

/** A filter that drops rows only after they were joined or shuffled. Spark moves filters down where it can. */
function filterPlace(walk: PlanWalk, node: GraphNode): PlacementFact | null {
  const below = walk.inputs(node)[0];
  const source = below && walk.source(below);
  if (!source || (!isJoin(source.kind) && source.kind !== "Exchange")) return null;
  return {
    nodeId: node.id,
    kind: isJoin(source.kind) ? "filter-above-join" : "filter-above-exchange",
    detail: node.simpleString.replace(/^\S+\s+/, ""),
    belowNodeId: source.id,
    rowsIn: walk.rowsOut(below),
    rowsOut: walk.metric(node, ...OUTPUT_ROWS),
    bytes: null,
    timeMs: null,
  };
}

function pythonPlace(walk: PlanWalk, node: GraphNode): PlacementFact {
  const names = ["data sent to Python workers", "data returned from Python workers"];
  return {
    ...growth(walk, node, "python-boundary"),
    bytes: walk.sum(node, ...names),
    timeMs: walk.timeMs(node, "time to execute Python code") ?? walk.timeMs(node, ...PYTHON_TIMES),
  };
}

function growth(walk: PlanWalk, node: GraphNode, kind: PlacementFact["kind"]): PlacementFact {
  const below = walk.inputs(node)[0];
  return {
    nodeId: node.id,
    kind,
    detail: node.name,
    belowNodeId: null,
    rowsIn: below ? walk.rowsOut(below) : null,
    rowsOut: walk.metric(node, ...OUTPUT_ROWS),
    bytes: null,
    timeMs: null,
  };
}

/**
 * A window over all rows at once. The plan prints [functions], [partition keys], [order] and leaves empty lists out, so
 * the partition keys are looked for inside windowspecdefinition(keys, order, frame).
 */
export function windowHasNoPartition({ kind, simpleString }: GraphNode): boolean {
  if (kind !== "Window" && kind !== "WindowInPandas") return false;
  const spec = simpleString.indexOf("windowspecdefinition(");
  if (spec < 0) return false;
  const first = splitArguments(simpleString, spec + "windowspecdefinition(".length)[0] ?? "";
  return (
    first === "" ||
    / (?:ASC|DESC)( NULLS (?:FIRST|LAST))?$/.test(first) ||
    /windowframe|unspecifiedframe/.test(first)
  );
}
