import { closeSync, fstatSync, openSync, readSync, rmSync } from "node:fs";
import { BATCH_ROWS, TASK_COLUMNS, type TaskBatch, type TaskConsumer } from "../tasks/task-batch.ts";
import { writeAll } from "../write-all.ts";

/**
 * Writes the rows of task_data as pages of an SQLite table b-tree (https://www.sqlite.org/fileformat2.html), past
 * SQLite's bind and step, which cost more than reading the log. The pages are gathered in a file of their own, because
 * SQLite writes the other tables meanwhile, and appended to the database once it is closed. What comes out is an
 * ordinary rowid table: rowids 1, 2, 3 ... in the order of the batches.
 */

const LEAF = 0x0d;
const INTERIOR = 0x05;
const LEAF_HEADER = 8;
const INTERIOR_HEADER = 12;
/** SQLite locks the byte at 2^30; the page that holds it is never used. */
const LOCK_BYTE = 2 ** 30;
/** Columns of task_data: log_id and those of a batch. */
const FIELDS = TASK_COLUMNS.length + 1;
/** Size byte and one serial type a column, each of one byte. */
const RECORD_HEADER = FIELDS + 1;
/** Most bytes of a cell: two varints, the record header, 8 bytes a column. */
const MAX_CELL = 9 + 9 + RECORD_HEADER + 8 * FIELDS;
const CHUNK_BYTES = 1 << 20;
const INT48 = 2 ** 47;
const INT32 = 2 ** 31;

/** Offsets in the database header, big-endian. */
const HEADER = {
  pageSize: 16,
  writeVersion: 18,
  reserved: 20,
  changeCounter: 24,
  pages: 28,
  autoVacuum: 52,
  validFor: 92,
};

/** A page of the tree and the largest rowid below it. */
interface Child {
  page: number;
  rowid: number;
}

export class TaskPageWriter implements TaskConsumer {
  readonly #pageSize: number;
  readonly #logId: number;
  readonly #path: string;
  #file: number | null = null;
  /** Whole pages that wait to be written to the file. */
  readonly #chunk: Buffer;
  #chunkUsed = 0;
  #pages = 0;
  /** Largest rowid of each leaf. */
  #lastRowids = new Float64Array(1024);
  /** Cells of the leaf being filled, in order from 0; moved to the end of the page when it is full. */
  readonly #cells = new Uint8Array(65536 + MAX_CELL);
  readonly #starts = new Uint16Array(65536 / RECORD_HEADER);
  #cellCount = 0;
  #cellBytes = 0;
  #rowid = 0;

  /**
   * @param pageSize of the database the pages are for
   * @param path of a file for finished pages; made when the first 1 MiB is full, removed by finish() or discard()
   */
  constructor(pageSize: number, logId: number, path: string) {
    this.#pageSize = pageSize;
    this.#logId = logId;
    this.#path = path;
    this.#chunk = Buffer.alloc(Math.max(CHUNK_BYTES, pageSize));
  }

  /** Rows taken so far. */
  get rows(): number {
    return this.#rowid;
  }

  tasks(batch: TaskBatch): void {
    const room = this.#pageSize - LEAF_HEADER;
    for (let row = 0; row < batch.rows; row++) {
      const start = this.#cellBytes;
      const end = this.#cell(batch, row, start);
      if (end + 2 * (this.#cellCount + 1) > room) {
        // The row is the first of the next page.
        this.#finishLeaf(start);
        this.#cells.copyWithin(0, start, end);
        this.#cellBytes = end - start;
        this.#starts[0] = 0;
      } else {
        this.#cellBytes = end;
        this.#starts[this.#cellCount] = start;
      }
      this.#cellCount++;
      this.#rowid++;
    }
  }

  /**
   * Appends the pages to a database that no connection holds open, as the content of an empty table.
   * @param rootPage of task_data
   * @throws Error if the database is not what the pages were made for, or the table is not empty
   */
  finish(databasePath: string, rootPage: number): void {
    try {
      if (this.#rowid === 0) return;
      this.#finishLeaf(this.#cellBytes);
      const database = openSync(databasePath, "r+");
      try {
        this.#append(database, rootPage);
      } finally {
        closeSync(database);
      }
    } finally {
      this.discard();
    }
  }

  /** Removes the file of finished pages. */
  discard(): void {
    if (this.#file === null) return;
    closeSync(this.#file);
    this.#file = null;
    rmSync(this.#path, { force: true });
  }

  /** Writes a row as a cell: length, rowid, record header, values. @returns where the cell ends */
  #cell(batch: TaskBatch, row: number, start: number): number {
    const cells = this.#cells;
    // The length is known last; it takes two bytes where it is above 127, and then the cell moves by one.
    const record = putVarint(cells, start + 1, this.#rowid + 1);
    const end = this.#record(batch, row, record);
    const length = end - record;
    if (length < 0x80) {
      cells[start] = length;
      return end;
    }
    cells.copyWithin(start + 2, start + 1, end);
    cells[start] = 0x80 | (length >> 7);
    cells[start + 1] = length & 0x7f;
    return end + 1;
  }

  #record(batch: TaskBatch, row: number, start: number): number {
    const cells = this.#cells;
    const { columns, big } = batch;
    const hasBig = big.size > 0;
    cells[start] = RECORD_HEADER;
    let type = start + 1;
    let at = putInteger(cells, type++, start + RECORD_HEADER, this.#logId);
    for (let column = 0; column < columns.length; column++) {
      const value = (columns[column] as Float64Array)[row] as number;
      // The three cases that most values are: 0, NULL, small.
      if (value === 0) cells[type++] = 8;
      else if (Number.isNaN(value)) cells[type++] = 0;
      else if (hasBig && big.has(column * BATCH_ROWS + row)) {
        at = putBigInteger(cells, type++, at, big.get(column * BATCH_ROWS + row) as bigint);
      } else at = putInteger(cells, type++, at, value);
    }
    return at;
  }

  /** Makes a page of the first `bytes` bytes of cells. */
  #finishLeaf(bytes: number): void {
    const size = this.#pageSize;
    if (this.#chunkUsed + size > this.#chunk.length) this.#spill();
    const page = this.#chunk.subarray(this.#chunkUsed, this.#chunkUsed + size);
    const content = size - bytes;
    page.fill(0, 0, LEAF_HEADER);
    page.fill(0, LEAF_HEADER + 2 * this.#cellCount, content);
    page[0] = LEAF;
    page.writeUInt16BE(this.#cellCount, 3);
    // 0 stands for 65536, which only an empty page of that size could have.
    page.writeUInt16BE(content & 0xffff, 5);
    for (let cell = 0, at = LEAF_HEADER; cell < this.#cellCount; cell++) {
      const start = content + (this.#starts[cell] as number);
      page[at++] = start >> 8;
      page[at++] = start & 0xff;
    }
    page.set(this.#cells.subarray(0, bytes), content);
    this.#chunkUsed += size;
    if (this.#pages === this.#lastRowids.length) {
      const larger = new Float64Array(2 * this.#pages);
      larger.set(this.#lastRowids);
      this.#lastRowids = larger;
    }
    this.#lastRowids[this.#pages++] = this.#rowid;
    this.#cellCount = 0;
    this.#cellBytes = 0;
  }

  #spill(): void {
    this.#file ??= openSync(this.#path, "w+", 0o600);
    writeAll(this.#file, this.#chunk.subarray(0, this.#chunkUsed), null);
    this.#chunkUsed = 0;
  }

  #append(database: number, rootPage: number): void {
    const head = Buffer.alloc(100);
    readFully(database, head, 0);
    this.#check(head, database, rootPage);
    const size = this.#pageSize;
    const known = head.readUInt32BE(HEADER.changeCounter) === head.readUInt32BE(HEADER.validFor);
    let next = (known ? head.readUInt32BE(HEADER.pages) : Math.ceil(fstatSync(database).size / size)) + 1;
    const lockPage = LOCK_BYTE / size + 1;
    const take = (): number => {
      if (next === lockPage) next++;
      return next++;
    };
    if (this.#pages === 1) {
      writeAll(database, this.#chunk.subarray(0, size), (rootPage - 1) * size);
    } else {
      const leaves = this.#appendLeaves(database, take);
      this.#appendInterior(database, leaves, rootPage, take);
    }
    const counter = (head.readUInt32BE(HEADER.changeCounter) + 1) >>> 0;
    head.writeUInt32BE(counter, HEADER.changeCounter);
    head.writeUInt32BE(counter, HEADER.validFor);
    head.writeUInt32BE(next - 1, HEADER.pages);
    writeAll(database, head, 0);
  }

  #check(head: Buffer, database: number, rootPage: number): void {
    const pageSize = head.readUInt16BE(HEADER.pageSize);
    const root = Buffer.alloc(LEAF_HEADER);
    readFully(database, root, (rootPage - 1) * this.#pageSize);
    const fits =
      head.toString("latin1", 0, 15) === "SQLite format 3" &&
      (pageSize === 1 ? 65536 : pageSize) === this.#pageSize &&
      // Not write-ahead logging, no bytes kept back at the end of pages, no pointer map.
      head.readUInt16BE(HEADER.writeVersion) === 0x0101 &&
      head[HEADER.reserved] === 0 &&
      head.readUInt32BE(HEADER.autoVacuum) === 0;
    if (!fits) throw new Error("task pages do not fit this database");
    if (root[0] !== LEAF || root.readUInt16BE(3) !== 0) throw new Error("task_data is not empty");
  }

  #appendLeaves(database: number, take: () => number): Child[] {
    const size = this.#pageSize;
    const leaves: Child[] = [];
    const copy = (bytes: Buffer): void => {
      for (let from = 0; from < bytes.length; ) {
        // As many pages at once as have numbers in a row.
        const first = take();
        leaves.push({ page: first, rowid: this.#lastRowids[leaves.length] as number });
        let to = from + size;
        let page = first;
        while (to < bytes.length && page + 1 !== LOCK_BYTE / size + 1) {
          page = take();
          leaves.push({ page, rowid: this.#lastRowids[leaves.length] as number });
          to += size;
        }
        writeAll(database, bytes.subarray(from, to), (first - 1) * size);
        from = to;
      }
    };
    const spilled = (this.#pages - this.#chunkUsed / size) * size;
    const buffer = Buffer.alloc(Math.min(spilled, this.#chunk.length));
    for (let at = 0; at < spilled; at += buffer.length) {
      const part = buffer.subarray(0, Math.min(buffer.length, spilled - at));
      readFully(this.#file as number, part, at);
      copy(part);
    }
    copy(this.#chunk.subarray(0, this.#chunkUsed));
    return leaves;
  }

  /** Builds the levels above the leaves; the last, of one page, goes to the root. */
  #appendInterior(database: number, leaves: Child[], rootPage: number, take: () => number): void {
    // A cell: 4 bytes page number, a rowid of at most 9 bytes; 2 bytes of pointer. One child more stands in the header.
    const fanOut = Math.floor((this.#pageSize - INTERIOR_HEADER) / (2 + 4 + 9)) + 1;
    let level = leaves;
    while (level.length > fanOut) {
      const above: Child[] = [];
      // Spread evenly: a page with a single child would be malformed.
      const groups = Math.ceil(level.length / fanOut);
      for (let group = 0; group < groups; group++) {
        const from = Math.floor((group * level.length) / groups);
        const to = Math.floor(((group + 1) * level.length) / groups);
        const children = level.slice(from, to);
        const page = take();
        writeAll(database, this.#interior(children), (page - 1) * this.#pageSize);
        above.push({ page, rowid: (children.at(-1) as Child).rowid });
      }
      level = above;
    }
    writeAll(database, this.#interior(level), (rootPage - 1) * this.#pageSize);
  }

  #interior(children: Child[]): Buffer {
    const page = Buffer.alloc(this.#pageSize);
    const cell = new Uint8Array(4 + 9);
    let content = this.#pageSize;
    for (const [index, child] of children.slice(0, -1).entries()) {
      new DataView(cell.buffer).setUint32(0, child.page);
      const length = putVarint(cell, 4, child.rowid);
      content -= length;
      page.set(cell.subarray(0, length), content);
      page.writeUInt16BE(content, INTERIOR_HEADER + 2 * index);
    }
    page[0] = INTERIOR;
    page.writeUInt16BE(children.length - 1, 3);
    page.writeUInt16BE(content & 0xffff, 5);
    page.writeUInt32BE((children.at(-1) as Child).page, 8);
    return page;
  }
}

/** SQLite's varint: 7 bits a byte, most significant first. For numbers below 2^53. @returns the place after it */
function putVarint(bytes: Uint8Array, at: number, value: number): number {
  let size = 1;
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) size++;
  let rest = value;
  for (let index = size - 1; index >= 0; index--) {
    bytes[at + index] = (rest % 128) | (index === size - 1 ? 0 : 0x80);
    rest = Math.floor(rest / 128);
  }
  return at + size;
}

/** Writes an integer in the fewest bytes SQLite has for it, its serial type at `type`. @returns the place after it */
function putInteger(bytes: Uint8Array, type: number, at: number, value: number): number {
  if (value >= -INT32 && value < INT32) return putInt32(bytes, type, at, value | 0);
  const low = value >>> 0;
  const high = Math.floor(value / 2 ** 32);
  let next = at;
  if (value >= -INT48 && value < INT48) bytes[type] = 5;
  else {
    bytes[type] = 6;
    bytes[next++] = high >> 24;
    bytes[next++] = high >> 16;
  }
  bytes[next++] = high >> 8;
  bytes[next++] = high;
  bytes[next++] = low >>> 24;
  bytes[next++] = low >>> 16;
  bytes[next++] = low >>> 8;
  bytes[next++] = low;
  return next;
}

function putInt32(bytes: Uint8Array, type: number, at: number, value: number): number {
  if (value === (value << 24) >> 24) {
    // 8 and 9 are the constants 0 and 1, without a byte of their own.
    if (value >>> 1 === 0) {
      bytes[type] = 8 + value;
      return at;
    }
    bytes[type] = 1;
    bytes[at] = value;
    return at + 1;
  }
  let next = at;
  if (value === (value << 16) >> 16) bytes[type] = 2;
  else if (value === (value << 8) >> 8) {
    bytes[type] = 3;
    bytes[next++] = value >> 16;
  } else {
    bytes[type] = 4;
    bytes[next++] = value >> 24;
    bytes[next++] = value >> 16;
  }
  bytes[next++] = value >> 8;
  bytes[next++] = value;
  return next;
}

function putBigInteger(bytes: Uint8Array, type: number, at: number, value: bigint): number {
  bytes[type] = 6;
  new DataView(bytes.buffer, bytes.byteOffset).setBigInt64(at, value);
  return at + 8;
}

function readFully(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file, bytes, done, bytes.length - done, position + done);
    if (read === 0) throw new Error("unexpected end of file");
    done += read;
  }
}
