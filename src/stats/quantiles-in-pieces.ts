import { type QuantileName, quantileRanks } from "./quantiles.ts";
import { selectRanks } from "./select-ranks.ts";

/** Values gathered at once to select among them: 2 MB. */
export const GATHERED_VALUES = 1 << 18;
/** Parts that a range of values is cut into. */
const BUCKETS = 4096;

/** More values than should be held at once. */
export interface ValuePieces {
  count: number;
  min: number;
  max: number;
  /** All values, a piece at a time, as often as is asked; without NaN. A piece is good until the next. */
  pieces(): Iterable<Float64Array>;
}

/**
 * All of QUANTILES of any number of values, exactly, in bounded memory: the range of values is cut into parts and
 * counted, then only the parts that hold a quantile are looked into. null for no values.
 * @param gathered how many values may be held at once
 */
export function quantilesInPieces(
  values: ValuePieces,
  gathered: number = GATHERED_VALUES,
): Record<QuantileName, number> | null {
  const ranks = quantileRanks(values.count);
  if (!ranks) return null;
  const found = new Map<number, number>();
  const wanted = [...new Set(Object.values(ranks))];
  select(values, { min: values.min, max: values.max, below: 0, ranks: wanted }, gathered, found);
  const at = (rank: number): number => found.get(rank) ?? Number.NaN;
  return {
    min: at(ranks.min),
    p05: at(ranks.p05),
    p25: at(ranks.p25),
    p50: at(ranks.p50),
    p75: at(ranks.p75),
    p95: at(ranks.p95),
    p99: at(ranks.p99),
    max: at(ranks.max),
  };
}

/** Values of a piece of those that are told by their position. */
const PIECE_VALUES = 1 << 14;

/** The value at one rank of `count` values, exactly. NaN ranks nowhere: the value is NaN where too few others are there. */
export function rankInPieces(count: number, valueAt: (i: number) => number, rank: number): number {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const value = valueAt(i);
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const buffer = new Float64Array(Math.min(count, PIECE_VALUES));
  const values: ValuePieces = {
    count,
    min,
    max,
    *pieces() {
      for (let from = 0; from < count; from += buffer.length) {
        const size = Math.min(buffer.length, count - from);
        for (let i = 0; i < size; i++) buffer[i] = valueAt(from + i);
        yield buffer.subarray(0, size);
      }
    },
  };
  const found = new Map<number, number>();
  select(values, { min, max, below: 0, ranks: [rank] }, GATHERED_VALUES, found);
  return found.get(rank) ?? Number.NaN;
}

/** A range of values, how many values are below it, and the ranks in it, ascending. */
interface Range {
  min: number;
  max: number;
  below: number;
  ranks: number[];
}

interface Part extends Range {
  count: number;
}

function select(values: ValuePieces, range: Range, limit: number, found: Map<number, number>): void {
  if (range.min === range.max) {
    for (const rank of range.ranks) found.set(rank, range.min);
    return;
  }
  const parts = partsWithRanks(values, range);
  if (parts.reduce((sum, part) => sum + part.count, 0) <= limit) gather(values, parts, found);
  else for (const part of parts) select(values, part, limit, found);
}

/** Counts the values of a range by part. @returns the parts in which a rank stands */
function partsWithRanks(values: ValuePieces, range: Range): Part[] {
  const buckets = new Buckets(range);
  for (const piece of values.pieces()) buckets.count(piece);
  const parts: Part[] = [];
  let { below } = range;
  for (let at = 0; at < BUCKETS; at++) {
    const count = buckets.counts[at] as number;
    const ranks = range.ranks.filter((rank) => rank >= below && rank < below + count);
    const [min, max] = [buckets.least[at] as number, buckets.most[at] as number];
    if (ranks.length > 0) parts.push({ min, max, below, ranks, count });
    below += count;
  }
  return parts;
}

class Buckets {
  readonly counts = new Float64Array(BUCKETS);
  readonly least = new Float64Array(BUCKETS).fill(Number.POSITIVE_INFINITY);
  readonly most = new Float64Array(BUCKETS).fill(Number.NEGATIVE_INFINITY);
  readonly #min: number;
  readonly #max: number;

  constructor({ min, max }: Range) {
    this.#min = min;
    this.#max = max;
  }

  /** A larger value is never put in an earlier bucket, and the largest not with the smallest. */
  count(values: Float64Array): void {
    const [min, max] = [this.#min, this.#max];
    const scale = BUCKETS / (max - min);
    for (let index = 0; index < values.length; index++) {
      const value = values[index] as number;
      if (value < min || value > max) continue;
      const at = Math.min(BUCKETS - 1, Math.floor((value - min) * scale));
      this.counts[at] = (this.counts[at] as number) + 1;
      if (value < (this.least[at] as number)) this.least[at] = value;
      if (value > (this.most[at] as number)) this.most[at] = value;
    }
  }
}

/** Selects among the values of some parts, which are few. */
function gather(values: ValuePieces, parts: readonly Part[], found: Map<number, number>): void {
  const held = new Float64Array(parts.reduce((sum, part) => sum + part.count, 0));
  let size = 0;
  for (const piece of values.pieces())
    for (let index = 0; index < piece.length; index++) {
      const value = piece[index] as number;
      for (const { min, max } of parts) if (value >= min && value <= max) held[size++] = value;
    }
  const places: [number, number][] = [];
  let before = 0;
  for (const { below, ranks, count } of parts) {
    for (const rank of ranks) places.push([rank, rank - below + before]);
    before += count;
  }
  selectRanks(
    held,
    places.map(([, place]) => place),
  );
  for (const [rank, place] of places) found.set(rank, held[place] as number);
}
