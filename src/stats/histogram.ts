export interface Bin {
  /** Lower edge, included. */
  from: number;
  /** Upper edge, not included but in the last bin. */
  to: number;
  count: number;
}

/**
 * Histogram of positive values on a logarithmic scale with edges 1, 2, 5, 10 ...: one long task among thousands of
 * short ones stays visible. Values below 1 are counted as 1.
 * @param counts which values count, by their position
 */
export function logHistogram(values: ArrayLike<number>, counts: (i: number) => boolean = () => true): Bin[] {
  const bins = new Map<number, number>();
  for (let i = 0; i < values.length; i++) {
    if (!counts(i)) continue;
    const step = stepOf(Math.max(1, values[i] ?? 1));
    bins.set(step, (bins.get(step) ?? 0) + 1);
  }
  const steps = [...bins.keys()].sort((a, b) => a - b);
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) return [];
  return Array.from({ length: last - first + 1 }, (_, i) => ({
    from: edge(first + i),
    to: edge(first + i + 1),
    count: bins.get(first + i) ?? 0,
  }));
}

const MANTISSAS = [1, 2, 5] as const;

function edge(step: number): number {
  return (MANTISSAS[step % 3] ?? 1) * 10 ** Math.floor(step / 3);
}

function stepOf(value: number): number {
  let step = 3 * Math.floor(Math.log10(value));
  while (edge(step + 1) <= value) step++;
  while (step > 0 && edge(step) > value) step--;
  return step;
}
