import type { Int } from "../queries/query.ts";

/** Rows of an ordered stream, group by group, for keys that are asked for in the same order: a merge join. */
export class OrderedGroups<Row> {
  readonly #rows: Iterator<Row>;
  readonly #keyOf: (row: Row) => readonly Int[];
  #next: IteratorResult<Row> | null = null;

  /** @param keyOf the columns by which the rows are ordered, first one first */
  constructor(rows: Iterable<Row>, keyOf: (row: Row) => readonly Int[]) {
    this.#rows = rows[Symbol.iterator]();
    this.#keyOf = keyOf;
  }

  /** The rows of this key; smaller keys are passed over. */
  take(...key: readonly Int[]): Row[] {
    const group: Row[] = [];
    this.#next ??= this.#rows.next();
    while (!this.#next.done) {
      const order = compare(this.#keyOf(this.#next.value), key);
      if (order > 0) break;
      if (order === 0) group.push(this.#next.value);
      this.#next = this.#rows.next();
    }
    return group;
  }

  /** Gives the database's statement back. */
  close(): void {
    this.#rows.return?.();
  }
}

function compare(a: readonly Int[], b: readonly Int[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at] ?? 0;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
