import { type FoldedMetric, folding } from "../plan/metric-text.ts";

/** Values of one metric from one source: a stage's task slots or the driver. */
export interface MetricValues {
  /** The values that are not zero, within 2^53; sorted in place when folded. */
  values: Float64Array;
  /** Values that a double would round. */
  large: readonly bigint[];
  zeros: number;
}

const BIG_FROM = 2 ** 52;

/** Folds every value of a metric as Spark does; the place of the maximum is the caller's to know. */
export function foldMetric(
  metricType: string,
  sources: readonly MetricValues[],
): Omit<FoldedMetric, "maxTask"> {
  const kept = merge(sources, folding(metricType));
  const { values, zeros, large } = kept;
  const count = values.length + zeros + large.length;
  if (count === 0) return { count, sum: 0, min: 0, median: 0, max: 0 };
  const at = orderOf(kept);
  return {
    count,
    sum: narrow(BigInt.asIntN(64, exactSum(values, large))),
    min: at(0),
    median: at(Math.floor(count / 2)),
    max: at(count - 1),
  };
}

/** Sum, exact; a number where it fits. */
export function exactTotal(values: Float64Array, large: readonly bigint[]): number | bigint {
  return narrow(exactSum(values, large));
}

function merge(sources: readonly MetricValues[], mode: ReturnType<typeof folding>): MetricValues {
  const keeps = mode === "sum" ? () => true : (value: number | bigint) => value > 0;
  const parts = sources.map(({ values }) => (mode === "sum" ? values : values.filter(keeps)));
  const values = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    values.set(part, at);
    at += part.length;
  }
  return {
    values: values.sort(),
    zeros: mode === "average" ? 0 : sources.reduce((zeros, source) => zeros + source.zeros, 0),
    large: sources.flatMap((source) => source.large.filter(keeps)).sort((a, b) => (a < b ? -1 : 1)),
  };
}

/** Reads the values in ascending order: large negative ones, negative ones, zeros, positive ones, large ones. */
function orderOf({ values, zeros, large }: MetricValues): (index: number) => number | bigint {
  const largeNegative = large.filter((value) => value < 0n).length;
  const negative = lowerBound(values, 0);
  return (index) => {
    if (index < largeNegative) return large[index] ?? 0;
    const small = index - largeNegative;
    if (small < negative) return values[small] ?? 0;
    if (small < negative + zeros) return 0;
    if (small < values.length + zeros) return values[small - zeros] ?? 0;
    return large[index - values.length - zeros] ?? 0;
  };
}

function lowerBound(sorted: Float64Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function exactSum(values: Float64Array, large: readonly bigint[]): bigint {
  let total = 0n;
  let partial = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (partial > BIG_FROM || partial < -BIG_FROM || value > BIG_FROM || value < -BIG_FROM) {
      total += BigInt(partial) + BigInt(value);
      partial = 0;
    } else partial += value;
  }
  total += BigInt(partial);
  for (const value of large) total += value;
  return total;
}

/** A number where it is exact. */
export function narrow(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}
