import type { ScratchFile } from "../scratch-file.ts";

/** Columns of doubles written to a scratch file in pieces: a column comes back whole, one at a time. */
export class SpilledColumns {
  readonly #file: ScratchFile;
  /** Pieces in order: where each begins in the file, and how many rows it has in every column. */
  readonly #pieces: { at: number; rows: number }[] = [];
  rows = 0;

  constructor(file: ScratchFile) {
    this.#file = file;
  }

  /** Appends the first `rows` values of each column; every call must give the same columns. */
  append(columns: readonly Float64Array[], rows: number): void {
    if (rows === 0) return;
    let first: number | null = null;
    for (const column of columns) {
      const at = this.#file.append(new Uint8Array(column.buffer, column.byteOffset, rows * 8));
      first ??= at;
    }
    this.#pieces.push({ at: first ?? 0, rows });
    this.rows += rows;
  }

  /** Reads one column into an array of at least `rows` values. */
  read(column: number, into: Float64Array): void {
    let row = 0;
    for (const piece of this.#pieces) {
      const bytes = new Uint8Array(into.buffer, into.byteOffset + row * 8, piece.rows * 8);
      this.#file.read(piece.at + column * piece.rows * 8, bytes);
      row += piece.rows;
    }
  }
}
