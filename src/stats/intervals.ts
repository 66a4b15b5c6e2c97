/** A stretch of time, ms since the epoch, end not included. */
export interface Interval {
  startMs: number;
  endMs: number;
}

/** Sorted and merged; empty stretches are dropped. */
export function union(intervals: readonly Interval[]): Interval[] {
  return unionOfSorted(intervals.toSorted((a, b) => a.startMs - b.startMs));
}

/** The union of stretches that come ordered by their start: a stream of any length, merged as it comes. */
export function unionOfSorted(intervals: Iterable<Interval>): Interval[] {
  const merged: Interval[] = [];
  for (const { startMs, endMs } of intervals) {
    if (endMs <= startMs) continue;
    const last = merged.at(-1);
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else merged.push({ startMs, endMs });
  }
  return merged;
}

/** What lies in both; each list sorted and without overlap, as union makes it. */
export function intersect(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  const common: Interval[] = [];
  let j = 0;
  for (const left of a) {
    while (j < b.length && (b[j]?.endMs ?? 0) <= left.startMs) j++;
    for (let k = j; k < b.length; k++) {
      const right = b[k];
      if (!right || right.startMs >= left.endMs) break;
      common.push({
        startMs: Math.max(left.startMs, right.startMs),
        endMs: Math.min(left.endMs, right.endMs),
      });
    }
  }
  return common;
}

/** What lies in a and not in b; each list sorted and without overlap, as union makes it. */
export function subtract(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  const gaps: Interval[] = [];
  let from = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs } of b) {
    gaps.push({ startMs: from, endMs: startMs });
    from = endMs;
  }
  gaps.push({ startMs: from, endMs: Number.POSITIVE_INFINITY });
  return intersect(a, gaps);
}

export function total(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}
