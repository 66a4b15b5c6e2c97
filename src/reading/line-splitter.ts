import { HugeLine } from "./huge-line.ts";
import type { LineHandler } from "./line-handler.ts";
import type { LineCursor } from "./parcel.ts";

const NEWLINE = 0x0a;
const SPACE = 0x20;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const BOM = [0xef, 0xbb, 0xbf];

/** A longer line is read in a stream: JSON.parse would take several times its size, and dies at 512 MiB. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * Cuts a part's text into lines and hands them on. Splits on bytes, not on decoded text: a chunk may end inside a
 * UTF-8 sequence. Only a line that spans chunks is copied.
 */
export class LineSplitter {
  readonly #handler: LineHandler;
  readonly #cursor: LineCursor;
  /** The begun line of earlier chunks. */
  #carry = Buffer.alloc(0);
  #carried = 0;
  #huge: HugeLine | undefined;
  /** Of the current chunk's first byte in the part's text. */
  #position = 0;
  #lines = 0;

  constructor(handler: LineHandler, part: number) {
    this.#handler = handler;
    this.#cursor = { part, line: 0, byteOffset: 0, terminated: true };
  }

  /** Bytes of text seen. */
  get bytes(): number {
    return this.#position;
  }

  /** Line ends seen, and begun lines that were cut. */
  get lines(): number {
    return this.#lines;
  }

  push(chunk: Buffer): void {
    let start = 0;
    if (this.#carried > 0) {
      const end = chunk.indexOf(NEWLINE);
      this.#keep(chunk, 0, end < 0 ? chunk.length : end);
      if (end < 0) {
        this.#position += chunk.length;
        return;
      }
      this.#flushCarry(true, this.#position + end);
      start = end + 1;
    }
    for (let end = chunk.indexOf(NEWLINE, start); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      if (end === start) this.#lines++;
      else this.#emit(chunk, start, end, this.#position + start);
      start = end + 1;
    }
    this.#keep(chunk, start, chunk.length);
    this.#position += chunk.length;
  }

  /** The text breaks off here: at the end of the part, or because bytes were lost. A begun line is handed on as cut. */
  cut(): void {
    if (this.#carried > 0) this.#flushCarry(false, this.#position);
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    const length = end - start;
    if (this.#carried + length > MAX_LINE_BYTES) {
      this.#stream(chunk.subarray(start, end));
      return;
    }
    if (this.#carry.length < this.#carried + length) {
      const room = Math.max(this.#carried + length, Math.min(2 * this.#carry.length, MAX_LINE_BYTES));
      const grown = Buffer.allocUnsafe(room);
      this.#carry.copy(grown, 0, 0, this.#carried);
      this.#carry = grown;
    }
    chunk.copy(this.#carry, this.#carried, start, end);
    this.#carried += length;
  }

  /** Goes on with a line that is too long to be kept; #carried still counts its bytes. */
  #stream(bytes: Buffer): void {
    if (!this.#huge) {
      this.#huge = new HugeLine();
      this.#huge.push(this.#carry.subarray(0, this.#carried));
    }
    this.#huge.push(bytes);
    this.#carried += bytes.length;
  }

  #flushCarry(terminated: boolean, endPosition: number): void {
    const length = this.#carried;
    const huge = this.#huge;
    this.#carried = 0;
    this.#huge = undefined;
    this.#cursor.terminated = terminated;
    if (huge) this.#emitHuge(huge, length, endPosition - length);
    else this.#emit(this.#carry, 0, length, endPosition - length);
    this.#cursor.terminated = true;
  }

  #emitHuge(huge: HugeLine, length: number, byteOffset: number): void {
    this.#lines++;
    this.#cursor.line = this.#lines;
    this.#cursor.byteOffset = byteOffset;
    const { event, droppedKeys } = huge.finish();
    this.#handler.hugeLine(event, droppedKeys, length, this.#cursor);
  }

  #emit(buffer: Buffer, start: number, end: number, byteOffset: number): void {
    this.#lines++;
    let first = start;
    let last = end;
    if (buffer[first] !== OPEN_BRACE || buffer[last - 1] !== CLOSE_BRACE) {
      first = skipPadding(buffer, start, end);
      while (last > first && (buffer[last - 1] ?? 0) <= SPACE && buffer[last - 1] !== 0) last--;
      if (first === last) return;
    }
    this.#cursor.line = this.#lines;
    this.#cursor.byteOffset = byteOffset;
    this.#handler.line(buffer, first, last, this.#cursor);
  }
}

/**
 * Where a line's text begins: behind white space, byte order marks, and the NULs that a crashed file system leaves
 * before an event. A line of nothing but NULs stays: it is lost text, not a blank line.
 */
function skipPadding(buffer: Buffer, start: number, end: number): number {
  let at = start;
  let nul = false;
  while (at < end) {
    if (BOM.every((byte, index) => buffer[at + index] === byte)) at += BOM.length;
    else if ((buffer[at] ?? 0) <= SPACE) nul = buffer[at++] === 0 || nul;
    else return at;
  }
  return nul ? start : Math.min(at, end);
}
