import { positionsTo, sortPositions } from "../stats/positions.ts";

/** One life of an executor as far as slots go. null: its beginning or end is not in the log. */
export interface SlotLife {
  addedMs: number | null;
  removedMs: number | null;
  slots: number;
}

/** How many tasks could run at once, at any time: built once, asked for each stage. An application may have 100,000 lives. */
export class WorkerSlots {
  /** Times at which the number changes, ascending, removals first; after each the slots, and the most up to there. */
  readonly #times: Float64Array;
  readonly #most: Float64Array;
  readonly #now: Float64Array;
  /** Slots x ms from the first known time up to each change: relative times keep the sums exact. */
  readonly #area: Float64Array;

  constructor(lives: readonly SlotLife[]) {
    const count = lives.length;
    const timeOf = (at: number): number => {
      const life = lives[at >> 1];
      return (
        (at & 1 ? life?.removedMs : life?.addedMs) ??
        (at & 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)
      );
    };
    const changeOf = (at: number): number => (at & 1 ? -1 : 1) * (lives[at >> 1]?.slots ?? 0);
    const known = keepFinite(positionsTo(2 * count), timeOf);
    const order = sortPositions(known, timeOf, changeOf);
    let now = 0;
    for (const life of lives) if (life.addedMs === null) now += life.slots;
    let most = now;
    let area = 0;
    this.#times = Float64Array.from(order, timeOf);
    this.#most = new Float64Array(order.length + 1).fill(most);
    this.#now = new Float64Array(order.length + 1).fill(now);
    this.#area = new Float64Array(order.length + 1);
    for (let i = 0; i < order.length; i++) {
      if (i > 0) area += now * ((this.#times[i] as number) - (this.#times[i - 1] as number));
      now += changeOf(order[i] as number);
      most = Math.max(most, now);
      this.#now[i + 1] = now;
      this.#most[i + 1] = most;
      this.#area[i + 1] = area;
    }
  }

  /** Averaged over a stretch of time. */
  average(fromMs: number, toMs: number): number {
    return (this.#areaUpTo(toMs) - this.#areaUpTo(fromMs)) / (toMs - fromMs);
  }

  /** Most at one moment up to a time. */
  peak(untilMs: number): number {
    return this.#most[this.#changesUpTo(untilMs)] ?? 0;
  }

  /** From the first change on; before it the number is the first one. */
  #areaUpTo(timeMs: number): number {
    const at = this.#changesUpTo(timeMs);
    const since = this.#times[Math.max(0, at - 1)] ?? 0;
    return (this.#area[at] ?? 0) + (this.#now[at] ?? 0) * (timeMs - since);
  }

  #changesUpTo(timeMs: number): number {
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#times[middle] as number) <= timeMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function keepFinite(positions: Int32Array, timeOf: (at: number) => number): Int32Array {
  return positions.filter((at) => Number.isFinite(timeOf(at)));
}
