/** Highest value of each executor metric (Task Executor Metrics of TaskEnd) by executor, as arrays. */
export class TaskPeaks {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  /** By string id of the executor: values by number of the metric. */
  readonly #rows: (Float64Array | undefined)[] = [];

  /** Number of a metric's name, from 0. */
  readonly number = (name: string): number => {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#names.length;
    this.#numbers.set(name, number);
    this.#names.push(name);
    return number;
  };

  /** Values of an executor: raise the ones that are larger. Room for every metric numbered so far. */
  row(executor: number): Float64Array {
    const row = this.#rows[executor];
    if (row && row.length >= this.#names.length) return row;
    const larger = new Float64Array(2 * this.#names.length);
    if (row) larger.set(row);
    this.#rows[executor] = larger;
    return larger;
  }

  /** Every executor (string id) with its metrics above 0. */
  *entries(): Iterable<[executor: number, metrics: Record<string, number>]> {
    for (const [executor, row] of this.#rows.entries()) {
      if (!row) continue;
      const metrics: Record<string, number> = Object.create(null);
      for (const [number, name] of this.#names.entries()) {
        const value = row[number] ?? 0;
        if (value > 0) metrics[name] = value;
      }
      yield [executor, metrics];
    }
  }
}
