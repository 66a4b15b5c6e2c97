/** Ranges shorter than this are sorted outright. */
const SMALL = 24;

/**
 * Rearranges values so that those at the given positions are the ones sorting would put there: several times faster
 * than sorting for a handful of positions.
 * @param values without NaN
 * @param ranks positions, ascending
 */
export function selectRanks(values: Float64Array, ranks: readonly number[]): void {
  // Cuts that halve badly again and again make it quadratic; then the rest is sorted.
  const patience = 2 * Math.ceil(Math.log2(values.length + 2)) + 8;
  select(values, 0, values.length - 1, ranks, 0, ranks.length, patience);
}

/** Puts ranks[from..to), which all lie in first..last, in their places. */
function select(
  values: Float64Array,
  first: number,
  last: number,
  ranks: readonly number[],
  from: number,
  to: number,
  patience: number,
): void {
  let [low, next, left] = [first, from, patience];
  while (next < to) {
    if (last - low < SMALL || left-- === 0) {
      values.subarray(low, last + 1).sort();
      return;
    }
    const [lessEnd, moreStart] = partition(values, low, last);
    let split = next;
    while (split < to && (ranks[split] ?? 0) <= lessEnd) split++;
    select(values, low, lessEnd, ranks, next, split, left);
    // Ranks between the two parts are in place already.
    while (split < to && (ranks[split] ?? 0) < moreStart) split++;
    next = split;
    low = moreStart;
  }
}

/** Cuts low..last around a median of three: low..[0] holds nothing larger, [1]..last nothing smaller than between. */
function partition(values: Float64Array, low: number, last: number): [number, number] {
  const pivot = medianOfThree(
    values[low] as number,
    values[(low + last) >> 1] as number,
    values[last] as number,
  );
  let up = low;
  let down = last;
  while (up <= down) {
    while ((values[up] as number) < pivot) up++;
    while ((values[down] as number) > pivot) down--;
    if (up <= down) {
      const value = values[up] as number;
      values[up++] = values[down] as number;
      values[down--] = value;
    }
  }
  return [down, up];
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
