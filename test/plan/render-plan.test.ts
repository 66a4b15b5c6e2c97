import { expect, test } from "vitest";
import type { PlanView } from "../../src/plan/plan-view.ts";
import { renderDot } from "../../src/plan/render-dot.ts";
import { planJson } from "../../src/plan/render-json.ts";
import { renderTree } from "../../src/plan/render-tree.ts";
import { draw, metric, type PlanJson, plan } from "./plan-builder.ts";

function view(json: PlanJson, values: [number, string][] = []): PlanView {
  return {
    executionId: 7,
    version: 1,
    versions: 2,
    description: "count",
    graph: draw(json),
    values: new Map(values),
  };
}

const exchange = plan(
  "Exchange hashpartitioning(a#1, 5)",
  plan("Range (0, 9)"),
  metric(2, "data size", "size"),
);
const joined = view(
  plan(
    "WholeStageCodegen (3)",
    plan(
      "SortMergeJoin [a#1], [a#2], Inner",
      plan("InputAdapter", plan("Sort [a#1 ASC]", exchange)),
      plan("InputAdapter", plan("ReusedExchange [a#2]", exchange)),
    ),
    metric(1, "duration", "timing"),
  ),
  [
    [1, "1.5 s"],
    [2, "total (min, med, max (stageId: taskId))\n9.0 KiB (2.0 KiB, 3.0 KiB, 4.0 KiB (driver))"],
  ],
);

test("the tree indents branches only, shows metrics and names what is read again", () => {
  expect(renderTree(joined)).toEqual([
    "SQL execution 7, plan version 1 of 0-1 (the plan that ran): count",
    "*(3) SortMergeJoin [a#1], [a#2], Inner (1)",
    "     WholeStageCodegen (3) duration: 1.5 s",
    "+- Sort [a#1 ASC] (2)",
    "   Exchange hashpartitioning(a#1, 5) (3)",
    "        data size: 9.0 KiB (2.0 KiB, 3.0 KiB, 4.0 KiB (driver))",
    "   Range (0, 9) (4)",
    "+- Exchange of node 3, read again (ReusedExchange)",
  ]);
});

test("a tree of 20,000 nested unions does not grow in width", () => {
  let deep = plan("Range (0, 1)");
  for (let depth = 0; depth < 20_000; depth++) deep = plan("Union", deep, plan("Range (0, 1)"));
  const lines = renderTree(view(deep));
  expect(lines).toHaveLength(40_002);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200);
});

test("DOT draws clusters as boxes and escapes what a log may hold", () => {
  const dot = renderDot(joined);
  expect(dot).toContain("subgraph cluster_0 {");
  expect(dot).toContain('n3 -> n1 [style=dashed, label="ReusedExchange"];');
  expect(renderDot(view(plan('Scan "a\\b"\n\u001b[31m')))).toContain('tooltip="Scan \\"a\\\\b\\"\\n[31m"');
});

test("JSON has Spark's node ids and null for a metric without a value", () => {
  expect(planJson(view(plan("Sort [a#1 ASC]", metric(4, "spill size", "size"))))).toMatchObject({
    executionId: 7,
    nodes: [
      { nodeId: 0, nodeName: "Sort", metrics: [{ name: "spill size", accumulatorId: 4, value: null }] },
    ],
    edges: [],
  });
});
