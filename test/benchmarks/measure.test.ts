import { expect, test } from "vitest";
import { run, runPairs, spread } from "../../benchmarks/measure.ts";

test("the median of an even number of ratios lies between the two in the middle", () => {
  expect(spread([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 });
  expect(spread([5, 1, 3])).toEqual({ median: 3, min: 1, max: 5 });
});

test("a command that fails ends the benchmark with its output", () => {
  expect(() => run("echo no such log >&2; exit 3")).toThrow("no such log");
});

test("two commands are compared pair by pair", () => {
  const pairs = runPairs("sleep 0.2", "sleep 0.05", 3);
  expect(pairs.ours).toHaveLength(3);
  expect(pairs.wall.min).toBeGreaterThan(1);
  expect(pairs.wall.median).toBeLessThanOrEqual(pairs.wall.max);
});
