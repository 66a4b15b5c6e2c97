import type { ScratchFile } from "../scratch-file.ts";
import { Extent, type NumberColumn } from "../stats/number-column.ts";

/** Columns of doubles written to a scratch file in pieces: a column comes back whole, one at a time. */
export class SpilledColumns {
  readonly #file: ScratchFile;
  /** Pieces in order: where each begins in the file, and how many rows it has in every column. */
  readonly #pieces: { at: number; rows: number }[] = [];
  readonly #extents: Extent[] = [];
  rows = 0;

  constructor(file: ScratchFile) {
    this.#file = file;
  }

  /** Appends the first `rows` values of each column; every call must give the same columns. */
  append(columns: readonly Float64Array[], rows: number): void {
    if (rows === 0) return;
    let first: number | null = null;
    for (const [index, column] of columns.entries()) {
      const at = this.#file.append(new Uint8Array(column.buffer, column.byteOffset, rows * 8));
      first ??= at;
      this.#extents[index] ??= new Extent();
      const extent = this.#extents[index];
      for (let row = 0; row < rows; row++) extent.add(column[row] as number);
    }
    this.#pieces.push({ at: first ?? 0, rows });
    this.rows += rows;
  }

  /** Reads one column. */
  read(column: number): NumberColumn {
    const values = this.#extents[column]?.column(this.rows) ?? new Float64Array(this.rows);
    const piece = new Float64Array(this.#pieces.reduce((most, { rows }) => Math.max(most, rows), 0));
    let row = 0;
    for (const { at, rows } of this.#pieces) {
      this.#file.read(at + column * rows * 8, new Uint8Array(piece.buffer, 0, rows * 8));
      values.set(piece.subarray(0, rows), row);
      row += rows;
    }
    return values;
  }
}
