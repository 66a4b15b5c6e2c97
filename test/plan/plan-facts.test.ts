import { expect, test } from "vitest";
import { exchangeFacts } from "../../src/plan/exchanges.ts";
import { initialJoins, joinFacts, readJoin } from "../../src/plan/joins.ts";
import { readPartitioning } from "../../src/plan/partitioning.ts";
import { placementFacts } from "../../src/plan/placement.ts";
import { PlanWalk } from "../../src/plan/plan-walk.ts";
import { scanFacts } from "../../src/plan/scans.ts";
import { draw, metric, type PlanJson, plan } from "./plan-builder.ts";

/** A plan with metric totals by accumulator id. */
function walk(json: PlanJson, totals: Record<number, number> = {}) {
  return new PlanWalk(draw(json), (id) => totals[id] ?? null);
}

const scan = (table = "t") =>
  plan(`Scan parquet ${table} | FileScan parquet ${table}[a#1] Batched: true, PushedFilters: []`);
const ensure = (keys: string, id: number, ...below: Parameters<typeof plan>[1][]) =>
  plan(`Exchange hashpartitioning(${keys}, 200), ENSURE_REQUIREMENTS, [plan_id=${id}]`, ...below);

test.each([
  [
    "Exchange hashpartitioning(a#1, pmod(b#2, 3), 200), ENSURE_REQUIREMENTS, [plan_id=5]",
    "hash",
    ["a#1", "pmod(b#2, 3)"],
    200,
    "ENSURE_REQUIREMENTS",
  ],
  [
    "Exchange rangepartitioning(a#1 ASC NULLS FIRST, b#2 DESC, 64), true, [id=#9]",
    "range",
    ["a#1", "b#2"],
    64,
    null,
  ],
  ["Exchange SinglePartition, ENSURE_REQUIREMENTS, [plan_id=8]", "single", [], 1, "ENSURE_REQUIREMENTS"],
  [
    "Exchange RoundRobinPartitioning(64), REPARTITION_BY_NUM, [plan_id=6]",
    "round-robin",
    [],
    64,
    "REPARTITION_BY_NUM",
  ],
  ["GpuColumnarExchange gpuhashpartitioning(a#12, 200), true, [id=#123]", "hash", ["a#12"], 200, null],
  ["GpuColumnarExchange gpusinglepartitioning$(), false, [id=#136]", "single", [], 1, null],
  ["PhotonShuffleExchangeSink SinglePartition", "single", [], 1, null],
  ["Exchange constructor, [id=#1]", "other", [], null, null],
])("%s is read", (text, scheme, keys, partitions, origin) => {
  expect(readPartitioning(text)).toEqual({ scheme, keys, partitions, origin });
});

test("the ledger shows what a shuffle moved, how many partitions AQE left, and what it is for", () => {
  const shuffle = ensure(
    "a#1",
    5,
    scan(),
    metric(1, "data size", "size"),
    metric(2, "shuffle bytes written", "size"),
    metric(3, "shuffle records written"),
    metric(4, "local bytes read", "size"),
    metric(5, "remote bytes read", "size"),
    metric(6, "records read"),
  );
  const read = plan(
    "AQEShuffleRead coalesced",
    plan("ShuffleQueryStage 0", shuffle),
    metric(7, "number of partitions"),
  );
  const facts = exchangeFacts(
    walk(plan("HashAggregate(keys=[a#1])", read), { 1: 900, 2: 300, 3: 10, 4: 100, 5: 200, 6: 10, 7: 13 }),
  );
  expect(facts).toMatchObject([
    {
      kind: "shuffle",
      keys: "a#1",
      configuredPartitions: 200,
      effectivePartitions: 13,
      coalesced: true,
      dataBytes: 900,
      bytesWritten: 300,
      rowsWritten: 10,
      bytesRead: 300,
      rowsRead: 10,
      consumerKind: "HashAggregate",
      why: "HashAggregate needs rows of equal a in one partition",
      avoidable: null,
    },
  ]);
});

test("hidden shuffles are named apart", () => {
  const facts = exchangeFacts(
    walk(plan("TakeOrderedAndProject(limit=5)", scan(), metric(1, "shuffle bytes written", "size")), {
      1: 70,
    }),
  );
  expect(facts).toMatchObject([{ kind: "hidden", bytesWritten: 70, consumerKind: "TakeOrderedAndProject" }]);
});

test("an exchange right below another is avoidable, also with a reader between them", () => {
  const lower = ensure("a#1, b#2", 2, scan());
  for (const between of [lower, plan("AQEShuffleRead coalesced", lower)]) {
    const [upper, below] = exchangeFacts(walk(plan("Sort [b#2 ASC]", ensure("b#2", 3, between))));
    expect(upper?.avoidable).toBeNull();
    expect(below?.avoidable).toBe("back-to-back");
  }
});

test("rows spread by a are spread by (a, b): the second exchange of two windows was avoidable", () => {
  const windows = (keys: string) =>
    plan(
      "Window [sum(v#4)]",
      plan(
        "Sort [a#1 ASC]",
        ensure(keys, 421, plan("Window [max(v#4)]", plan("Sort [a#1 ASC]", ensure("a#1", 422, scan())))),
      ),
    );
  expect(exchangeFacts(walk(windows("a#1, b#2"))).map(({ avoidable }) => avoidable)).toEqual([
    "already-partitioned",
    null,
  ]);
  expect(exchangeFacts(walk(windows("b#2"))).map(({ avoidable }) => avoidable)).toEqual([null, null]);
});

test("a join needs both sides spread by the same keys: spread by fewer is not enough", () => {
  const join = (keys: string) =>
    plan(
      "SortMergeJoin [a#1, b#2], [c#3, d#4], Inner",
      ensure(keys, 1, plan("Window [x]", ensure("a#1", 2, scan()))),
      scan("u"),
    );
  expect(exchangeFacts(walk(join("a#1, b#2")))[0]?.avoidable).toBeNull();
  expect(exchangeFacts(walk(join("a#1")))[0]?.avoidable).toBe("already-partitioned");
});

test("two exchanges that do the same work but for their ids are duplicates; reused ones are not", () => {
  const first = ensure("k#1", 10, plan("Filter (k#1 > 3)", scan()));
  const second = ensure(
    "k#7",
    11,
    plan(
      "Filter (k#7 > 3)",
      plan("Scan parquet t | FileScan parquet t[a#9] Batched: true, PushedFilters: []"),
    ),
  );
  const other = ensure("k#1", 12, plan("Filter (k#1 > 4)", scan()));
  expect(exchangeFacts(walk(plan("Union", first, second))).map(({ avoidable }) => avoidable)).toEqual([
    null,
    "duplicate-subtree",
  ]);
  expect(exchangeFacts(walk(plan("Union", first, other))).map(({ avoidable }) => avoidable)).toEqual([
    null,
    null,
  ]);
  const named = (id: number) =>
    ensure("k#1", id, plan(`Subquery scalar#${id} | Subquery scalar#${id}`, scan()));
  expect(exchangeFacts(walk(plan("Union", named(10), named(11))))[1]?.avoidable).toBe("duplicate-subtree");
  const cut = (id: number) => ensure("k#1", id, plan("Project [a#1, ... 9 more fields]", scan()));
  expect(exchangeFacts(walk(plan("Union", cut(10), cut(11))))[1]?.avoidable).toBeNull();
  const reused = exchangeFacts(walk(plan("Union", first, plan("ReusedExchange [k#9]", first))));
  expect(reused).toMatchObject([{ readers: 2, avoidable: null }]);
});

test("joins tell keys, type and build side", () => {
  expect(
    readJoin("BroadcastHashJoin [a#1, b#2], [c#3, d#4], LeftOuter, BuildRight, (x#1 > y[0]), false"),
  ).toEqual({
    leftKeys: "a#1, b#2",
    rightKeys: "c#3, d#4",
    joinType: "LeftOuter",
    buildSide: "right",
  });
  expect(readJoin("CartesianProduct (id#1 > id#3)")).toEqual({
    leftKeys: "",
    rightKeys: "",
    joinType: null,
    buildSide: null,
  });
});

test("the sides of a join are measured at the exchanges that bring them, and AQE's change is told", () => {
  const size = (id: number) => [metric(id, "data size", "size"), metric(id + 1, "shuffle records written")];
  const left = plan("Sort [a#1 ASC]", ensure("a#1", 1, scan(), ...size(10)));
  const right = plan("Sort [b#2 ASC]", ensure("b#2", 2, scan("u"), ...size(20)));
  const before = plan("SortMergeJoin [a#1], [b#2], Inner", left, right);
  const broadcast = plan(
    "BroadcastExchange HashedRelationBroadcastMode(x)",
    plan("AQEShuffleRead local", right),
    metric(30, "data size", "size"),
    metric(31, "number of output rows"),
    metric(32, "time to build", "timing"),
  );
  const after = plan(
    "BroadcastHashJoin [a#1], [b#2], Inner, BuildRight",
    left,
    broadcast,
    metric(40, "number of output rows"),
  );
  const totals = { 10: 5000, 11: 50, 20: 70, 21: 7, 30: 100, 31: 7, 32: 4, 40: 60 };
  expect(joinFacts(walk(after, totals), initialJoins(draw(before)))).toMatchObject([
    {
      kind: "BroadcastHashJoin",
      changedFrom: "SortMergeJoin",
      buildSide: "right",
      left: { bytes: 5000, rows: 50 },
      right: { bytes: 100, rows: 7 },
      outputRows: 60,
      buildTimeMs: 4,
    },
  ]);
});

test("a GPU shuffle counts batches, so its rows are taken from the operator", () => {
  const shuffle = plan(
    "GpuColumnarExchange gpuhashpartitioning(a#1, 200), true, [id=#1]",
    metric(1, "shuffle records written"),
    metric(2, "output rows"),
  );
  expect(exchangeFacts(walk(shuffle, { 1: 1200, 2: 10_000_000 }))[0]?.rowsWritten).toBe(10_000_000);
});

test("a scan tells table, filters and files; partition columns show in its metrics", () => {
  const files = plan(
    "Scan parquet db.t | FileScan parquet db.t[a#1]",
    metric(1, "number of files read"),
    metric(2, "size of files read", "size"),
    metric(3, "metadata time", "timing"),
    metric(4, "number of partitions read"),
  );
  files.metadata = {
    PartitionFilters: "[]",
    PushedFilters: "[IsNotNull(a)]",
    Location: "InMemoryFileIndex(1 paths)[file:/t]",
    Format: "Parquet",
  };
  const jdbc = plan(
    "Scan JDBCRelation(T) [numPartitions=1]  | Scan JDBCRelation(T) [numPartitions=1] [ID#1] PushedFilters: [*IsNotNull(ID), *In(ID, [1,2])], ReadSchema: struct<ID:int>",
  );
  expect(scanFacts(walk(plan("Union", files, jdbc), { 1: 500, 2: 1000, 3: 70, 4: 9 }))).toMatchObject([
    {
      relation: "db.t",
      format: "Parquet",
      partitioned: true,
      partitionFilters: "[]",
      pushedFilters: "[IsNotNull(a)]",
      filesRead: 500,
      bytesRead: 1000,
      metadataTimeMs: 70,
    },
    { pushedFilters: "[*IsNotNull(ID), *In(ID, [1,2])]", partitioned: null, filesRead: null },
  ]);
});

test("filters above a join or an exchange show the rows that were moved for nothing", () => {
  const join = plan("SortMergeJoin [a#1], [b#2], Inner", scan(), scan(), metric(1, "number of output rows"));
  const exchange = ensure("a#1", 5, scan(), metric(2, "records read"));
  const filter = (below: PlanJson) => plan("Filter (a#1 > 3)", below, metric(3, "number of output rows"));
  const totals = { 1: 1000, 2: 500, 3: 10 };
  expect(placementFacts(walk(filter(plan("Project [a#1]", join)), totals))).toMatchObject([
    { kind: "filter-above-join", detail: "(a#1 > 3)", rowsIn: 1000, rowsOut: 10 },
  ]);
  expect(placementFacts(walk(filter(plan("AQEShuffleRead coalesced", exchange)), totals))).toMatchObject([
    { kind: "filter-above-exchange", rowsIn: 500, rowsOut: 10 },
  ]);
  expect(placementFacts(walk(filter(plan("HashAggregate(keys=[])", exchange)), totals))).toEqual([]);
});

test("Python boundaries show bytes both ways and the workers' time", () => {
  const python = plan(
    "ArrowEvalPython [f(a#1)]",
    scan(),
    metric(1, "data sent to Python workers", "size"),
    metric(2, "data returned from Python workers", "size"),
    metric(3, "time to run Python workers", "timing"),
    metric(4, "time to start Python workers", "timing"),
  );
  expect(placementFacts(walk(python, { 1: 100, 2: 20, 3: 7, 4: 1 }))).toMatchObject([
    { kind: "python-boundary", bytes: 120, timeMs: 8 },
  ]);
});

test("Expand and Generate show how many rows they make of one", () => {
  const generate = plan("Generate explode(xs#1)", scanWithRows(1), metric(2, "number of output rows"));
  expect(placementFacts(walk(generate, { 1: 10, 2: 320 }))).toMatchObject([
    { kind: "generate", rowsIn: 10, rowsOut: 320 },
  ]);
});

function scanWithRows(id: number): PlanJson {
  return plan("Scan parquet t | FileScan parquet t[a#1]", metric(id, "number of output rows"));
}

test.each([
  ["Window [sum(v#2) windowspecdefinition(ts#3 ASC)], [ts#3 ASC]", 1],
  [
    "Window [sum(v#2) windowspecdefinition(specifiedwindowframe(RowFrame, unboundedpreceding$(), currentrow$()))]",
    1,
  ],
  [
    "Window [row_number() windowspecdefinition(a#1, b#2 DESC NULLS LAST, specifiedwindowframe(RowFrame, unboundedpreceding$(), currentrow$())) AS rn#5], [a#1], [b#2 DESC NULLS LAST]",
    0,
  ],
  ["Window [max(v#4) windowspecdefinition(a#1)]", 0],
])("%s: %i window over all rows at once", (text, count) => {
  expect(placementFacts(walk(plan(text, scan())))).toHaveLength(count);
});
