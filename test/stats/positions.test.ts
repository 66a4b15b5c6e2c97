import fc from "fast-check";
import { expect, test } from "vitest";
import { Extent, narrowed } from "../../src/stats/number-column.ts";
import { keep, maskOf, NumberSet, positionsTo, sortPositions, sumOf } from "../../src/stats/positions.ts";
import { quantileBy, quantileOf } from "../../src/stats/quantile.ts";
import { GATHERED_VALUES } from "../../src/stats/quantiles-in-pieces.ts";

const numbers = fc.array(
  fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.integer({ min: 0, max: 70_000 }),
    fc.maxSafeInteger(),
    fc.double(),
  ),
  { maxLength: 40 },
);

test("a column is as narrow as holds every value, and no narrower", () => {
  fc.assert(
    fc.property(numbers, (values) => {
      const extent = new Extent();
      for (const value of values) extent.add(value);
      const column = extent.column(values.length);
      column.set(values);
      expect([...column]).toEqual(values);
    }),
  );
});

test.each([
  [[0, 255], Uint8Array],
  [[0, 256], Uint16Array],
  [[0, Number.NaN], Float32Array],
  [[0, 2 ** 24 + 1], Int32Array],
  [[-1, 2 ** 24 + 1], Int32Array],
  [[0, 2 ** 32 - 1], Uint32Array],
  [[Number.NaN, 2 ** 24 + 1], Float64Array],
  [[0.5], Float64Array],
])("%j is held as %o", (values, kind) => {
  const extent = new Extent();
  for (const value of values) extent.add(value);
  expect(extent.column(1)).toBeInstanceOf(kind);
});

test("a long column is narrowed to the same values", () => {
  const values = Float64Array.from({ length: 1 << 16 }, (_, i) => i * 3);
  const column = narrowed(values);
  expect(column.byteLength).toBeLessThan(values.byteLength);
  expect([...column]).toEqual([...values]);
});

test("positions are sorted by a key, then by another, and keep their order where both are equal", () => {
  const keys = fc.array(
    fc.tuple(fc.integer({ min: -5, max: 5 }), fc.oneof(fc.integer(), fc.double({ noNaN: true }))),
    {
      maxLength: 50,
    },
  );
  fc.assert(
    fc.property(keys, fc.constantFrom(1, 2 ** 30, 0.5), (rows, scale) => {
      const key = (at: number): number => (rows[at]?.[0] ?? 0) * scale;
      const next = (at: number): number => rows[at]?.[1] ?? 0;
      const expected = rows.map((_, at) => at).sort((a, b) => key(a) - key(b) || next(a) - next(b) || a - b);
      expect([...sortPositions(positionsTo(rows.length), key, next)]).toEqual(expected);
    }),
  );
});

test("positions are kept, summed and marked", () => {
  const odd = keep(positionsTo(6), (at) => at % 2 === 1);
  expect([...odd]).toEqual([1, 3, 5]);
  expect(sumOf(odd, (at) => at * 10)).toBe(90);
  expect([...maskOf(odd, 6)]).toEqual([0, 1, 0, 1, 0, 1]);
});

test("a set of numbers holds what was added, small or not", () => {
  const values = fc.array(fc.oneof(fc.integer({ min: -2, max: 70 }), fc.double(), fc.maxSafeInteger()));
  fc.assert(
    fc.property(values, values, (added, asked) => {
      const set = new NumberSet(64);
      for (const value of added) set.add(value);
      const plain = new Set(added);
      for (const value of [...added, ...asked]) expect(set.has(value)).toBe(plain.has(value));
    }),
  );
});

test("the quantile of more values than are gathered is that of the sorted ones", () => {
  const count = GATHERED_VALUES + 1000;
  const valueAt = (i: number): number => (i * 7919) % 1_000_003;
  const values = Float64Array.from({ length: count }, (_, i) => valueAt(i));
  const sorted = values.slice().sort();
  for (const q of [0, 0.05, 0.5, 0.99]) {
    expect(quantileBy(count, valueAt, q)).toBe(sorted[Math.floor(q * count)]);
    expect(quantileOf(values, q)).toBe(sorted[Math.floor(q * count)]);
  }
});
