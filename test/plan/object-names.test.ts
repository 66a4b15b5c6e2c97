import { expect, test } from "vitest";
import { metricText } from "../../src/plan/metric-text.ts";
import { nodeKind } from "../../src/plan/node-kind.ts";

/** Names that every JavaScript object has a value for: a table that is a plain object would answer with it. */
test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
  "an operator or metric type called %s is like any unknown one",
  (name) => {
    expect(nodeKind(name)).toEqual({ kind: name, engine: "spark" });
    const metric = { count: 1, sum: 1234, min: 1234, median: 1234, max: 1234 };
    expect(metricText(name, metric, null)).toBe("1,234");
  },
);
