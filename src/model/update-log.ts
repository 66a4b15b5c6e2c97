import type { ScratchFile } from "../scratch-file.ts";

/** How many values a page holds before it is sorted by column and put away. */
const PAGE_VALUES = 65_536;
const FIRST_CAPACITY = 64;
/** A page that outgrows this gets all of its room at once. */
const SMALL_VALUES = 1024;
const BYTES_PER_OPEN_VALUE = 12;
/** Open pages that are kept for use again: 9 MB. */
const SPARE_PAGES = 12;

/** Values of one page, column by column: those of column c are offsets[c] .. offsets[c + 1]. */
interface SealedPage {
  offsets: Int32Array;
  /** In memory, or where they stand in the scratch file. */
  values: Float64Array | number;
}

/** Values in the order they came, each with its column. */
interface OpenPage {
  columns: Int32Array;
  values: Float64Array;
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
  /** Emptied open pages: a stage that grows takes one instead of growing step by step. */
  readonly #spare: OpenPage[] = [];
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

  /** A page with room for that many values. */
  open(values: number): OpenPage {
    const spare = values === PAGE_VALUES ? this.#spare.pop() : undefined;
    return spare ?? { columns: new Int32Array(values), values: new Float64Array(values) };
  }

  /** Takes back a page that nobody uses any more. */
  giveBack(page: OpenPage): void {
    if (page.values.length === PAGE_VALUES && this.#spare.length < SPARE_PAGES) this.#spare.push(page);
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
  #page: OpenPage;
  #open = 0;
  #held = FIRST_CAPACITY * BYTES_PER_OPEN_VALUE;
  #pages: SealedPage[] = [];

  constructor(budget: UpdateBudget, frozen?: FrozenLog) {
    this.#budget = budget;
    this.#page = budget.open(FIRST_CAPACITY);
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
    if (this.#open === this.#page.values.length) this.#makeRoom();
    this.#page.columns[this.#open] = column;
    this.#page.values[this.#open++] = value;
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
    if (this.#open === 0 && this.#page.values.length > FIRST_CAPACITY)
      this.#replacePage(this.#budget.open(FIRST_CAPACITY));
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
    this.#budget.giveBack(this.#page);
    this.#hold(-this.#held);
    this.#page = NO_PAGE;
    this.#pages = [];
    this.#open = 0;
  }

  #makeRoom(): void {
    if (this.#open >= PAGE_VALUES) {
      this.#seal();
      return;
    }
    const { columns, values } = this.#page;
    const larger = this.#budget.open(this.#open < SMALL_VALUES ? 2 * this.#open : PAGE_VALUES);
    larger.columns.set(columns);
    larger.values.set(values);
    this.#replacePage(larger);
  }

  #replacePage(page: OpenPage): void {
    const more = page.values.length - this.#page.values.length;
    this.#budget.giveBack(this.#page);
    this.#page = page;
    this.#hold(more * BYTES_PER_OPEN_VALUE);
  }

  /** Sorts the open page by column (a counting sort) and puts it away. */
  #seal(): void {
    const { columns, values: open } = this.#page;
    let highest = 0;
    for (let at = 0; at < this.#open; at++) highest = Math.max(highest, columns[at] as number);
    const offsets = new Int32Array(highest + 2);
    for (let at = 0; at < this.#open; at++) (offsets[(columns[at] as number) + 1] as number)++;
    for (let at = 1; at < offsets.length; at++) (offsets[at] as number) += offsets[at - 1] as number;
    const next = offsets.slice();
    const values = new Float64Array(this.#open);
    for (let at = 0; at < this.#open; at++)
      values[(next[columns[at] as number] as number)++] = open[at] as number;
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

const NO_PAGE: OpenPage = { columns: new Int32Array(0), values: new Float64Array(0) };

function sizeOf(offsets: Int32Array, column: number): number {
  const end = offsets[column + 1];
  return end === undefined ? 0 : end - (offsets[column] ?? 0);
}

function bytesOf(values: Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
