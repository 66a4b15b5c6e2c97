import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { logHistogram } from "../../src/stats/histogram.ts";
import { type Interval, intersect, subtract, total, union } from "../../src/stats/intervals.ts";
import { median, quantile, ratio } from "../../src/stats/quantile.ts";

test("Spark's quantile is an element, not an interpolation", () => {
  expect(quantile([1, 2, 3, 4], 0.5)).toBe(3);
  expect(quantile([1, 2, 3, 4], 1)).toBe(4);
  expect(quantile([], 0.5)).toBeNull();
  expect(median([9, 1, 5])).toBe(5);
});

test("a ratio to nothing is unknown", () => {
  expect([ratio(1, 0), ratio(null, 2), ratio(3, 2)]).toEqual([null, null, 1.5]);
});

const spans = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 20 })), { maxLength: 12 })
  .map((list) => list.map(([startMs, length]) => ({ startMs, endMs: startMs + length })));

describe("intervals", () => {
  const covers = (list: Iterable<Interval>, t: number) =>
    [...list].some((i) => i.startMs <= t && t < i.endMs);

  test("union, intersection and difference hold at every moment", () => {
    fc.assert(
      fc.property(spans, spans, (a, b) => {
        const [ua, ub] = [union(a), union(b)];
        const [both, only] = [intersect(ua, ub), subtract(ua, ub)];
        for (let t = 0; t < 90; t++) {
          expect(covers(ua, t)).toBe(covers(a, t));
          expect(covers(both, t)).toBe(covers(a, t) && covers(b, t));
          expect(covers(only, t)).toBe(covers(a, t) && !covers(b, t));
        }
        expect(total(both) + total(only)).toBe(total(ua));
      }),
    );
  });
});

test("a histogram counts every value once, each within its edges", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 10_000_000 })), (values) => {
      const bins = logHistogram(values);
      expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(values.length);
      for (const value of values)
        expect(
          bins.some((bin) => bin.count > 0 && bin.from <= Math.max(1, value) && Math.max(1, value) < bin.to),
        ).toBe(true);
    }),
  );
  expect(logHistogram([1, 3, 20]).map((b) => [b.from, b.to, b.count])).toEqual([
    [1, 2, 1],
    [2, 5, 1],
    [5, 10, 0],
    [10, 20, 0],
    [20, 50, 1],
  ]);
});
