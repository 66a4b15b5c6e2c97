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

const NAMES = Object.keys(QUANTILES) as QuantileName[];

/** Spark's rule (AppStatusStore.taskSummary): of n ascending values the element at min(floor(q * n), n - 1). */
function rank(n: number, q: number): number {
  return Math.min(Math.floor(q * n), n - 1);
}

/** Where each of QUANTILES stands among n ascending values; no interpolation: n = 4, q = 0.5 is the third smallest. */
export function quantileRanks(n: number): Record<QuantileName, number> | null {
  if (n === 0) return null;
  return Object.fromEntries(NAMES.map((name) => [name, rank(n, QUANTILES[name])])) as Record<
    QuantileName,
    number
  >;
}

/**
 * All of QUANTILES of some values, which are rearranged; null for none.
 * @param values in any order, without NaN
 */
export function quantiles(values: Float64Array): Record<QuantileName, number> | null {
  const ranks = quantileRanks(values.length);
  if (!ranks) return null;
  // Most metrics of most stages are 0 for every task.
  if (!isConstant(values)) selectRanks(values, Object.values(ranks));
  return Object.fromEntries(NAMES.map((name) => [name, values[ranks[name]] ?? Number.NaN])) as Record<
    QuantileName,
    number
  >;
}

function isConstant(values: Float64Array): boolean {
  const first = values[0] as number;
  for (let index = 1; index < values.length; index++) if (values[index] !== first) return false;
  return true;
}
