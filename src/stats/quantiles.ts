import { selectRanks } from "./select-ranks.ts";

/** The quantiles kept of every metric, with Spark's default five among them. */
export const QUANTILES = {
  min: 0,
  p05: 0.05,
  p25: 0.25,
  p50: 0.5,
  p75: 0.75,
  p95: 0.95,
  p99: 0.99,
  max: 1,
} as const;

export type QuantileName = keyof typeof QUANTILES;

/** Spark's rule (AppStatusStore.taskSummary): of n ascending values the element at min(floor(q * n), n - 1). */
export function quantileRank(n: number, q: number): number {
  return Math.min(Math.floor(q * n), n - 1);
}

/** Where each of QUANTILES stands among n ascending values; no interpolation: n = 4, q = 0.5 is the third smallest. */
export function quantileRanks(n: number): Record<QuantileName, number> | null {
  return n === 0 ? null : named((q) => quantileRank(n, q));
}

/**
 * All of QUANTILES of some values, which are rearranged; null for none.
 * @param values in any order, without NaN
 */
export function quantiles(values: Float64Array): Record<QuantileName, number> | null {
  const n = values.length;
  if (n === 0) return null;
  // Most metrics of most stages are 0 for every task.
  if (!isConstant(values)) selectRanks(values, Object.values(named((q) => quantileRank(n, q))));
  return named((q) => values[quantileRank(n, q)] ?? Number.NaN);
}

/** Written out: an object put together from entries is slow to read and to copy. */
function named(value: (q: number) => number): Record<QuantileName, number> {
  return {
    min: value(QUANTILES.min),
    p05: value(QUANTILES.p05),
    p25: value(QUANTILES.p25),
    p50: value(QUANTILES.p50),
    p75: value(QUANTILES.p75),
    p95: value(QUANTILES.p95),
    p99: value(QUANTILES.p99),
    max: value(QUANTILES.max),
  };
}

function isConstant(values: Float64Array): boolean {
  const first = values[0] as number;
  for (let index = 1; index < values.length; index++) if (values[index] !== first) return false;
  return true;
}
