import type { StageExecutorRow } from "../store/rows.ts";
import type { StringTable } from "../tasks/string-table.ts";
import { TASK_STATUS, type TaskColumn } from "../tasks/task-batch.ts";
import type { TaskColumns } from "../tasks/task-columns.ts";
import type { StageKey } from "./summarize-stage.ts";

type Row = StageExecutorRow;

/** Sums of a stage's executor summary and the task columns they come from. */
const SUMS = [
  ["executor_run_time_ms", ["executor_run_time_ms"]],
  ["executor_cpu_time_ns", ["executor_cpu_time_ns"]],
  ["jvm_gc_time_ms", ["jvm_gc_time_ms"]],
  ["input_bytes_read", ["input_bytes_read"]],
  ["output_bytes_written", ["output_bytes_written"]],
  ["shuffle_bytes_read", ["remote_bytes_read", "local_bytes_read"]],
  ["shuffle_bytes_written", ["shuffle_bytes_written"]],
  ["memory_bytes_spilled", ["memory_bytes_spilled"]],
  ["disk_bytes_spilled", ["disk_bytes_spilled"]],
] as const satisfies readonly (readonly [keyof Row, readonly TaskColumn[]])[];

/** One row per executor that ended a task of the stage; sums beyond 2^53 are NULL. */
export function summarizeStageExecutors(stage: StageKey, tasks: TaskColumns, strings: StringTable): Row[] {
  const executor = tasks.column("executor");
  const host = tasks.column("host");
  const status = tasks.column("status");
  const launch = tasks.column("launch_time_ms");
  const finish = tasks.column("finish_time_ms");
  const slots = new Map<number, number>();
  const slotOf = new Int32Array(tasks.rows);
  const rows: Row[] = [];
  const durations: number[] = [];
  for (let row = 0; row < tasks.rows; row++) {
    const id = executor[row] ?? Number.NaN;
    let slot = slots.get(id);
    if (slot === undefined) {
      slot = rows.length;
      slots.set(id, slot);
      rows.push(emptyRow(stage, strings.text(id) ?? "unknown", strings.text(host[row] ?? -1) ?? null));
      durations.push(0);
    }
    slotOf[row] = slot;
    countEnd(rows[slot], status[row]);
    durations[slot] = (durations[slot] ?? 0) + (Math.max(0, (finish[row] ?? 0) - (launch[row] ?? 0)) || 0);
  }
  for (const [slot, row] of rows.entries()) row.duration_sum_ms = safe(durations[slot] ?? 0);
  for (const [sum, columns] of SUMS) addSums(rows, slotOf, sum, columns, tasks);
  return rows;
}

function addSums(
  rows: Row[],
  slotOf: Int32Array,
  sum: (typeof SUMS)[number][0],
  columns: readonly TaskColumn[],
  tasks: TaskColumns,
): void {
  const totals = new Float64Array(rows.length).fill(Number.NaN);
  for (const name of columns) {
    const values = tasks.column(name);
    for (let row = 0; row < tasks.rows; row++) {
      const value = values[row] ?? Number.NaN;
      const slot = slotOf[row] ?? 0;
      if (!Number.isNaN(value)) totals[slot] = (totals[slot] || 0) + value;
    }
  }
  for (const [slot, row] of rows.entries()) row[sum] = safe(totals[slot] ?? Number.NaN);
}

function countEnd(row: Row | undefined, status: number | undefined): void {
  if (!row) return;
  if (status === TASK_STATUS.success) row.succeeded = Number(row.succeeded) + 1;
  else if (status === TASK_STATUS.failed) row.failed = Number(row.failed) + 1;
  else row.killed = Number(row.killed) + 1;
}

function safe(sum: number): number | null {
  return Number.isSafeInteger(sum) ? sum : null;
}

function emptyRow(stage: StageKey, executor_id: string, host: string | null): Row {
  return {
    stage_id: stage.stage_id,
    stage_attempt_id: stage.stage_attempt_id,
    executor_id,
    host,
    succeeded: 0,
    failed: 0,
    killed: 0,
    duration_sum_ms: 0,
    executor_run_time_ms: null,
    executor_cpu_time_ns: null,
    jvm_gc_time_ms: null,
    input_bytes_read: null,
    output_bytes_written: null,
    shuffle_bytes_read: null,
    shuffle_bytes_written: null,
    memory_bytes_spilled: null,
    disk_bytes_spilled: null,
  };
}
