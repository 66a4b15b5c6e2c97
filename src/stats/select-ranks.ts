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
  let low = first;
  let next = from;
  let left = patience;
  while (next < to) {
    if (last - low < SMALL) {
      insertionSort(values, low, last);
      return;
    }
    if (left-- === 0) {
      values.subarray(low, last + 1).sort();
      return;
    }
    const lessEnd = partition(values, low, last);
    let split = next;
    while (split < to && (ranks[split] as number) <= lessEnd) split++;
    if (split > next) select(values, low, lessEnd, ranks, next, split, left);
    next = split;
    low = lessEnd + 1;
  }
}

/**
 * Cuts low..last around a median of three.
 * @returns the end of the first part: low..end holds nothing larger than end + 1..last; both parts hold something
 */
function partition(values: Float64Array, low: number, last: number): number {
  const pivot = medianOfThree(
    values[low] as number,
    values[(low + last) >> 1] as number,
    values[last] as number,
  );
  let up = low - 1;
  let down = last + 1;
  for (;;) {
    do up++;
    while ((values[up] as number) < pivot);
    do down--;
    while ((values[down] as number) > pivot);
    if (up >= down) return down === last ? down - 1 : down;
    const value = values[up] as number;
    values[up] = values[down] as number;
    values[down] = value;
  }
}

function medianOfThree(a: number, b: number, c: number): number {
  if (a < b) return b < c ? b : Math.max(a, c);
  return a < c ? a : Math.max(b, c);
}

function insertionSort(values: Float64Array, low: number, last: number): void {
  for (let index = low + 1; index <= last; index++) {
    const value = values[index] as number;
    let at = index - 1;
    while (at >= low && (values[at] as number) > value) {
      values[at + 1] = values[at] as number;
      at--;
    }
    values[at + 1] = value;
  }
}
