import { largeArray } from "./large-array.ts";

/** A column of numbers in the narrowest array that holds every one of them exactly, NaN included. */
export type NumberColumn = Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** What a column's values have in common, taken up one by one. */
export class Extent {
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  #whole = true;
  #known = true;

  add(value: number): void {
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    if (Number.isNaN(value)) this.#known = false;
    else if (!Number.isInteger(value) || Object.is(value, -0)) this.#whole = false;
  }

  /** A column for such values: as narrow as loses nothing. */
  column(rows: number): NumberColumn {
    if (!this.#whole) return largeArray(Float64Array, rows);
    if (this.#known && this.min >= 0 && this.max < 2 ** 8) return largeArray(Uint8Array, rows);
    if (this.#known && this.min >= 0 && this.max < 2 ** 16) return largeArray(Uint16Array, rows);
    // Of these types only floats have NaN; they hold integers of up to 24 bits.
    if (this.min >= -(2 ** 24) && this.max <= 2 ** 24) return largeArray(Float32Array, rows);
    if (this.#known && this.min >= -(2 ** 31) && this.max < 2 ** 31) return largeArray(Int32Array, rows);
    if (this.#known && this.min >= 0 && this.max < 2 ** 32) return largeArray(Uint32Array, rows);
    return largeArray(Float64Array, rows);
  }
}

/** The same values in the narrowest array; a short column stays as it is. */
export function narrowed(values: Float64Array): NumberColumn {
  if (values.length < 1 << 16) return values;
  const extent = new Extent();
  for (let i = 0; i < values.length; i++) extent.add(values[i] as number);
  const column = extent.column(values.length);
  if (column instanceof Float64Array) return values;
  column.set(values);
  return column;
}

/** An array of the same kind for other rows. */
export function columnLike(column: NumberColumn, rows: number): NumberColumn {
  return largeArray(column.constructor as typeof Float64Array, rows);
}
