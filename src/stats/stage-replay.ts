/** A stage attempt to replay: when it was submitted, and how long each of its task attempts took, in the order of task ids. */
export interface ReplayStage {
  submittedMs: number;
  durationsMs: ArrayLike<number>;
}

/** One slot of an executor and the time in which it could run tasks. */
export interface ReplaySlot {
  fromMs: number;
  untilMs: number;
}

/**
 * Replays stages that share slots, first submitted first served, without looking at when tasks were launched.
 * @returns wall clock of each stage, first launch to last end, ms; null where no slot was left to run it
 */
export function replayStages(
  stages: readonly ReplayStage[],
  slots: readonly ReplaySlot[],
): (number | null)[] {
  const order = stages.map((_, i) => i).sort((a, b) => submitted(stages, a) - submitted(stages, b) || a - b);
  const next = stages.map(() => 0);
  const span = stages.map(() => ({ first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY }));
  const free = new SlotHeap(slots);
  for (let slot = free.pop(); slot !== null; slot = free.pop()) {
    if (slot.freeMs >= slot.untilMs) continue;
    const stage = order.find(
      (i) => submitted(stages, i) <= slot.freeMs && (next[i] ?? 0) < length(stages, i),
    );
    if (stage === undefined) {
      const later = order.find(
        (i) => submitted(stages, i) > slot.freeMs && (next[i] ?? 0) < length(stages, i),
      );
      if (later !== undefined) free.push({ ...slot, freeMs: submitted(stages, later) });
      continue;
    }
    const task = next[stage] ?? 0;
    next[stage] = task + 1;
    const end = slot.freeMs + (stages[stage]?.durationsMs[task] ?? 0);
    const seen = span[stage];
    if (seen) {
      seen.first = Math.min(seen.first, slot.freeMs);
      seen.last = Math.max(seen.last, end);
    }
    free.push({ ...slot, freeMs: end });
  }
  return span.map(({ first, last }, i) =>
    (next[i] ?? 0) < length(stages, i) || last < first ? null : last - first,
  );
}

function submitted(stages: readonly ReplayStage[], i: number): number {
  return stages[i]?.submittedMs ?? 0;
}

function length(stages: readonly ReplayStage[], i: number): number {
  return stages[i]?.durationsMs.length ?? 0;
}

interface FreeSlot {
  freeMs: number;
  untilMs: number;
}

/** Slots by the time at which they are free: a binary heap. */
class SlotHeap {
  readonly #heap: FreeSlot[];

  constructor(slots: readonly ReplaySlot[]) {
    this.#heap = [];
    for (const { fromMs, untilMs } of slots) this.push({ freeMs: fromMs, untilMs });
  }

  push(slot: FreeSlot): void {
    const heap = this.#heap;
    let at = heap.push(slot) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (!above || above.freeMs <= slot.freeMs) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = slot;
  }

  pop(): FreeSlot | null {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (!top || !last) return null;
    if (heap.length === 0) return top;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      const child = right && left && right.freeMs < left.freeMs ? right : left;
      if (!child || child.freeMs >= last.freeMs) break;
      const childAt = child === left ? 2 * at + 1 : 2 * at + 2;
      heap[at] = child;
      at = childAt;
    }
    heap[at] = last;
    return top;
  }
}
