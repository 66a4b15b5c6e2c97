import { array, bool, int, type Json, object, smallInt, text, time } from "../json.ts";
import { executorId } from "./executor-id.ts";
import type { StringTable } from "./string-table.ts";
import { BATCH_ROWS, TASK_COLUMN, TASK_STATUS, type TaskBatch, type TaskColumn } from "./task-batch.ts";
import { countedAs } from "./task-failure.ts";

/** Locality levels by their number in task_data.locality. */
export const LOCALITIES = ["PROCESS_LOCAL", "NODE_LOCAL", "NO_PREF", "RACK_LOCAL", "ANY"];

/** Number of a locality level in task_data.locality; NaN for an unknown one. */
function localityCode(locality: unknown): number {
  const code = LOCALITIES.indexOf(text(locality) ?? "");
  return code < 0 ? Number.NaN : code;
}

/** Task Metrics by column: object inside Task Metrics ("" for itself) and key. */
const METRICS: readonly [TaskColumn, string, string][] = [
  ["executor_deserialize_time_ms", "", "Executor Deserialize Time"],
  ["executor_deserialize_cpu_time_ns", "", "Executor Deserialize CPU Time"],
  ["executor_run_time_ms", "", "Executor Run Time"],
  ["executor_cpu_time_ns", "", "Executor CPU Time"],
  ["peak_execution_memory_bytes", "", "Peak Execution Memory"],
  ["result_size_bytes", "", "Result Size"],
  ["jvm_gc_time_ms", "", "JVM GC Time"],
  ["result_serialization_time_ms", "", "Result Serialization Time"],
  ["memory_bytes_spilled", "", "Memory Bytes Spilled"],
  ["disk_bytes_spilled", "", "Disk Bytes Spilled"],
  ["remote_blocks_fetched", "Shuffle Read Metrics", "Remote Blocks Fetched"],
  ["local_blocks_fetched", "Shuffle Read Metrics", "Local Blocks Fetched"],
  ["fetch_wait_time_ms", "Shuffle Read Metrics", "Fetch Wait Time"],
  ["remote_bytes_read", "Shuffle Read Metrics", "Remote Bytes Read"],
  ["local_bytes_read", "Shuffle Read Metrics", "Local Bytes Read"],
  ["remote_bytes_read_to_disk", "Shuffle Read Metrics", "Remote Bytes Read To Disk"],
  ["shuffle_records_read", "Shuffle Read Metrics", "Total Records Read"],
  ["remote_requests_duration_ms", "Shuffle Read Metrics", "Remote Requests Duration"],
  ["shuffle_bytes_written", "Shuffle Write Metrics", "Shuffle Bytes Written"],
  ["shuffle_write_time_ns", "Shuffle Write Metrics", "Shuffle Write Time"],
  ["shuffle_records_written", "Shuffle Write Metrics", "Shuffle Records Written"],
  ["input_bytes_read", "Input Metrics", "Bytes Read"],
  ["input_records_read", "Input Metrics", "Records Read"],
  ["output_bytes_written", "Output Metrics", "Bytes Written"],
  ["output_records_written", "Output Metrics", "Records Written"],
];

/** Metrics that are nearly always 0 and then not stored (table task_extra): object, key, name there. */
const EXTRAS: readonly [string, string, string][] = [
  ["", "Peak On Heap Execution Memory", "peak_on_heap_execution_memory_bytes"],
  ["", "Peak Off Heap Execution Memory", "peak_off_heap_execution_memory_bytes"],
  ["push", "Corrupt Merged Block Chunks", "corrupt_merged_block_chunks"],
  ["push", "Merged Fetch Fallback Count", "merged_fetch_fallback_count"],
  ["push", "Merged Remote Blocks Fetched", "merged_remote_blocks_fetched"],
  ["push", "Merged Local Blocks Fetched", "merged_local_blocks_fetched"],
  ["push", "Merged Remote Chunks Fetched", "merged_remote_chunks_fetched"],
  ["push", "Merged Local Chunks Fetched", "merged_local_chunks_fetched"],
  ["push", "Merged Remote Bytes Read", "merged_remote_bytes_read"],
  ["push", "Merged Local Bytes Read", "merged_local_bytes_read"],
  ["push", "Merged Remote Requests Duration", "merged_remote_requests_duration_ms"],
];

/** Values of a TaskEnd that had to be set aside. */
export interface OddValues {
  /** Metrics that were negative, fractional or no number. */
  values: number;
  /** Launch or finish times that are absent, impossible or in the wrong order. */
  times: number;
}

/**
 * Appends the task of a TaskEnd to a batch: the plain reading of the event, which the byte scanner must equal.
 * @returns what was odd about it
 */
export function appendTaskEnd(json: Json, batch: TaskBatch, strings: StringTable): OddValues {
  const info = object(json["Task Info"]);
  const row = batch.rows;
  const odd: OddValues = { values: 0, times: 0 };
  for (const column of batch.columns) column[row] = Number.NaN;
  const set = (name: TaskColumn, value: number | null) => {
    if (value !== null) batch.column(name)[row] = value;
  };
  const reason = text(object(json["Task End Reason"]).Reason) ?? "Success";
  const launch = time(info["Launch Time"]);
  const finish = time(info["Finish Time"]);
  if (launch === null || finish === null || finish < launch) odd.times++;
  set("stage_id", smallInt(json["Stage ID"]));
  set("stage_attempt_id", smallInt(json["Stage Attempt ID"]) ?? 0);
  set("task_id", smallInt(info["Task ID"]));
  set("task_index", smallInt(info.Index));
  set("attempt_number", smallInt(info.Attempt));
  set("partition_id", smallInt(info["Partition ID"]));
  set("launch_time_ms", launch);
  set("finish_time_ms", finish);
  set("getting_result_time_ms", time(info["Getting Result Time"]) ?? 0);
  set("executor", strings.id(executorId(info["Executor ID"]) ?? "unknown"));
  const host = text(info.Host);
  set("host", host === null ? null : strings.id(host));
  set("locality", localityCode(info.Locality));
  set("speculative", Number(bool(info.Speculative) ?? false));
  set("status", reason === "Success" ? TASK_STATUS.success : TASK_STATUS[countedAs(reason)]);
  const metrics = json["Task Metrics"];
  if (typeof metrics === "object" && metrics !== null) appendMetrics(object(metrics), batch, odd);
  appendUpdates(info, batch);
  batch.endRow();
  return odd;
}

/**
 * Appends the task of a TaskStart to a batch, as a running one: the plain reading of the event.
 * @returns false where it names no task or stage
 */
export function appendTaskStart(json: Json, batch: TaskBatch, strings: StringTable): boolean {
  const info = object(json["Task Info"]);
  const taskId = smallInt(info["Task ID"]);
  const stageId = smallInt(json["Stage ID"]);
  if (taskId === null || stageId === null) return false;
  const row = batch.rows;
  for (const column of batch.columns) column[row] = Number.NaN;
  const set = (name: TaskColumn, value: number | null) => {
    if (value !== null) batch.column(name)[row] = value;
  };
  set("stage_id", stageId);
  set("stage_attempt_id", smallInt(json["Stage Attempt ID"]) ?? 0);
  set("task_id", taskId);
  set("task_index", smallInt(info.Index));
  set("attempt_number", smallInt(info.Attempt));
  set("partition_id", smallInt(info["Partition ID"]));
  set("launch_time_ms", time(info["Launch Time"]));
  set("executor", strings.id(executorId(info["Executor ID"]) ?? "unknown"));
  const host = text(info.Host);
  set("host", host === null ? null : strings.id(host));
  set("locality", localityCode(info.Locality));
  set("speculative", Number(bool(info.Speculative) ?? false));
  set("status", TASK_STATUS.running);
  batch.endRow();
  return true;
}

function appendMetrics(metrics: Json, batch: TaskBatch, odd: OddValues): void {
  for (const [name, group, key] of METRICS) {
    const value = (group === "" ? metrics : object(metrics[group]))[key];
    if (value === undefined || value === null) continue;
    const exact = int(value);
    if (exact === null || exact < 0 || typeof value === "string") {
      odd.values++;
      continue;
    }
    batch.column(name)[batch.rows] = Number(exact);
    if (typeof exact === "bigint") batch.big.set(TASK_COLUMN[name] * BATCH_ROWS + batch.rows, exact);
  }
}

/** SQL metric updates are strings that hold integers; anything else under that flag is set aside. */
function appendUpdates(info: Json, batch: TaskBatch): void {
  for (const item of array(info.Accumulables)) {
    const accumulable = object(item);
    if (accumulable.Metadata !== "sql") continue;
    const id = smallInt(accumulable.ID);
    const update = int(accumulable.Update);
    if (id === null || update === null) continue;
    batch.addUpdate(id, Number(update), typeof update === "bigint" ? update : undefined);
  }
}

/** Rare metrics of a TaskEnd that are not zero. */
export function taskExtras(json: Json): { metric: string; value: number | bigint }[] {
  const metrics = object(json["Task Metrics"]);
  const read = object(metrics["Shuffle Read Metrics"]);
  // The newest versions write the object under another name; logs of both kinds exist.
  const push = object(read["Push Based Shuffle"] ?? read["Shuffle Push Read Metrics"]);
  const extras: { metric: string; value: number | bigint }[] = [];
  for (const [group, key, metric] of EXTRAS) {
    const value = int((group === "" ? metrics : push)[key]);
    if (value !== null && value > 0) extras.push({ metric, value });
  }
  return extras;
}
