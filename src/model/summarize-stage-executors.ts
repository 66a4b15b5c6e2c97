import type { StageExecutorRow } from "../store/rows.ts";
import type { StringTable } from "../tasks/string-table.ts";
import { TASK_STATUS, type TaskColumn } from "../tasks/task-batch.ts";
import type { TaskBlock, TaskColumns } from "../tasks/task-columns.ts";
import { durationMs } from "./derived-columns.ts";
import type { StageKey } from "./summarize-stage.ts";

/** What is counted of each executor, in this order. */
const COUNTS = 4;
const [SUCCEEDED, FAILED, KILLED, DURATION] = [0, 1, 2, 3];

/** Columns that are added up, each to the place behind the counts; NaN: not reported. */
const SUMMED: readonly TaskColumn[][] = [
  ["executor_run_time_ms"],
  ["executor_cpu_time_ns"],
  ["jvm_gc_time_ms"],
  ["input_bytes_read"],
  ["output_bytes_written"],
  ["remote_bytes_read", "local_bytes_read"],
  ["shuffle_bytes_written"],
  ["memory_bytes_spilled"],
  ["disk_bytes_spilled"],
];

interface Executor {
  id: number;
  host: number;
  sums: Float64Array;
}

/** One row per executor that ended a task of the stage; sums beyond 2^53 are NULL. */
export function summarizeStageExecutors(
  stage: StageKey,
  tasks: TaskColumns,
  strings: StringTable,
): StageExecutorRow[] {
  const executors = new Executors();
  for (const block of tasks.blocks()) executors.add(block);
  return executors.list.map((executor) => executorRow(stage, executor, strings));
}

class Executors {
  readonly list: Executor[] = [];
  readonly #slots = new Map<number, number>();
  /** Slot of each row of the block being added. */
  readonly #slotOf: number[] = [];

  add(block: TaskBlock): void {
    const executor = block.column("executor");
    const host = block.column("host");
    const status = block.column("status");
    const launch = block.column("launch_time_ms");
    const finish = block.column("finish_time_ms");
    for (let row = 0; row < block.rows; row++) {
      const id = executor[row] as number;
      const slot = this.#slots.get(id) ?? this.#open(id, host[row] as number);
      this.#slotOf[row] = slot;
      this.#add(slot, endOf(status[row]), 1);
      this.#add(slot, DURATION, durationMs(launch[row], finish[row]));
    }
    for (let at = 0; at < SUMMED.length; at++)
      for (const name of SUMMED[at] as TaskColumn[]) this.#addColumn(COUNTS + at, block.column(name));
  }

  #open(id: number, host: number): number {
    const slot = this.list.length;
    const sums = new Float64Array(COUNTS + SUMMED.length).fill(Number.NaN, COUNTS);
    this.list.push({ id, host, sums });
    this.#slots.set(id, slot);
    return slot;
  }

  #addColumn(at: number, values: Float64Array): void {
    for (let row = 0; row < values.length; row++) {
      const value = values[row] as number;
      if (!Number.isNaN(value)) this.#add(this.#slotOf[row] as number, at, value);
    }
  }

  #add(slot: number, at: number, value: number): void {
    const { sums } = this.list[slot] as Executor;
    sums[at] = (sums[at] || 0) + value;
  }
}

function endOf(status: number | undefined): number {
  if (status === TASK_STATUS.success) return SUCCEEDED;
  return status === TASK_STATUS.failed ? FAILED : KILLED;
}

function executorRow(stage: StageKey, { id, host, sums }: Executor, strings: StringTable): StageExecutorRow {
  const sum = (at: number): number | null => (Number.isSafeInteger(sums[at]) ? (sums[at] as number) : null);
  return {
    stage_id: stage.stage_id,
    stage_attempt_id: stage.stage_attempt_id,
    executor_id: strings.text(id) ?? "unknown",
    host: strings.text(host) ?? null,
    succeeded: sum(SUCCEEDED) ?? 0,
    failed: sum(FAILED) ?? 0,
    killed: sum(KILLED) ?? 0,
    duration_sum_ms: sum(DURATION),
    executor_run_time_ms: sum(COUNTS),
    executor_cpu_time_ns: sum(COUNTS + 1),
    jvm_gc_time_ms: sum(COUNTS + 2),
    input_bytes_read: sum(COUNTS + 3),
    output_bytes_written: sum(COUNTS + 4),
    shuffle_bytes_read: sum(COUNTS + 5),
    shuffle_bytes_written: sum(COUNTS + 6),
    memory_bytes_spilled: sum(COUNTS + 7),
    disk_bytes_spilled: sum(COUNTS + 8),
  };
}
