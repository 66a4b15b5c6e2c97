import { largeArray } from "./large-array.ts";

/** Another run time for a task, told by its own and its position: millions of tasks are replayed without a copy. */
export type Change = (ms: number, task: number) => number;

const asItIs: Change = (ms) => ms;

/**
 * Wall clock of tasks on a number of slots, ms: each task in the given order starts on the slot that is free first,
 * as Spark's scheduler hands tasks out.
 * @param runTimes ms, in launch order
 * @param slots tasks that may run at once; rounded, at least 1
 * @param change what a time is replaced by
 */
export function replay(runTimes: ArrayLike<number>, slots: number, change: Change = asItIs): number {
  const free = new SlotQueue(Math.max(1, Math.min(Math.round(slots), runTimes.length)));
  let end = 0;
  for (let i = 0; i < runTimes.length; i++) {
    end = Math.max(end, free.run(change(runTimes[i] ?? 0, i)));
  }
  return end;
}

/**
 * The same where an attempt may have to wait for another one: the retry of a task starts when the attempt before it ended.
 * @param after position of the attempt that each waits for, before its own; -1: it waits for a slot only
 */
export function replayAttempts(runTimes: ArrayLike<number>, after: ArrayLike<number>, slots: number): number {
  const free = new SlotQueue(Math.max(1, Math.min(Math.round(slots), runTimes.length)));
  const ends = largeArray(Float64Array, runTimes.length);
  let end = 0;
  for (let i = 0; i < runTimes.length; i++) {
    const earlier = after[i] ?? -1;
    ends[i] = free.run(runTimes[i] ?? 0, earlier < 0 ? 0 : (ends[earlier] ?? 0));
    end = Math.max(end, ends[i] ?? 0);
  }
  return end;
}

/** Shortest possible wall clock of the tasks: their work spread evenly, or the longest of them. */
export function lowerBound(runTimes: ArrayLike<number>, slots: number, change: Change = asItIs): number {
  let total = 0;
  let longest = 0;
  for (let i = 0; i < runTimes.length; i++) {
    const time = change(runTimes[i] ?? 0, i);
    total += time;
    if (time > longest) longest = time;
  }
  return Math.max(total / Math.max(1, slots), longest);
}

/** Times at which slots become free, as a binary heap. */
class SlotQueue {
  readonly #free: Float64Array;

  constructor(slots: number) {
    this.#free = new Float64Array(slots);
  }

  /** Runs a task on the slot that is free first, not before a moment; returns when it ends. */
  run(time: number, notBefore = 0): number {
    const heap = this.#free;
    const end = Math.max(heap[0] ?? 0, notBefore) + time;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const child = right < heap.length && (heap[right] ?? 0) < (heap[left] ?? 0) ? right : left;
      if ((heap[child] ?? 0) >= end) break;
      heap[at] = heap[child] ?? 0;
      at = child;
    }
    heap[at] = end;
    return end;
  }
}
