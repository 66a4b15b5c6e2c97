/** Which plug-in ran a node. */
export type Engine = "spark" | "photon" | "gluten" | "comet" | "rapids";

export interface NodeKind {
  /** Spark's operator: the name without a plug-in's prefix or suffix, table name, codegen number or skew mark. */
  kind: string;
  engine: Engine;
}

/** Names that do not become Spark's by dropping prefix and suffix. */
const KINDS: ReadonlyMap<string, NodeKind> = new Map(
  Object.entries({
    CustomShuffleReader: { kind: "AQEShuffleRead", engine: "spark" },
    DeltaOptimizedWriter: { kind: "DeltaOptimizedWriter", engine: "spark" },
    PhotonShuffleExchangeSink: { kind: "Exchange", engine: "photon" },
    PhotonShuffleExchangeSource: { kind: "ShuffleExchangeSource", engine: "photon" },
    PhotonAgg: { kind: "HashAggregate", engine: "photon" },
    PhotonGroupingAgg: { kind: "HashAggregate", engine: "photon" },
    PhotonTopK: { kind: "TakeOrderedAndProject", engine: "photon" },
    GpuColumnarExchange: { kind: "Exchange", engine: "rapids" },
    GpuOptimizeWriteExchange: { kind: "Exchange", engine: "rapids" },
    GpuCustomShuffleReader: { kind: "AQEShuffleRead", engine: "rapids" },
    GpuShuffledSymmetricHashJoin: { kind: "ShuffledHashJoin", engine: "rapids" },
    GpuShuffledSizedHashJoin: { kind: "ShuffledHashJoin", engine: "rapids" },
    GpuShuffledAsymmetricHashJoin: { kind: "ShuffledHashJoin", engine: "rapids" },
    GpuRunningWindow: { kind: "Window", engine: "rapids" },
    GpuBatchedBoundedWindow: { kind: "Window", engine: "rapids" },
    GpuCachedDoublePassWindow: { kind: "Window", engine: "rapids" },
    ColumnarExchange: { kind: "Exchange", engine: "gluten" },
    CudfColumnarExchange: { kind: "Exchange", engine: "gluten" },
    ColumnarBroadcastExchange: { kind: "BroadcastExchange", engine: "gluten" },
    ColumnarCollectLimit: { kind: "CollectLimit", engine: "gluten" },
    NativeFileScan: { kind: "Scan", engine: "gluten" },
    FileSourceScanExecTransformer: { kind: "Scan", engine: "gluten" },
    FileScanTransformer: { kind: "Scan", engine: "gluten" },
    VeloxResizeBatches: { kind: "VeloxResizeBatches", engine: "gluten" },
    RowToVeloxColumnar: { kind: "RowToColumnar", engine: "gluten" },
    VeloxColumnarToRow: { kind: "ColumnarToRow", engine: "gluten" },
    InputIteratorTransformer: { kind: "InputIteratorTransformer", engine: "gluten" },
    CometExchange: { kind: "Exchange", engine: "comet" },
    CometColumnarExchange: { kind: "Exchange", engine: "comet" },
    CometHashJoin: { kind: "ShuffledHashJoin", engine: "comet" },
    CometNativeScan: { kind: "Scan", engine: "comet" },
    CometSparkColumnarToColumnar: { kind: "RowToColumnar", engine: "comet" },
    CometSparkRowToColumnar: { kind: "RowToColumnar", engine: "comet" },
  }),
);

/** Operators whose name Gluten decorates beyond its suffix. */
const GLUTEN_PREFIX = /^(?:Regular|Flushable|Velox|CH)(?=[A-Z])/;

/** Maps a nodeName to Spark's operator. Names are compared whole: a table may be called exchange. */
export function nodeKind(nodeName: string): NodeKind {
  const name = nodeName.trim();
  if (/^\w*Scan In-memory table/.test(name)) return { kind: "InMemoryTableScan", engine: "spark" };
  if (name.startsWith("Execute ")) return { kind: name.split(/\s+/)[1] ?? "Execute", engine: "spark" };
  // "Scan parquet db.t", "BatchScan t", "WholeStageCodegen (3)", "SortMergeJoin(skew=true)".
  const operator = /^[^\s(]+/.exec(name)?.[0] ?? name;
  const known = KINDS.get(operator);
  if (known) return known;
  for (const [prefix, engine] of [
    ["Photon", "photon"],
    ["Gpu", "rapids"],
    ["Comet", "comet"],
  ] as const) {
    if (operator.startsWith(prefix) && operator.length > prefix.length) {
      return { kind: operator.slice(prefix.length), engine };
    }
  }
  const transformer = /^(.+?)(?:Exec)?Transformer$/.exec(operator)?.[1];
  if (transformer) return { kind: transformer.replace(GLUTEN_PREFIX, ""), engine: "gluten" };
  return { kind: operator, engine: "spark" };
}

const JOINS = new Set([
  "SortMergeJoin",
  "BroadcastHashJoin",
  "ShuffledHashJoin",
  "BroadcastNestedLoopJoin",
  "CartesianProduct",
]);

export function isJoin(kind: string): boolean {
  return JOINS.has(kind);
}

/** Operators that shuffle without an Exchange node in the plan. RAPIDS shows an Exchange of its own for them. */
const HIDDEN_SHUFFLES = new Set([
  "TakeOrderedAndProject",
  "CollectLimit",
  "CollectTail",
  "DeltaOptimizedWriter",
]);

export function isHiddenShuffle({ kind, engine }: NodeKind): boolean {
  return HIDDEN_SHUFFLES.has(kind) && engine !== "rapids";
}
