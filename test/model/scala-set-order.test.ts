import fc from "fast-check";
import { expect, test } from "vitest";
import { scalaSetOrder } from "../../src/model/scala-set-order.ts";

test("up to four stages stay in the order of their jobs", () => {
  expect(scalaSetOrder([9, 3, 7, 1])).toEqual([9, 3, 7, 1]);
});

test("from five on the order is that of the hash, as a Spark 4 History Server shows it", () => {
  // Its /sql answer for 15 stages 21..35 with equal maxima in 32 and 35 names 35; for 39..53 it names 53 before 47.
  const order = scalaSetOrder([21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35]);
  expect(order.slice(0, 4)).toEqual([29, 35, 31, 30]);
  expect(order.indexOf(35)).toBeLessThan(order.indexOf(32));
});

test("the order does not depend on how the stages came, and no stage is lost", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(2 ** 31 - 1), { minLength: 5, maxLength: 200 }), (ids) => {
      const order = scalaSetOrder(ids);
      expect(order.toSorted()).toEqual(ids.toSorted());
      expect(scalaSetOrder(ids.toReversed())).toEqual(order);
    }),
  );
});
