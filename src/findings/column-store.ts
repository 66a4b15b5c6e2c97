import type { NumberColumn } from "../stats/number-column.ts";

/** Bytes of columns of one stage's sample that are held. */
const HELD_BYTES = 24 * 1024 ** 2;

/** Columns of a sample, made when they are asked for; of a stage with millions of tasks only the last few are held. */
export class ColumnStore<Name extends string> {
  readonly #make: (name: Name) => NumberColumn;
  readonly #held = new Map<Name, NumberColumn>();
  #bytes = 0;

  constructor(make: (name: Name) => NumberColumn) {
    this.#make = make;
  }

  get(name: Name): NumberColumn {
    const known = this.#held.get(name);
    if (known) return known;
    const made = this.#make(name);
    for (const [oldest, { byteLength }] of this.#held) {
      if (this.#bytes + made.byteLength <= HELD_BYTES) break;
      this.#held.delete(oldest);
      this.#bytes -= byteLength;
    }
    this.#held.set(name, made);
    this.#bytes += made.byteLength;
    return made;
  }
}
