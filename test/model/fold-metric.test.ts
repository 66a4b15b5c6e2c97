import fc from "fast-check";
import { expect, test } from "vitest";
import { foldBoth, foldMetric, foldPositive } from "../../src/model/fold-metric.ts";

const anyValue = fc.oneof(
  fc.constant(-1n),
  fc.constant(0n),
  fc.bigInt(-5n, 5n),
  fc.bigInt(0n, 2n ** 53n - 1n),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
);

/** The rule in its plainest form: sort everything, exactly. */
function plainly(values: bigint[], counts: (value: bigint) => boolean) {
  const sorted = values.filter(counts).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const sum = sorted.reduce((total, value) => total + value, 0n);
  return {
    count: sorted.length,
    sum: BigInt.asIntN(64, sum),
    total: sorted.reduce((total, value) => (value > 0n ? total + value : total), 0n),
    min: sorted[0] ?? 0n,
    median: sorted[Math.floor(sorted.length / 2)] ?? 0n,
    max: sorted.at(-1) ?? 0n,
  };
}

function sourceOf(values: bigint[]) {
  const isLarge = (value: bigint) => value > 9007199254740991n || value < -9007199254740991n;
  const small = values.filter((value) => !isLarge(value) && value !== 0n);
  return {
    values: Float64Array.from(small, Number),
    large: values.filter(isLarge),
    zeros: values.filter((value) => value === 0n).length,
  };
}

const exact = (folded: object) =>
  Object.fromEntries(
    Object.entries(folded).map(([key, value]) => [key, key === "count" ? value : BigInt(value)]),
  );

test.each([
  ["sum", () => true],
  ["size", (value: bigint) => value >= 0n],
  ["average", (value: bigint) => value > 0n],
] as const)(
  "%s metrics are folded exactly, whatever the values and however they are split",
  (metricType, counts) => {
    fc.assert(
      fc.property(fc.array(fc.array(anyValue, { maxLength: 60 }), { maxLength: 3 }), (parts) => {
        expect(exact(foldMetric(metricType, parts.map(sourceOf)))).toEqual(plainly(parts.flat(), counts));
      }),
      { numRuns: 300 },
    );
  },
);

test("what a stage's tasks did are its values above zero", () => {
  fc.assert(
    fc.property(fc.array(anyValue), (values) => {
      expect(exact(foldPositive(sourceOf(values)))).toEqual(plainly(values, (value) => value > 0n));
    }),
  );
});

test("both folds of one source are what each is alone", () => {
  const values = fc.oneof(
    fc.array(anyValue),
    fc.array(fc.bigInt(0n, 60n)),
    fc.array(fc.bigInt(0n, 2n ** 53n - 1n)),
  );
  fc.assert(
    fc.property(values, fc.constantFrom("sum", "size", "average"), (list, metricType) => {
      const source = sourceOf(list);
      expect(foldBoth(metricType, source)).toEqual({
        metric: foldMetric(metricType, [source]),
        positive: foldPositive(source),
      });
    }),
    { numRuns: 500 },
  );
});
