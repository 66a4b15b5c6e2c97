import { largeArray } from "./large-array.ts";

/** Positions in columns of millions of rows: chosen, sorted and looked up without an object for each. */

/** The positions that pass, in their order. A typed array's own filter makes an object of each that does. */
export function keep(positions: Int32Array, test: (position: number) => boolean): Int32Array {
  const kept = largeArray(Int32Array, countOf(positions, test));
  let count = 0;
  for (let i = 0; i < positions.length && count < kept.length; i++) {
    const position = positions[i] as number;
    if (test(position)) kept[count++] = position;
  }
  return kept;
}

/** @param test must give the same answer each time */
export function countOf(positions: Int32Array, test: (position: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < positions.length; i++) if (test(positions[i] as number)) count++;
  return count;
}

/** 0, 1, 2 ... */
export function positionsTo(count: number): Int32Array {
  const positions = largeArray(Int32Array, count);
  for (let i = 0; i < count; i++) positions[i] = i;
  return positions;
}

export function sumOf(positions: Int32Array, value: (position: number) => number): number {
  let total = 0;
  for (let i = 0; i < positions.length; i++) total += value(positions[i] as number);
  return total;
}

/** Marks positions: 1 where one is among them. */
export function maskOf(positions: Int32Array, length: number): Uint8Array {
  const mask = largeArray(Uint8Array, length);
  for (let i = 0; i < positions.length; i++) mask[positions[i] as number] = 1;
  return mask;
}

/**
 * Sorts positions in place by one number each and, where these are equal, by a second; equal ones keep their order.
 * Keys and places are packed into doubles where both fit: those are sorted without a copy and without a call a pair.
 */
export function sortPositions(
  positions: Int32Array,
  key: (position: number) => number,
  next?: (position: number) => number,
): Int32Array {
  const range = packable(positions, key);
  if (!range) {
    return positions.sort((a, b) => key(a) - key(b) || (next ? next(a) - next(b) : 0));
  }
  const { min, size } = range;
  const packed = largeArray(Float64Array, positions.length);
  for (let i = 0; i < packed.length; i++)
    packed[i] = (key(positions[i] as number) - min) * positions.length + i;
  packed.sort();
  for (let i = 0; i < packed.length; i++)
    packed[i] = positions[(packed[i] as number) % packed.length] as number;
  positions.set(packed);
  if (next && size > 0) sortTies(positions, key, next);
  return positions;
}

function sortTies(
  positions: Int32Array,
  key: (position: number) => number,
  next: (position: number) => number,
): void {
  for (let from = 0; from < positions.length; ) {
    const value = key(positions[from] as number);
    let to = from + 1;
    while (to < positions.length && key(positions[to] as number) === value) to++;
    if (to - from > 1) sortPositions(positions.subarray(from, to), next);
    from = to;
  }
}

/** Where key and place together fit an exact double. null: they do not, or a key is no integer. */
function packable(
  positions: Int32Array,
  key: (position: number) => number,
): { min: number; size: number } | null {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < positions.length; i++) {
    const value = key(positions[i] as number);
    if (!Number.isSafeInteger(value)) return null;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const size = positions.length;
  return size === 0 || (max - min + 1) * size <= Number.MAX_SAFE_INTEGER ? { min, size } : null;
}

/** A set of numbers, small integers nearly always. */
export class NumberSet {
  readonly #small: Uint8Array;
  readonly #others = new Set<number>();

  /** @param small numbers from 0 to below this take an eighth of a byte each, others some 40 */
  constructor(small: number) {
    this.#small = new Uint8Array((small + 7) >> 3);
  }

  add(value: number): void {
    const at = value >> 3;
    if (this.#isSmall(value)) this.#small[at] = (this.#small[at] ?? 0) | (1 << (value & 7));
    else this.#others.add(value);
  }

  has(value: number): boolean {
    return this.#isSmall(value)
      ? ((this.#small[value >> 3] ?? 0) & (1 << (value & 7))) !== 0
      : this.#others.has(value);
  }

  #isSmall(value: number): boolean {
    return value >= 0 && value < this.#small.length * 8 && Number.isInteger(value);
  }
}
