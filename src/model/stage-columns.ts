import type { ScratchFile } from "../scratch-file.ts";
import {
  FIRST_METRIC,
  TASK_COLUMN,
  TASK_COLUMNS,
  type TaskBatch,
  type TaskColumn,
} from "../tasks/task-batch.ts";
import type { TaskBlock } from "../tasks/task-columns.ts";

/** Task columns that a stage keeps until its end: what its totals, quantiles and executor summary are made of. */
const KEPT_COLUMNS: readonly TaskColumn[] = [
  "task_index",
  "launch_time_ms",
  "finish_time_ms",
  "getting_result_time_ms",
  "executor",
  "host",
  "speculative",
  "status",
  ...TASK_COLUMNS.slice(FIRST_METRIC),
];

const PLACE_OF = new Map(KEPT_COLUMNS.map((name, place) => [name, place]));
const KEPT_AT = KEPT_COLUMNS.map((name) => TASK_COLUMN[name]);

/** A column that holds one of the Task Metrics: also a column of stage, as its sum. */
export type MetricColumn = Exclude<
  TaskColumn,
  | "stage_id"
  | "stage_attempt_id"
  | "task_id"
  | "task_index"
  | "attempt_number"
  | "partition_id"
  | "launch_time_ms"
  | "finish_time_ms"
  | "getting_result_time_ms"
  | "executor"
  | "host"
  | "locality"
  | "speculative"
  | "status"
>;

export const METRIC_COLUMNS = TASK_COLUMNS.slice(FIRST_METRIC) as MetricColumn[];

/** Rows of a block at most: 1.1 MB. */
export const BLOCK_ROWS = 4096;
const FIRST_ROWS = 8;
const NO_VALUES = new Float64Array(0);

/** A block in the scratch file, column after column. */
interface SpilledBlock {
  at: number;
  rows: number;
}

/** A stage's columns as plain data: all of them in the scratch file. */
export interface PackedColumns {
  expected: number;
  spilled: SpilledBlock[];
}

/**
 * The ended tasks of one stage attempt in blocks of columns. What does not fit the memory goes to a scratch file;
 * from then on a block goes there as soon as it is full.
 */
export class StageColumns {
  /** Full blocks in memory, column after column. */
  #full: Float64Array[] = [];
  /** The block that rows are appended to: #capacity values a column, #open of them set. */
  #block: Float64Array = NO_VALUES;
  #capacity = 0;
  #open = 0;
  readonly #spilled: SpilledBlock[];
  #file: ScratchFile | null = null;
  readonly #expected: number;
  /** The blocks in memory as they are handed out; null after a change. */
  #views: TaskBlock[] | null = null;

  /** @param expected rows that are likely to come: growing goes there at once */
  constructor(expected = 0, spilled: SpilledBlock[] = []) {
    this.#expected = Math.min(expected, BLOCK_ROWS);
    this.#spilled = spilled;
  }

  static unpack({ expected, spilled }: PackedColumns, file: ScratchFile): StageColumns {
    const columns = new StageColumns(expected, spilled);
    columns.#file = file;
    return columns;
  }

  /** What it is made of, as plain data; all rows go to the file. */
  pack(file: ScratchFile): PackedColumns {
    this.spill(file);
    return { expected: this.#expected, spilled: this.#spilled };
  }

  get rows(): number {
    return this.#spilled.reduce((sum, { rows }) => sum + rows, this.#full.length * BLOCK_ROWS + this.#open);
  }

  /** Bytes held in memory. */
  get bytes(): number {
    return (this.#full.length * BLOCK_ROWS + this.#capacity) * 8 * KEPT_COLUMNS.length;
  }

  /** All rows in their order. */
  *blocks(): Iterable<TaskBlock> {
    if (this.#file && this.#spilled.length > 0) {
      const buffer = new Float64Array(BLOCK_ROWS * KEPT_COLUMNS.length);
      for (const block of this.#spilled) yield new FileBlock(this.#file, block, buffer);
    }
    yield* this.#memoryBlocks();
  }

  /** Moves the rows in memory to the file, and later ones a block at a time. */
  spill(file: ScratchFile): void {
    this.#file = file;
    for (const block of this.#full) this.#write(file, block, BLOCK_ROWS);
    if (this.#open > 0) this.#write(file, packed(this.#block, this.#capacity, this.#open), this.#open);
    this.#full = [];
    this.#block = NO_VALUES;
    this.#capacity = 0;
    this.#open = 0;
    this.#views = null;
  }

  /** Appends rows from..to of a batch. */
  append(batch: TaskBatch, from: number, to: number): void {
    this.#views = null;
    for (let row = from; row < to; ) {
      if (this.#open === BLOCK_ROWS) this.#endBlock();
      const count = Math.min(to - row, BLOCK_ROWS - this.#open);
      if (this.#open + count > this.#capacity) this.#grow(this.#open + count);
      this.#copy(batch, row, count);
      row += count;
    }
  }

  #copy(batch: TaskBatch, from: number, count: number): void {
    const block = this.#block;
    let at = this.#open;
    for (let place = 0; place < KEPT_AT.length; place++) {
      const source = batch.columns[KEPT_AT[place] as number] as Float64Array;
      for (let row = 0; row < count; row++) block[at + row] = source[from + row] as number;
      at += this.#capacity;
    }
    this.#open += count;
  }

  #endBlock(): void {
    if (this.#file) this.#write(this.#file, this.#block, BLOCK_ROWS);
    else {
      this.#full.push(this.#block);
      this.#block = new Float64Array(this.#block.length);
    }
    this.#open = 0;
  }

  #write(file: ScratchFile, block: Float64Array, rows: number): void {
    this.#spilled.push({ at: file.append(bytesOf(block)), rows });
  }

  #grow(needed: number): void {
    const before = this.#capacity;
    let capacity = Math.max(before, FIRST_ROWS);
    if (needed <= this.#expected) capacity = this.#expected;
    while (capacity < needed) capacity = Math.min(BLOCK_ROWS, 2 * capacity);
    const larger = new Float64Array(capacity * KEPT_COLUMNS.length);
    for (let place = 0; place < KEPT_COLUMNS.length; place++)
      larger.set(this.#block.subarray(place * before, place * before + this.#open), place * capacity);
    this.#block = larger;
    this.#capacity = capacity;
  }

  #memoryBlocks(): readonly TaskBlock[] {
    if (this.#views) return this.#views;
    this.#views = this.#full.map((block) => new MemoryBlock(block, BLOCK_ROWS, BLOCK_ROWS));
    if (this.#open > 0) this.#views.push(new MemoryBlock(this.#block, this.#capacity, this.#open));
    return this.#views;
  }
}

class MemoryBlock implements TaskBlock {
  readonly rows: number;
  readonly #columns: Float64Array[];

  constructor(block: Float64Array, stride: number, rows: number) {
    this.rows = rows;
    this.#columns = KEPT_COLUMNS.map((_, place) => block.subarray(place * stride, place * stride + rows));
  }

  column(name: TaskColumn): Float64Array {
    return this.#columns[placeOf(name)] as Float64Array;
  }
}

/** Columns are read when they are asked for. */
class FileBlock implements TaskBlock {
  readonly rows: number;
  readonly #file: ScratchFile;
  readonly #at: number;
  readonly #buffer: Float64Array;
  readonly #read = new Map<number, Float64Array>();

  constructor(file: ScratchFile, { at, rows }: SpilledBlock, buffer: Float64Array) {
    this.rows = rows;
    this.#file = file;
    this.#at = at;
    this.#buffer = buffer;
  }

  column(name: TaskColumn): Float64Array {
    const place = placeOf(name);
    const known = this.#read.get(place);
    if (known) return known;
    const column = this.#buffer.subarray(place * this.rows, (place + 1) * this.rows);
    this.#file.read(this.#at + 8 * place * this.rows, bytesOf(column));
    this.#read.set(place, column);
    return column;
  }
}

function placeOf(name: TaskColumn): number {
  const place = PLACE_OF.get(name);
  if (place === undefined) throw new Error(`no kept column ${name}`);
  return place;
}

/** A block without the room for further rows. */
function packed(block: Float64Array, capacity: number, rows: number): Float64Array {
  if (rows === capacity) return block;
  const dense = new Float64Array(rows * KEPT_COLUMNS.length);
  for (let place = 0; place < KEPT_COLUMNS.length; place++)
    dense.set(block.subarray(place * capacity, place * capacity + rows), place * rows);
  return dense;
}

function bytesOf(values: Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
