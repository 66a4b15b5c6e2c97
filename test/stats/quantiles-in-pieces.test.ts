import fc from "fast-check";
import { expect, test } from "vitest";
import { quantiles } from "../../src/stats/quantiles.ts";
import { quantilesInPieces } from "../../src/stats/quantiles-in-pieces.ts";

function piecesOf(values: readonly number[], size: number) {
  return {
    count: values.length,
    min: Math.min(...values),
    max: Math.max(...values),
    *pieces() {
      for (let from = 0; from < values.length; from += size)
        yield Float64Array.from(values.slice(from, from + size));
    },
  };
}

const values = fc.oneof(
  fc.array(fc.nat(5), { minLength: 1, maxLength: 400 }),
  fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 400 }),
  // Most of them in one of 4,096 parts of the range.
  fc.array(fc.nat(50), { minLength: 1, maxLength: 400 }).map((list) => [...list, Number.MAX_SAFE_INTEGER]),
);

test("quantiles in pieces are those of all values at once, however few may be held", () => {
  fc.assert(
    fc.property(
      values,
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 50 }),
      (list, size, held) => {
        expect(quantilesInPieces(piecesOf(list, size), held)).toEqual(quantiles(Float64Array.from(list)));
      },
    ),
    { numRuns: 300 },
  );
});

test("no values have no quantiles", () => {
  expect(quantilesInPieces(piecesOf([], 1))).toBeNull();
});
