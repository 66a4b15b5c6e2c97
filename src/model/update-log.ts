import type { ScratchFile } from "../scratch-file.ts";

/** How many values a page holds before it is sorted by column and put away. */
const PAGE_VALUES = 65_536;
const FIRST_CAPACITY = 64;
const BYTES_PER_OPEN_VALUE = 12;

/** Values of one page, column by column: those of column c are offsets[c] .. offsets[c + 1]. */
interface SealedPage {
  offsets: Int32Array;
  /** In memory, or where they stand in the scratch file. */
  values: Float64Array | number;
}

/** An update log as plain data. */
export interface FrozenLog {
  pages: SealedPage[];
}

/** Bytes that all update logs together may hold in memory, and the file that takes the rest. */
export class UpdateBudget {
  readonly limit: number;
  readonly scratch: ScratchFile;
  readonly #logs = new Set<UpdateLog>();
  #spillAt: number;
  used = 0;

  constructor(limit: number, scratch: ScratchFile) {
    this.limit = limit;
    this.#spillAt = limit;
    this.scratch = scratch;
  }

  add(log: UpdateLog): void {
    this.#logs.add(log);
  }

  remove(log: UpdateLog): void {
    this.#logs.delete(log);
  }

  take(bytes: number): void {
    this.used += bytes;
    if (this.used <= this.#spillAt) return;
    for (const log of this.#logs) log.spill();
    // What thousands of small logs hold unspilled may pass the limit by itself: do not spill again at every value.
    this.#spillAt = Math.max(this.limit, this.used + this.limit / 4);
  }
}

/**
 * Accumulator values of one stage attempt: (column, value) pairs, appended as tasks end, read back column by column.
 * Typed arrays only, so a pair costs no object; whole pages go to the scratch file when the budget is spent.
 */
export class UpdateLog {
  readonly #budget: UpdateBudget;
  #columns = new Int32Array(FIRST_CAPACITY);
  #values = new Float64Array(FIRST_CAPACITY);
  #open = 0;
  #held = FIRST_CAPACITY * BYTES_PER_OPEN_VALUE;
  #pages: SealedPage[] = [];

  constructor(budget: UpdateBudget, frozen?: FrozenLog) {
    this.#budget = budget;
    this.#pages = frozen?.pages ?? [];
    budget.add(this);
    budget.used += this.#held;
    for (const { values } of this.#pages) if (typeof values !== "number") this.#hold(values.byteLength);
  }

  /** What it holds, as plain data; the log itself is dropped. */
  freeze(): FrozenLog {
    if (this.#open > 0) this.#seal();
    const pages = this.#pages;
    this.drop();
    return { pages };
  }

  append(column: number, value: number): void {
    if (this.#open === this.#columns.length) this.#makeRoom();
    this.#columns[this.#open] = column;
    this.#values[this.#open++] = value;
  }

  /** Every value of one column, in no order; valid until the next append. Not to be changed. */
  column(column: number): Float64Array {
    if (this.#open > 0) this.#seal();
    const [only] = this.#pages;
    if (only && this.#pages.length === 1 && typeof only.values !== "number") {
      const from = only.offsets[column] ?? 0;
      return only.values.subarray(from, from + sizeOf(only.offsets, column));
    }
    let size = 0;
    for (const { offsets } of this.#pages) size += sizeOf(offsets, column);
    const into = new Float64Array(size);
    let at = 0;
    for (const { offsets, values } of this.#pages) {
      const from = offsets[column] ?? 0;
      const part = into.subarray(at, at + sizeOf(offsets, column));
      if (part.length === 0) continue;
      if (typeof values === "number") this.#budget.scratch.read(values + 8 * from, bytesOf(part));
      else part.set(values.subarray(from, from + part.length));
      at += part.length;
    }
    return into;
  }

  /** Moves what is held to the scratch file. */
  spill(): void {
    if (this.#open > FIRST_CAPACITY) this.#seal();
    if (this.#open === 0 && this.#columns.length > FIRST_CAPACITY) {
      this.#hold((FIRST_CAPACITY - this.#columns.length) * BYTES_PER_OPEN_VALUE);
      this.#columns = new Int32Array(FIRST_CAPACITY);
      this.#values = new Float64Array(FIRST_CAPACITY);
    }
    for (const page of this.#pages) {
      if (typeof page.values === "number") continue;
      const bytes = page.values.byteLength;
      page.values = this.#budget.scratch.append(bytesOf(page.values));
      this.#hold(-bytes);
    }
  }

  /** Forgets everything. */
  drop(): void {
    this.#budget.remove(this);
    this.#hold(-this.#held);
    this.#pages = [];
    this.#open = 0;
  }

  #makeRoom(): void {
    if (this.#open >= PAGE_VALUES) {
      this.#seal();
      return;
    }
    const capacity = this.#open * 2;
    const columns = new Int32Array(capacity);
    columns.set(this.#columns);
    const values = new Float64Array(capacity);
    values.set(this.#values);
    this.#columns = columns;
    this.#values = values;
    this.#hold((capacity - this.#open) * BYTES_PER_OPEN_VALUE);
  }

  /** Sorts the open page by column (a counting sort) and puts it away. */
  #seal(): void {
    let highest = 0;
    for (let at = 0; at < this.#open; at++) highest = Math.max(highest, this.#columns[at] ?? 0);
    const offsets = new Int32Array(highest + 2);
    for (let at = 0; at < this.#open; at++) {
      const next = (this.#columns[at] ?? 0) + 1;
      offsets[next] = (offsets[next] ?? 0) + 1;
    }
    for (let at = 1; at < offsets.length; at++) offsets[at] = (offsets[at] ?? 0) + (offsets[at - 1] ?? 0);
    const next = offsets.slice();
    const values = new Float64Array(this.#open);
    for (let at = 0; at < this.#open; at++) {
      const column = this.#columns[at] ?? 0;
      const to = next[column] ?? 0;
      values[to] = this.#values[at] ?? 0;
      next[column] = to + 1;
    }
    this.#pages.push({ offsets, values });
    this.#open = 0;
    this.#hold(values.byteLength);
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    if (bytes > 0) this.#budget.take(bytes);
    else this.#budget.used += bytes;
  }
}

function sizeOf(offsets: Int32Array, column: number): number {
  const end = offsets[column + 1];
  return end === undefined ? 0 : end - (offsets[column] ?? 0);
}

function bytesOf(values: Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
