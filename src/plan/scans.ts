import type { GraphNode } from "./plan-graph.ts";
import { OUTPUT_ROWS, type PlanWalk, type Whole } from "./plan-walk.ts";

/** A read of a table or of files in the plan that ran. Filters are Spark's text; null: the plan does not say. */
export interface ScanFact {
  nodeId: number;
  /** Table if it has one, else the first path, else the node's name. */
  relation: string;
  format: string | null;
  location: string | null;
  partitionFilters: string | null;
  pushedFilters: string | null;
  dataFilters: string | null;
  /** The table has partition columns; null: the plan does not say. */
  partitioned: boolean | null;
  filesRead: Whole | null;
  bytesRead: Whole | null;
  partitionsRead: Whole | null;
  outputRows: Whole | null;
  /** Listing files and reading their metadata, on the driver before the first task. */
  metadataTimeMs: Whole | null;
  scanTimeMs: Whole | null;
  inCache: boolean;
  inSubquery: boolean;
}

const SCANS = new Set(["Scan", "BatchScan", "FileScan"]);

export function scanFacts(walk: PlanWalk): ScanFact[] {
  return walk.graph.nodes
    .filter(({ kind, inReused }) => SCANS.has(kind) && !inReused)
    .map((node) => scanFact(walk, node));
}

function scanFact(walk: PlanWalk, node: GraphNode): ScanFact {
  const fact = (key: string) => node.metadata?.[key] ?? listInText(node.simpleString, key);
  const location = node.metadata?.Location ?? /Location: (\S+\[[^\]]*)/.exec(node.simpleString)?.[1] ?? null;
  const isFileScan = node.metadata !== null || walk.hasMetric(node, "number of files read");
  return {
    nodeId: node.id,
    relation: relation(node, location),
    format: node.metadata?.Format ?? /Format: (\w+)/i.exec(node.simpleString)?.[1] ?? null,
    location,
    partitionFilters: fact("PartitionFilters"),
    pushedFilters: fact("PushedFilters"),
    dataFilters: fact("DataFilters"),
    partitioned: isFileScan ? walk.hasMetric(node, "number of partitions read") : null,
    filesRead: walk.metric(node, "number of files read", "number of files"),
    bytesRead: walk.metric(node, "size of files read"),
    partitionsRead: walk.metric(node, "number of partitions read"),
    outputRows: walk.metric(node, ...OUTPUT_ROWS),
    metadataTimeMs: walk.timeMs(node, "metadata time"),
    scanTimeMs: walk.timeMs(node, "scan time"),
    inCache: node.inCache,
    inSubquery: node.inSubquery,
  };
}

/** "PushedFilters: [...]" inside a simpleString, as data source v2 and JDBC print it. */
function listInText(text: string, key: string): string | null {
  const start = text.indexOf(`${key}: [`);
  if (start < 0) return null;
  let depth = 0;
  for (let at = start + key.length + 2; at < text.length; at++) {
    if (text[at] === "[") depth++;
    else if (text[at] === "]" && --depth === 0) return text.slice(start + key.length + 2, at + 1);
  }
  return text.slice(start + key.length + 2);
}

function relation(node: GraphNode, location: string | null): string {
  const words = node.name.split(/\s+/);
  const table =
    words.length > 2 || (node.kind === "BatchScan" && words.length > 1)
      ? words.slice(words.length > 2 ? 2 : 1).join(" ")
      : "";
  if (table !== "") return table;
  const path = location && /\[([^,\]]+)/.exec(location)?.[1];
  return path ?? node.name;
}
