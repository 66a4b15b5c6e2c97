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

/**
 * Spark's rule (AppStatusStore.taskSummary): the element min(floor(q * n), n - 1) of the ascending values. No
 * interpolation; n = 4, q = 0.5 is the third smallest.
 * @param sorted ascending, at least one value
 */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  return sorted[Math.min(Math.floor(q * sorted.length), sorted.length - 1)] ?? Number.NaN;
}

/** All of QUANTILES of ascending values; null for none. */
export function quantiles(sorted: ArrayLike<number>): Record<QuantileName, number> | null {
  if (sorted.length === 0) return null;
  return {
    min: quantile(sorted, QUANTILES.min),
    p05: quantile(sorted, QUANTILES.p05),
    p25: quantile(sorted, QUANTILES.p25),
    p50: quantile(sorted, QUANTILES.p50),
    p75: quantile(sorted, QUANTILES.p75),
    p95: quantile(sorted, QUANTILES.p95),
    p99: quantile(sorted, QUANTILES.p99),
    max: quantile(sorted, QUANTILES.max),
  };
}
