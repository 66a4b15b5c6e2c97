import { quantileRank } from "./quantiles.ts";
import { GATHERED_VALUES, rankInPieces } from "./quantiles-in-pieces.ts";
import { selectRanks } from "./select-ranks.ts";

/** Spark's quantile: element min(floor(q * n), n - 1) of the ascending values, no interpolation. null for no values. */
export function quantile(ascending: ArrayLike<number>, q: number): number | null {
  const n = ascending.length;
  return n === 0 ? null : (ascending[quantileRank(n, q)] ?? null);
}

/** Spark's median of values in any order, without NaN; null for none. */
export function median(values: ArrayLike<number>): number | null {
  return quantileOf(values, 0.5);
}

/** Spark's quantile of values in any order, without NaN; null for none. */
export function quantileOf(values: ArrayLike<number>, q: number): number | null {
  return quantileBy(values.length, (i) => values[i] as number, q);
}

/** The same of values that are told by their position, any number of them in little memory. */
export function quantileBy(count: number, valueAt: (i: number) => number, q: number): number | null {
  if (count === 0) return null;
  const rank = quantileRank(count, q);
  if (count > GATHERED_VALUES) return rankInPieces(count, valueAt, rank);
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) values[i] = valueAt(i);
  selectRanks(values, [rank]);
  return values[rank] ?? null;
}

export function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i] ?? 0;
  return total;
}

/** Largest value; 0 for none. */
export function max(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i] ?? 0);
  return most;
}

/** a / b, or null where either is unknown or the quotient is no number. */
export function ratio(a: number | null, b: number | null): number | null {
  if (a === null || b === null || b === 0) return null;
  const quotient = a / b;
  return Number.isFinite(quotient) ? quotient : null;
}

/** How many values pass. A typed array's own filter makes an object of each that does. */
export function countWhere(values: ArrayLike<number>, test: (value: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (test(values[i] ?? Number.NaN)) count++;
  return count;
}
