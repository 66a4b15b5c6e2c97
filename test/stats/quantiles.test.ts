import fc from "fast-check";
import { expect, test } from "vitest";
import { QUANTILES, quantileRanks, quantiles } from "../../src/stats/quantiles.ts";
import { selectRanks } from "../../src/stats/select-ranks.ts";

test("of four values the median is the third smallest, without interpolation", () => {
  expect(quantiles(Float64Array.of(40, 10, 30, 20))).toEqual({
    min: 10,
    p05: 10,
    p25: 20,
    p50: 30,
    p75: 40,
    p95: 40,
    p99: 40,
    max: 40,
  });
});

test("no values have no quantiles", () => {
  expect(quantiles(new Float64Array(0))).toBeNull();
  expect(quantileRanks(0)).toBeNull();
});

const values = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 500 }),
  fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 500 }),
  fc
    .array(fc.maxSafeInteger(), { minLength: 1, maxLength: 500 })
    .map((list) => list.toSorted((a, b) => b - a)),
);

test("every quantile is the element that sorting puts at min(floor(q * n), n - 1)", () => {
  fc.assert(
    fc.property(values, (list) => {
      const sorted = list.toSorted((a, b) => a - b);
      const found = quantiles(Float64Array.from(list));
      for (const [name, q] of Object.entries(QUANTILES)) {
        expect(found?.[name as keyof typeof QUANTILES]).toBe(
          sorted[Math.min(Math.floor(q * list.length), list.length - 1)],
        );
      }
    }),
  );
});

test("selecting keeps every value and puts the asked ones in their places", () => {
  fc.assert(
    fc.property(values, fc.array(fc.nat(499), { maxLength: 12 }), (list, wanted) => {
      const ranks = [...new Set(wanted.map((rank) => rank % list.length))].toSorted((a, b) => a - b);
      const sorted = list.toSorted((a, b) => a - b);
      const selected = Float64Array.from(list);
      selectRanks(selected, ranks);
      for (const rank of ranks) expect(selected[rank]).toBe(sorted[rank]);
      expect([...selected].toSorted((a, b) => a - b)).toEqual(sorted);
    }),
  );
});

test("values arranged against the choice of pivots do not make it slow", () => {
  // The order that makes a median of three cut off two values at a time.
  const n = 40_000;
  const killer = new Float64Array(n);
  for (let index = 0; index < n / 2; index++) {
    killer[index] = index % 2 === 0 ? index + 1 : n / 2 + index;
    killer[n / 2 + index] = 2 * (index + 1);
  }
  const expected = killer.slice().sort();
  const started = performance.now();
  const found = quantiles(killer.slice());
  expect(performance.now() - started).toBeLessThan(2_000);
  expect(found?.p50).toBe(expected[n / 2]);
});
