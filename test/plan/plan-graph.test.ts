import fc from "fast-check";
import { expect, test } from "vitest";
import { codegenId, type PlanGraph } from "../../src/plan/plan-graph.ts";
import { draw, type PlanJson, plan } from "./plan-builder.ts";

/** "0 Sort" a node, "2>1" an edge, "=" an edge to a node drawn before. */
function text({ nodes, edges }: PlanGraph) {
  return {
    nodes: nodes.map(({ id, name, cluster }) =>
      cluster === null ? `${id} ${name}` : `${id} ${name} in ${cluster}`,
    ),
    edges: edges.map(({ from, to, again }) => `${from}${again ? "=" : ">"}${to}`),
  };
}

test("codegen clusters take a number of their own, InputAdapter and query stages none", () => {
  const graph = draw(
    plan(
      "WholeStageCodegen (2)",
      plan(
        "HashAggregate(keys=[])",
        plan(
          "InputAdapter",
          plan("ShuffleQueryStage 0", plan("Exchange SinglePartition", plan("Range (0, 9)"))),
        ),
      ),
    ),
  );
  expect(text(graph)).toEqual({
    nodes: ["0 WholeStageCodegen (2)", "1 HashAggregate in 0", "2 Exchange", "3 Range"],
    edges: ["2>1", "3>2"],
  });
  expect(codegenId("WholeStageCodegen (2)")).toBe(2);
  expect(codegenId("WholeStageCodegen")).toBeNull();
});

test("a reused exchange whose original was drawn is an edge to it", () => {
  const exchange = plan("Exchange hashpartitioning(a#1, 5)", plan("Range (0, 9)"));
  const graph = draw(
    plan("Union", exchange, plan("ReusedExchange [a#2], Exchange hashpartitioning(a#1, 5)", exchange)),
  );
  expect(text(graph)).toEqual({ nodes: ["0 Union", "1 Exchange", "2 Range"], edges: ["1>0", "2>1", "1=0"] });
});

test("a reused exchange that comes before its original is drawn with all below it", () => {
  const exchange = plan("BroadcastExchange IdentityBroadcastMode", plan("Range (0, 9)"));
  const graph = draw(plan("Union", plan("ReusedExchange [a#2]", exchange), plan("Project", exchange)));
  expect(text(graph).nodes).toEqual([
    "0 Union",
    "1 ReusedExchange",
    "2 BroadcastExchange",
    "3 Range",
    "4 Project",
    "5 BroadcastExchange",
    "6 Range",
  ]);
  expect(graph.nodes.map(({ inReused }) => inReused)).toEqual([
    false,
    false,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("an exchange first drawn below its reuse belongs to the query stage that comes later", () => {
  const exchange = plan("BroadcastExchange IdentityBroadcastMode", plan("Range (0, 9)"));
  const graph = draw(
    plan(
      "BroadcastHashJoin",
      plan("SubqueryBroadcast", plan("ReusedExchange [a#2]", exchange)),
      plan("BroadcastQueryStage 3", exchange),
    ),
  );
  expect(text(graph).edges).toEqual(["1>0", "2>1", "3>2", "4>3", "3=0"]);
  expect(graph.nodes[3]).toMatchObject({ name: "BroadcastExchange", inReused: false, inSubquery: false });
});

test("a subquery stands outside the cluster, and its second appearance is an edge", () => {
  const subquery = plan("Subquery subquery#9, [id=#3]", plan("Range (0, 9)"));
  const graph = draw(
    plan(
      "WholeStageCodegen (1)",
      plan("Filter", subquery, plan("Project", plan("ReusedSubquery", subquery))),
    ),
  );
  expect(text(graph)).toEqual({
    nodes: ["0 WholeStageCodegen (1)", "1 Filter in 0", "2 Subquery", "3 Range", "4 Project in 0"],
    edges: ["2>1", "3>2", "4>1", "2=4"],
  });
});

test("cached plans are drawn, marked as such", () => {
  const cached = plan("Exchange hashpartitioning(a#1, 5)", plan("Range (0, 9)"));
  const graph = draw(plan("TableCacheQueryStage 0", plan("InMemoryTableScan [a#1]", cached)));
  expect(graph.nodes.map(({ kind, inCache }) => [kind, inCache])).toEqual([
    ["InMemoryTableScan", false],
    ["Exchange", true],
    ["Range", true],
  ]);
});

const NAMES = [
  "Exchange",
  "Sort",
  "ReusedExchange",
  "Subquery",
  "ReusedSubquery",
  "InputAdapter",
  "ShuffleQueryStage",
  "WholeStageCodegen (1)",
];

const anyPlan = fc.memo((depth: number): fc.Arbitrary<PlanJson> => {
  const children = depth <= 1 ? fc.constant([]) : fc.array(anyPlan(depth - 1), { maxLength: 2 });
  return fc.tuple(fc.constantFrom(...NAMES), children).map(([name, below]) => plan(name, ...below));
});

test("any plan is drawn with ids in order and edges between nodes that exist", () => {
  fc.assert(
    fc.property(anyPlan(7), (json) => {
      const { nodes, edges } = draw(json);
      expect(nodes.map(({ id }) => id)).toEqual(nodes.map((_, at) => at));
      for (const { from, to } of edges) expect(Math.max(from, to)).toBeLessThan(nodes.length);
      expect(edges.filter(({ again }) => again === null)).toHaveLength(
        nodes.filter(({ parent }) => parent !== null).length,
      );
    }),
  );
});
