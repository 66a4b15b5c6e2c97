import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeAll } from "../write-all.ts";

/** Pairs of (time, code), ordered by time, interleaved in one array. */
const PAIR_BYTES = 16;
/** Pairs read ahead from each run while merging: 64 kB a run. */
const READ_PAIRS = 4096;

/** Takes one pair of a merged sequence. */
export type PairVisitor = (time: number, code: number) => void;

/** Sorted runs of (time, code) pairs on disk, merged in one pass: sorting more than fits in memory. */
export class SortedRuns {
  readonly #directory = mkdtempSync(join(tmpdir(), "sparklog-"));
  readonly #file = openSync(join(this.#directory, "runs"), "w+");
  readonly #runs: { position: number; end: number }[] = [];
  #size = 0;

  /** @param pairs interleaved (time, code), ascending by time */
  append(pairs: Float64Array): void {
    const bytes = new Uint8Array(pairs.buffer, pairs.byteOffset, pairs.byteLength);
    writeAll(this.#file, bytes, this.#size);
    this.#runs.push({ position: this.#size, end: this.#size + bytes.length });
    this.#size += bytes.length;
  }

  /** Visits all pairs of all runs in order of time, then removes the file. */
  merge(visit: PairVisitor): void {
    const readers = this.#runs.map((run) => new RunReader(this.#file, run.position, run.end));
    let open = readers.filter((reader) => reader.load());
    while (open.length > 0) {
      const least = open.reduce((best, reader) => (reader.time < best.time ? reader : best));
      visit(least.time, least.code);
      if (!least.next()) open = open.filter((reader) => reader !== least);
    }
    this.close();
  }

  close(): void {
    closeSync(this.#file);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

class RunReader {
  readonly #file: number;
  readonly #end: number;
  readonly #buffer = new Float64Array(2 * READ_PAIRS);
  #position: number;
  #at = 0;
  #filled = 0;

  constructor(file: number, position: number, end: number) {
    this.#file = file;
    this.#position = position;
    this.#end = end;
  }

  get time(): number {
    return this.#buffer[2 * this.#at] ?? Number.POSITIVE_INFINITY;
  }

  get code(): number {
    return this.#buffer[2 * this.#at + 1] ?? 0;
  }

  next(): boolean {
    this.#at++;
    return this.#at < this.#filled || this.load();
  }

  /** Reads the next pairs; false at the end of the run. */
  load(): boolean {
    const bytes = new Uint8Array(this.#buffer.buffer);
    const wanted = Math.min(bytes.length, this.#end - this.#position);
    let read = 0;
    while (read < wanted) {
      const got = readSync(this.#file, bytes, read, wanted - read, this.#position + read);
      if (got === 0) break;
      read += got;
    }
    this.#position += read;
    this.#filled = Math.floor(read / PAIR_BYTES);
    this.#at = 0;
    return this.#filled > 0;
  }
}
