import { expect, test } from "vitest";
import { union, unionOfSorted } from "../../src/stats/intervals.ts";

test("a stream ordered by start merges as the whole list does", () => {
  const spans = [
    { startMs: 0, endMs: 5 },
    { startMs: 1, endMs: 2 },
    { startMs: 4, endMs: 9 },
    { startMs: 10, endMs: 10 },
    { startMs: 12, endMs: 13 },
  ];
  const merged = [
    { startMs: 0, endMs: 9 },
    { startMs: 12, endMs: 13 },
  ];
  expect([...unionOfSorted(spans.values())]).toEqual(merged);
  expect([...union(spans.toReversed())]).toEqual(merged);
});
