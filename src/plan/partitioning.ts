import type { GraphNode, PlanGraph } from "./plan-graph.ts";

/** How an exchange spreads its rows, read from its simpleString. */
export interface Partitioning {
  scheme: "hash" | "range" | "round-robin" | "single" | "other";
  /** Expressions as printed, without sort order: `a#1`. Spark cuts lists of more than 25. */
  keys: string[];
  /** spark.sql.shuffle.partitions or what the query asked for; null where the text has no number. */
  partitions: number | null;
  /** ENSURE_REQUIREMENTS, REPARTITION_BY_COL ...; null before Spark 3.1. */
  origin: string | null;
}

const ORIGIN = /[, ](ENSURE_REQUIREMENTS|REPARTITION_BY_\w+|REBALANCE_\w+|EXECUTOR_BROADCAST)\b/;

const SCHEMES = new Map<string, Partitioning["scheme"]>([
  ["hashpartitioning", "hash"],
  ["rangepartitioning", "range"],
  ["roundrobinpartitioning", "round-robin"],
  ["singlepartition", "single"],
  ["singlepartitioning", "single"],
]);

/**
 * Reads the first word after the operator's name, so that tables and columns of that name do not count. RAPIDS writes
 * gpuhashpartitioning(...) and gpusinglepartitioning$().
 */
export function readPartitioning(simpleString: string): Partitioning {
  const head = /^\S+\s+(?:gpu)?([a-z]+)\$?(\()?/i.exec(simpleString);
  const word = head?.[1]?.toLowerCase() ?? "";
  const scheme = SCHEMES.get(word) ?? "other";
  const base: Partitioning = { scheme, keys: [], partitions: null, origin: readOrigin(simpleString) };
  if (!head || scheme === "other") return base;
  if (scheme === "single") return { ...base, partitions: 1 };
  const parts = splitArguments(simpleString, head[0].length);
  const last = parts.at(-1) ?? "";
  const partitions = /^\d{1,9}$/.test(last) ? Number(parts.pop()) : null;
  const keys = parts.map((part) => part.replace(/ (?:ASC|DESC)( NULLS (?:FIRST|LAST))?$/, ""));
  return { ...base, keys: scheme === "round-robin" ? [] : keys, partitions };
}

/** Partitioning of a drawn exchange. Photon prints the origin with the map stage above the exchange. */
export function partitioningOf({ nodes }: PlanGraph, node: GraphNode): Partitioning {
  const partitioning = readPartitioning(node.simpleString);
  const above = nodes[node.parent ?? -1];
  if (partitioning.origin !== null || above?.kind !== "ShuffleMapStage") return partitioning;
  return { ...partitioning, origin: readOrigin(above.simpleString) };
}

function readOrigin(text: string): string | null {
  return ORIGIN.exec(text)?.[1] ?? null;
}

/** Splits at the commas of the outermost level, from `from` to the parenthesis or bracket that closes it. */
export function splitArguments(text: string, from: number): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = from;
  let at = from;
  for (; at < text.length; at++) {
    const char = text[at];
    if (char === "(" || char === "[") depth++;
    else if (char === ")" || char === "]") {
      if (depth === 0) break;
      depth--;
    } else if (char === "," && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  const last = text.slice(start, at).trim();
  if (last !== "") parts.push(last);
  return parts;
}
