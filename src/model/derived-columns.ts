import type { TaskColumn } from "../tasks/task-batch.ts";
import type { TaskBlock } from "../tasks/task-columns.ts";
import { BLOCK_ROWS } from "./stage-columns.ts";

/** Reused by every call. */
const values = new Float64Array(BLOCK_ROWS);

/** What the stage page shows beside the raw metrics, each as the values of a block: good until the next call. */
export const DERIVED_COLUMNS: readonly [string, (block: TaskBlock) => Float64Array][] = [
  ["duration_ms", duration],
  ["getting_result_duration_ms", gettingResult],
  ["scheduler_delay_ms", schedulerDelay],
  ["shuffle_bytes_read", (block) => add(block, "remote_bytes_read", "local_bytes_read")],
  ["total_blocks_fetched", (block) => add(block, "remote_blocks_fetched", "local_blocks_fetched")],
];

/** ms from launch to finish; 0 where one of them is unknown or they are out of order. */
export function durationMs(launch: number | undefined, finish: number | undefined): number {
  return Math.max(0, (finish ?? Number.NaN) - (launch ?? Number.NaN)) || 0;
}

/** Getting Result Time is when the driver began to fetch; 0: the result came with the message. */
function gettingResultMs(began: number | undefined, finish: number | undefined): number {
  return began !== undefined && began > 0 ? Math.max(0, (finish ?? Number.NaN) - began) : 0;
}

function duration(block: TaskBlock): Float64Array {
  const launch = block.column("launch_time_ms");
  const finish = block.column("finish_time_ms");
  for (let row = 0; row < block.rows; row++) values[row] = durationMs(launch[row], finish[row]);
  return values.subarray(0, block.rows);
}

function gettingResult(block: TaskBlock): Float64Array {
  const began = block.column("getting_result_time_ms");
  const finish = block.column("finish_time_ms");
  for (let row = 0; row < block.rows; row++) values[row] = gettingResultMs(began[row], finish[row]);
  return values.subarray(0, block.rows);
}

function schedulerDelay(block: TaskBlock): Float64Array {
  const launch = block.column("launch_time_ms");
  const finish = block.column("finish_time_ms");
  const began = block.column("getting_result_time_ms");
  const run = block.column("executor_run_time_ms");
  const deserialize = block.column("executor_deserialize_time_ms");
  const serialize = block.column("result_serialization_time_ms");
  for (let row = 0; row < block.rows; row++) {
    const used =
      (gettingResultMs(began[row], finish[row]) || 0) +
      (run[row] || 0) +
      (deserialize[row] || 0) +
      (serialize[row] || 0);
    values[row] = Math.max(0, durationMs(launch[row], finish[row]) - used);
  }
  return values.subarray(0, block.rows);
}

function add(block: TaskBlock, first: TaskColumn, second: TaskColumn): Float64Array {
  const a = block.column(first);
  const b = block.column(second);
  for (let row = 0; row < block.rows; row++) values[row] = (a[row] as number) + (b[row] as number);
  return values.subarray(0, block.rows);
}
