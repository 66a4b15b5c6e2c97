import { countWhere } from "../stats/quantile.ts";
import { TASK_STATUS } from "../tasks/task-batch.ts";
import type { TaskBlock, TaskColumns } from "../tasks/task-columns.ts";

/** Indexes spread over more than this many times their number are sparse. */
const SPARSE = 32;

/** How many ended tasks of a stage attempt are of some kind, and when the first began and the last ended. */
export function countTasks(tasks: TaskColumns) {
  let speculative = 0;
  let withMetrics = 0;
  let spilling = 0;
  const launched = new ValueRange();
  const finished = new ValueRange();
  const ended = new ValueRange();
  const completed = new ValueRange();
  for (const block of tasks.blocks()) {
    speculative += countWhere(block.column("speculative"), (value) => value === 1);
    withMetrics += countWhere(block.column("executor_run_time_ms"), (value) => !Number.isNaN(value));
    spilling += countSpilling(block);
    launched.see(block.column("launch_time_ms"));
    finished.see(block.column("finish_time_ms"));
    ended.see(block.column("task_index"));
    completed.see(completedIndexes(block));
  }
  return {
    // A task id ends once: repeated lines are left out before.
    tasks: tasks.rows,
    completed_indices: distinct(tasks, completed, completedIndexes),
    ended_indices: distinct(tasks, ended, (block) => block.column("task_index")),
    speculative,
    tasks_with_metrics: withMetrics,
    spilling_tasks: spilling,
    last_task_finished_time_ms: finished.count === 0 ? null : finished.high,
    firstLaunch: launched.count === 0 ? null : launched.low,
  };
}

function countSpilling(block: TaskBlock): number {
  const memory = block.column("memory_bytes_spilled");
  const disk = block.column("disk_bytes_spilled");
  let found = 0;
  for (let row = 0; row < block.rows; row++) if ((memory[row] || disk[row] || 0) > 0) found++;
  return found;
}

/** Task indexes of the successful tasks of a block. */
function completedIndexes(block: TaskBlock): Float64Array {
  const index = block.column("task_index");
  const status = block.column("status");
  if (status.every((value) => value === TASK_STATUS.success)) return index;
  return index.filter((_, row) => status[row] === TASK_STATUS.success);
}

/** Least, largest and number of values; unknown ones apart. */
class ValueRange {
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;
  count = 0;
  unknown = 0;

  see(values: Float64Array): void {
    for (let row = 0; row < values.length; row++) {
      const value = values[row] as number;
      if (Number.isNaN(value)) {
        this.unknown++;
        continue;
      }
      this.count++;
      if (value < this.low) this.low = value;
      if (value > this.high) this.high = value;
    }
  }
}

/** How many different values there are, each unknown one for itself: ticked off where they are dense, else counted by sorting. */
function distinct(tasks: TaskColumns, range: ValueRange, read: (block: TaskBlock) => Float64Array): number {
  if (range.count === 0) return range.unknown;
  const isDense = range.high - range.low < SPARSE * range.count;
  const set = isDense ? new DenseValues(range) : new SparseValues(range);
  for (const block of tasks.blocks()) set.add(read(block));
  return set.size + range.unknown;
}

class DenseValues {
  readonly #low: number;
  readonly #seen: Uint8Array;
  size = 0;

  constructor({ low, high }: ValueRange) {
    this.#low = low;
    this.#seen = new Uint8Array(((high - low) >> 3) + 1);
  }

  add(values: Float64Array): void {
    const seen = this.#seen;
    for (let row = 0; row < values.length; row++) {
      const value = (values[row] as number) - this.#low;
      if (Number.isNaN(value)) continue;
      const bits = seen[value >> 3] as number;
      const bit = 1 << (value & 7);
      if ((bits & bit) === 0) this.size++;
      seen[value >> 3] = bits | bit;
    }
  }
}

/** A set of millions of numbers would cost ten times the memory. */
class SparseValues {
  readonly #values: Float64Array;
  #filled = 0;

  constructor({ count }: ValueRange) {
    this.#values = new Float64Array(count);
  }

  add(values: Float64Array): void {
    for (const value of values) if (!Number.isNaN(value)) this.#values[this.#filled++] = value;
  }

  get size(): number {
    const sorted = this.#values.sort();
    let found = 0;
    for (let at = 0; at < sorted.length; at++) if (at === 0 || sorted[at] !== sorted[at - 1]) found++;
    return found;
  }
}
