import { expect, test } from "vitest";
import { OrderedGroups } from "../../src/report/ordered-groups.ts";

const ROWS = [
  { stage: 1, attempt: 0, name: "a" },
  { stage: 1, attempt: 1, name: "b" },
  { stage: 1, attempt: 1, name: "c" },
  { stage: 9_007_199_254_740_993n, attempt: 0, name: "d" },
];

test("each key gets its rows, a key without rows none, and rows nobody asks for are passed over", () => {
  const groups = new OrderedGroups(ROWS, (row) => [row.stage, row.attempt]);
  expect(groups.take(0, 0)).toEqual([]);
  expect(groups.take(1, 1).map(({ name }) => name)).toEqual(["b", "c"]);
  expect(groups.take(5, 0)).toEqual([]);
  expect(groups.take(9_007_199_254_740_993n, 0).map(({ name }) => name)).toEqual(["d"]);
  expect(groups.take(9_007_199_254_740_994n, 0)).toEqual([]);
});

test("a stream that is not read to its end is given back", () => {
  let closed = false;
  const rows = (function* () {
    try {
      yield* ROWS;
    } finally {
      closed = true;
    }
  })();
  const groups = new OrderedGroups(rows, (row) => [row.stage]);
  groups.take(1);
  groups.close();
  expect(closed).toBe(true);
});
