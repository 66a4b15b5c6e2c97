import type { IssueSink } from "../issues.ts";
import { Arena } from "../tasks/arena.ts";
import { BATCH_ROWS, TaskBatch } from "../tasks/task-batch.ts";

/** What was read, in its order: a task that started or ended, a line, or the next of `others`. */
export const ITEM = { start: 0, end: 1, line: 2, other: 3 } as const;

const MAX_ITEMS = 4 * BATCH_ROWS;
const MAX_LINES = BATCH_ROWS;
const TEXT_BYTES = 512 * 1024;
/** Room for accumulator updates; a line of Photon's has some 200. */
const UPDATES = 32 * 1024;
/** part, line, byteOffset, terminated: a LineCursor. */
const CURSOR_VALUES = 4;

export const PARCEL_BYTES =
  TaskBatch.bytes(0) +
  TaskBatch.bytes(UPDATES) +
  MAX_ITEMS +
  TEXT_BYTES +
  8 * (CURSOR_VALUES + 1) * MAX_LINES;

/** What has no place among the columns and lines. */
export type Other =
  | { kind: "long-line"; bytes: Uint8Array; cursor: LineCursor }
  | { kind: "huge-line"; event: unknown; droppedKeys: string[]; bytes: number; cursor: LineCursor }
  | { kind: "issue"; issue: Parameters<IssueSink["add"]> };

/** The part of a parcel that does not stand in its memory. */
export interface ParcelContent {
  items: number;
  lines: number;
  starts: number;
  ends: number;
  others: Other[];
  /** Executors and hosts first met in this parcel; batches number all of them from 0 in the order of the parcels. */
  texts: string[];
}

/** Where the reader stands. One object, changed in place: copy what you keep. */
export interface LineCursor {
  /** Index of the part. */
  part: number;
  /** 1 is the first line of the part. */
  line: number;
  /** Of the line's first byte in the part's text. */
  byteOffset: number;
  /**
   * False for a line without its line end: the last of a part, or the one before lost bytes. What does not parse
   * there was cut, not damaged.
   */
  terminated: boolean;
}

/**
 * A stretch of a log as its reader hands it on: tasks as columns, other lines as bytes. All that is large stands in one
 * memory, which two threads may share; content() and open() carry the rest across.
 */
export class Parcel {
  readonly starts: TaskBatch;
  readonly ends: TaskBatch;
  others: Other[] = [];
  texts: string[] = [];
  /** Items and lines so far. */
  items = 0;
  lines = 0;
  readonly text: Buffer;
  readonly #kinds: Buffer;
  /** By line: the end of its bytes in text. */
  readonly #textEnds: Float64Array;
  readonly #cursors: Float64Array;

  /** @param memory PARCEL_BYTES of it */
  constructor(memory: ArrayBufferLike) {
    const arena = new Arena(memory);
    this.starts = new TaskBatch(arena, 0);
    this.ends = new TaskBatch(arena, UPDATES);
    this.#textEnds = arena.float64(MAX_LINES);
    this.#cursors = arena.float64(CURSOR_VALUES * MAX_LINES);
    this.#kinds = arena.bytes(MAX_ITEMS);
    this.text = arena.bytes(TEXT_BYTES);
  }

  kind(item: number): number {
    return this.#kinds[item] as number;
  }

  /** True where one more item, of any kind but a line, may not fit. */
  get full(): boolean {
    return this.items === MAX_ITEMS || this.ends.full || this.starts.full;
  }

  /** True if that many further accumulator updates fit. */
  hasRoomFor(updates: number): boolean {
    return (this.ends.accumulatorStart[this.ends.rows] ?? 0) + updates <= UPDATES;
  }

  add(kind: number): void {
    this.#kinds[this.items++] = kind;
  }

  addOther(other: Other): void {
    this.others.push(other);
    this.add(ITEM.other);
  }

  /** @returns false where there is no room for the line */
  addLine(buffer: Buffer, start: number, end: number, cursor: Readonly<LineCursor>): boolean {
    const at = this.textEnd(this.lines - 1);
    if (this.lines === MAX_LINES || at + end - start > TEXT_BYTES) return false;
    buffer.copy(this.text, at, start, end);
    this.#textEnds[this.lines] = at + end - start;
    const { part, line, byteOffset, terminated } = cursor;
    this.#cursors.set([part, line, byteOffset, Number(terminated)], CURSOR_VALUES * this.lines);
    this.lines++;
    this.add(ITEM.line);
    return true;
  }

  /** Where a line ends in text; 0 for the line before the first. */
  textEnd(line: number): number {
    return line < 0 ? 0 : (this.#textEnds[line] as number);
  }

  readCursor(index: number, into: LineCursor): void {
    const at = CURSOR_VALUES * index;
    into.part = this.#cursors[at] as number;
    into.line = this.#cursors[at + 1] as number;
    into.byteOffset = this.#cursors[at + 2] as number;
    into.terminated = this.#cursors[at + 3] === 1;
  }

  content(): ParcelContent {
    const { items, lines, others, texts } = this;
    return { items, lines, starts: this.starts.rows, ends: this.ends.rows, others, texts };
  }

  /** Takes over what another thread wrote into the same memory. */
  open(content: ParcelContent): void {
    this.items = content.items;
    this.lines = content.lines;
    this.others = content.others;
    this.texts = content.texts;
    this.starts.rows = content.starts;
    this.ends.rows = content.ends;
  }

  clear(): void {
    this.items = 0;
    this.lines = 0;
    this.others = [];
    this.texts = [];
    this.starts.clear();
    this.ends.clear();
  }
}
