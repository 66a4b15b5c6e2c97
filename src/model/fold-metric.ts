import { narrow } from "../json.ts";
import { type FoldedMetric, folding } from "../plan/metric-text.ts";
import { ExactSum } from "../stats/exact-sum.ts";

/** Values of one metric from one source: a stage's task slots or the driver. */
export interface MetricValues {
  /** Values within 2^53, in no order. Not changed by folding. */
  values: Float64Array;
  /** Values that a double would round. */
  large: readonly bigint[];
  /** How many further values are zero. */
  zeros: number;
}

/** A folded metric and the sum of what was measured: -1 stands for "not set". */
export interface Folded extends FoldedMetric {
  /** Exact, without wrapping around. */
  total: number | bigint;
}

/** Folds every value of a metric as Spark does; the place of the maximum is the caller's to know. */
export function foldMetric(metricType: string, sources: readonly MetricValues[]): Folded {
  const mode = folding(metricType);
  return fold(sources, mode === "sum" ? Number.NEGATIVE_INFINITY : 0, mode === "average");
}

/** Folds the values above 0: what a stage's tasks did. */
export function foldPositive(source: MetricValues): Folded {
  return fold([source], 0, true);
}

/** foldMetric and foldPositive of a metric's only source, at half the price where no value is negative or large. */
export function foldBoth(metricType: string, source: MetricValues): { metric: Folded; positive: Folded } {
  const state = newState();
  keep(state, source.values, Number.NEGATIVE_INFINITY);
  if (state.negatives > 0 || source.large.length > 0)
    return { metric: foldMetric(metricType, [source]), positive: foldPositive(source) };
  const zeros = state.zeros + source.zeros;
  const total = state.sum.narrowed;
  const sum = typeof total === "number" ? total : narrow(BigInt.asIntN(64, total));
  const folded = (unset: number): Folded => {
    state.zeros = unset;
    return { count: state.size + unset, sum, total, ...ordered(state) };
  };
  const positive = folded(0);
  return { metric: zeros === 0 || folding(metricType) === "average" ? positive : folded(zeros), positive };
}

/** Reused by every fold: folding runs for each metric of each stage. */
let kept = new Float64Array(1024);

/** What of the values counts: kept[0 .. size), zeros and large ones. */
interface Kept {
  size: number;
  /** How many of the kept ones are below 0. */
  negatives: number;
  zeros: number;
  large: bigint[];
  /** Of all kept values, and of those above 0. */
  sum: ExactSum;
  total: ExactSum;
}

function newState(): Kept {
  return { size: 0, negatives: 0, zeros: 0, large: [], sum: new ExactSum(), total: new ExactSum() };
}

function fold(sources: readonly MetricValues[], above: number, dropZeros: boolean): Folded {
  const state = newState();
  for (const source of sources) {
    keep(state, source.values, above);
    state.zeros += source.zeros;
    for (const value of source.large) if (value > 0n || above < 0) state.large.push(value);
  }
  if (dropZeros) state.zeros = 0;
  const { size, zeros, large } = state;
  let total = BigInt(state.total.narrowed);
  let sum = BigInt(state.sum.narrowed);
  for (const value of large) {
    sum += value;
    if (value > 0n) total += value;
  }
  return {
    count: size + zeros + large.length,
    sum: narrow(BigInt.asIntN(64, sum)),
    total: narrow(total),
    ...(large.length === 0 ? ordered(state) : orderedLarge(state)),
  };
}

/** Appends the values that are not zero and not below `above`. */
function keep(state: Kept, values: Float64Array, above: number): void {
  if (kept.length < state.size + values.length) grow(state.size + values.length);
  const from = state.size;
  let plus = 0;
  let minus = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (value === 0) state.zeros++;
    else if (value >= above) {
      if (value > 0) plus += value;
      else {
        minus += value;
        state.negatives++;
      }
      kept[state.size++] = value;
    }
  }
  if (plus - minus <= Number.MAX_SAFE_INTEGER) {
    state.sum.add(plus + minus);
    state.total.add(plus);
    return;
  }
  for (let at = from; at < state.size; at++) {
    const value = kept[at] as number;
    state.sum.add(value);
    if (value > 0) state.total.add(value);
  }
}

/** Least, upper middle and largest of what was kept: negative values, zeros, positive values. */
function ordered({ size, zeros, negatives }: Kept): Pick<Folded, "min" | "median" | "max"> {
  const count = size + zeros;
  if (count === 0) return { min: 0, median: 0, max: 0 };
  let min = zeros > 0 ? 0 : Number.POSITIVE_INFINITY;
  let max = zeros > 0 ? 0 : Number.NEGATIVE_INFINITY;
  for (let at = 0; at < size; at++) {
    const value = kept[at] ?? 0;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const middle = Math.floor(count / 2);
  if (middle >= negatives && middle < negatives + zeros) return { min, median: 0, max };
  return { min, median: select(kept, size, middle < negatives ? middle : middle - zeros), max };
}

function orderedLarge({ size, zeros, large }: Kept): Pick<Folded, "min" | "median" | "max"> {
  const values = Array.from(kept.subarray(0, size), BigInt).concat(large);
  values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const negative = values.filter((value) => value < 0n).length;
  const at = (index: number) => {
    if (index < negative) return narrow(values[index] ?? 0n);
    return index < negative + zeros ? 0 : narrow(values[index - zeros] ?? 0n);
  };
  const count = values.length + zeros;
  return { min: at(0), median: at(Math.floor(count / 2)), max: at(count - 1) };
}

/** The value that would stand at `index` if values[0 .. size) were sorted; reorders them. */
function select(values: Float64Array, size: number, index: number): number {
  let low = 0;
  let high = size - 1;
  while (low < high) {
    const end = partition(values, low, high);
    if (index <= end) high = end;
    else low = end + 1;
  }
  return values[index] ?? 0;
}

/** Hoare's: no value of [low, end] is above one of (end, high]. Returns end. */
function partition(values: Float64Array, low: number, high: number): number {
  const pivot = values[(low + high) >> 1] ?? 0;
  let left = low - 1;
  let right = high + 1;
  for (;;) {
    do left++;
    while ((values[left] ?? 0) < pivot);
    do right--;
    while ((values[right] ?? 0) > pivot);
    if (left >= right) return right;
    const value = values[left] ?? 0;
    values[left] = values[right] ?? 0;
    values[right] = value;
  }
}

function grow(size: number): void {
  const larger = new Float64Array(Math.max(size, 2 * kept.length));
  larger.set(kept);
  kept = larger;
}
