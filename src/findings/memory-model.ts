import { formatBytes } from "../format/bytes.ts";
import type { App } from "./app.ts";
import { describeSetting, parseBytes } from "./settings.ts";

/** Kept back by Spark before it divides the heap (UnifiedMemoryManager's reserved system memory). */
const RESERVED_BYTES = 300 * 1024 ** 2;
const MIN_OVERHEAD_BYTES = 384 * 1024 ** 2;

/** How an executor's memory divides, so that any memory advice names its numbers. */
export interface MemoryModel {
  heapBytes: number;
  /** Execution and storage together. */
  unifiedBytes: number;
  /** Part of it in which cached blocks are safe from eviction. */
  storageBytes: number;
  overheadBytes: number;
  pythonBytes: number | null;
  tasks: number;
  /** Execution memory of one task with a full cache, and with none. */
  perTaskLowBytes: number;
  perTaskHighBytes: number;
  text: string;
}

/** null: the heap's size is not in the log. */
export function memoryModel(app: App): MemoryModel | null {
  const { settings } = app;
  const heap = executorHeap(app);
  if (heap === null || heap.bytes <= RESERVED_BYTES) return null;
  const heapBytes = heap.bytes;
  const fraction = settings.number("spark.memory.fraction") ?? 0.6;
  const storageFraction = settings.number("spark.memory.storageFraction") ?? 0.5;
  const unifiedBytes = (heapBytes - RESERVED_BYTES) * fraction;
  const overhead = parseBytes(withUnit(settings.get("spark.executor.memoryOverhead").value, "m"));
  const factor = settings.number("spark.executor.memoryOverheadFactor") ?? 0.1;
  const overheadBytes = overhead ?? Math.max(MIN_OVERHEAD_BYTES, factor * heapBytes);
  const pythonBytes = parseBytes(withUnit(settings.get("spark.executor.pyspark.memory").value, "m"));
  const tasks = tasksPerExecutor(app);
  const storageBytes = unifiedBytes * storageFraction;
  const low = (unifiedBytes - storageBytes) / tasks;
  const high = unifiedBytes / tasks;
  const text = `memory model: heap ${formatBytes(heapBytes)} (${heap.source}) - 300 MiB reserved, x ${fraction} = ${formatBytes(unifiedBytes)} for execution and storage (${formatBytes(storageBytes)} of it safe for cached blocks); ${tasks} task${tasks === 1 ? "" : "s"} an executor share the rest: ${formatBytes(low)} to ${formatBytes(high)} of execution memory a task; beside the heap ${formatBytes(overheadBytes)} overhead${pythonBytes === null ? "" : ` and ${formatBytes(pythonBytes)} for Python`}`;
  return {
    heapBytes,
    unifiedBytes,
    storageBytes,
    overheadBytes,
    pythonBytes,
    tasks,
    perTaskLowBytes: low,
    perTaskHighBytes: high,
    text,
  };
}

/** Sizes of memory settings without a unit are MiB. */
function withUnit(value: string | null, unit: string): string | null {
  return value !== null && /^\s*\d+\s*$/.test(value) ? `${value.trim()}${unit}` : value;
}

function executorHeap(app: App): { bytes: number; source: string } | null {
  const id = app.target?.stage.resource_profile_id ?? 0;
  const asked = app.facts.resourceProfiles.find(
    (r) => r.resource_profile_id === id && r.kind === "executor" && r.resource === "memory",
  )?.amount;
  if (asked && asked > 0) return { bytes: asked * 1024 ** 2, source: `resource profile ${id}` };
  const setting = app.settings.get("spark.executor.memory");
  const bytes = parseBytes(withUnit(setting.value, "m"));
  return bytes === null ? null : { bytes, source: describeSetting(setting) };
}

function tasksPerExecutor(app: App): number {
  const worked = app.facts.executors.filter((e) => e.completed_tasks > 0);
  return worked.reduce((most, e) => Math.max(most, app.slotsOf(e.executor_id)), 1);
}
