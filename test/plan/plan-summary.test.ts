import { expect, test } from "vitest";
import { summarizePlan } from "../../src/plan/plan-summary.ts";
import { draw, type PlanJson, plan } from "./plan-builder.ts";

/** Counts of a plan that are not zero; each count below was made by hand on the plan beside it. */
function count(json: PlanJson) {
  const { engine, finalPlan, joins, ...numbers } = summarizePlan(draw(json));
  const counted = Object.entries(numbers).filter(([, value]) => value > 0);
  return { engine, finalPlan, joins, ...Object.fromEntries(counted) };
}

const hash = (keys: string, ...below: PlanJson[]) =>
  plan(`Exchange hashpartitioning(${keys}, 200), ENSURE_REQUIREMENTS, [plan_id=${keys.length}]`, ...below);
const scan = (table: string) => plan(`Scan parquet ${table} | FileScan parquet ${table}[a#1]`);
const spark = { engine: "spark", finalPlan: null };

test("1. a sort-merge join of two shuffled tables: 2 shuffles, 1 join", () => {
  const left = plan("Sort [a#1 ASC]", hash("a#1", scan("l")));
  const right = plan("Sort [b#2 ASC]", hash("bb#2", scan("r")));
  expect(count(plan("SortMergeJoin [a#1], [b#2], Inner", left, right))).toEqual({
    ...spark,
    joins: { SortMergeJoin: 1 },
    shuffleExchanges: 2,
  });
});

test("2. an exchange right above another, and a third: 3 shuffles", () => {
  const twice = hash("b#2, c#3", hash("a#1, b#2, c#3", scan("l")));
  expect(count(plan("SortMergeJoin [b#2], [g#7], LeftOuter", twice, hash("g#7", scan("r"))))).toMatchObject({
    shuffleExchanges: 3,
  });
});

test("3. dynamic pruning reuses the broadcast before it is drawn: 1 broadcast, 1 reuse, 1 shuffle", () => {
  const broadcast = plan("BroadcastExchange HashedRelationBroadcastMode(List(input[0]))", scan("dates"));
  const pruned = plan(
    "Scan parquet sales",
    plan("SubqueryBroadcast dynamicpruning#66", plan("ReusedExchange [d#1], BroadcastExchange", broadcast)),
  );
  const join = plan("BroadcastHashJoin [d#1], [d#2], Inner, BuildRight", pruned, broadcast);
  expect(
    count(plan("HashAggregate(keys=[y#5])", hash("y#5", plan("HashAggregate(keys=[y#5])", join)))),
  ).toEqual({
    ...spark,
    joins: { BroadcastHashJoin: 1 },
    shuffleExchanges: 1,
    broadcastExchanges: 1,
    reusedExchanges: 1,
  });
});

test("4. the same under AQE, where the original comes as a query stage: still 1 broadcast and 1 reuse", () => {
  const broadcast = plan("BroadcastExchange HashedRelationBroadcastMode(List(input[0]))", scan("dates"));
  const reuse = plan(
    "AdaptiveSparkPlan isFinalPlan=true",
    plan("BroadcastQueryStage 1", plan("ReusedExchange [d#1]", broadcast)),
  );
  const pruned = plan("Scan parquet sales", plan("SubqueryBroadcast dynamicpruning#66", reuse));
  const join = plan(
    "BroadcastHashJoin [d#1], [d#2], Inner, BuildRight",
    pruned,
    plan("BroadcastQueryStage 0", broadcast),
  );
  expect(count(plan("AdaptiveSparkPlan isFinalPlan=true", join))).toEqual({
    engine: "spark",
    finalPlan: true,
    joins: { BroadcastHashJoin: 1 },
    broadcastExchanges: 1,
    reusedExchanges: 1,
  });
});

test("5. one cached plan with 1 shuffle and 1 join under two scans: 1 shuffle in the cache, none outside but 1", () => {
  const cached = plan(
    "InMemoryTableScan [a#1]",
    plan("SortMergeJoin [a#1], [b#2], Inner", hash("a#1", scan("t")), scan("u")),
  );
  expect(count(hash("x#1, y#2", plan("Union", cached, cached)))).toEqual({
    ...spark,
    joins: {},
    shuffleExchanges: 1,
    cachedShuffleExchanges: 1,
  });
});

test("6. tables, columns and commands called exchange or join: 1 range shuffle, nothing else", () => {
  const read = plan(
    "Scan parquet fx.stock_exchange | FileScan parquet fx.stock_exchange[exchange#1,sortmergejoin#2]",
  );
  const sort = plan("Exchange rangepartitioning(exchange#1 ASC NULLS FIRST, 200), ENSURE_REQUIREMENTS", read);
  expect(
    count(
      plan(
        "Execute InsertIntoHadoopFsRelationCommand | Execute Insert file:/lake/Exchange/BroadcastExchange",
        sort,
      ),
    ),
  ).toEqual({
    ...spark,
    joins: {},
    shuffleExchanges: 1,
  });
});

test("7. Photon shows a shuffle as source, map stage and sink: 2 shuffles, 1 of them into one partition", () => {
  const shuffle = (to: string, below: PlanJson) =>
    plan(
      "PhotonShuffleExchangeSource",
      plan(
        "ShuffleQueryStage 0",
        plan("PhotonShuffleMapStage", plan(`PhotonShuffleExchangeSink ${to}`, below)),
      ),
    );
  const join = plan(
    "PhotonShuffledHashJoin [a#1], [b#2], Inner, BuildRight",
    shuffle("hashpartitioning(a#1, 200)", plan("PhotonScan parquet p.a")),
    plan("PhotonScan parquet p.b"),
  );
  expect(
    count(plan("PhotonResultStage", plan("PhotonAgg(keys=[])", shuffle("SinglePartition", join)))),
  ).toEqual({
    engine: "photon",
    finalPlan: null,
    joins: { ShuffledHashJoin: 1 },
    shuffleExchanges: 2,
    singlePartitionExchanges: 1,
  });
});

test("8. RAPIDS: 2 shuffles, 1 of them single, 1 broadcast, joins by Spark's name", () => {
  const join = plan(
    "GpuBroadcastHashJoin [a#1], [b#2], Inner, GpuBuildRight",
    plan("GpuColumnarExchange gpuhashpartitioning(a#1, 200), true, [id=#1]", plan("GpuScan parquet ")),
    plan("GpuBroadcastExchange HashedRelationBroadcastMode(List(input[0]))", plan("GpuScan parquet ")),
  );
  expect(
    count(
      plan(
        "GpuHashAggregate(keys=[])",
        plan("GpuColumnarExchange gpusinglepartitioning$(), true, [id=#2]", join),
      ),
    ),
  ).toEqual({
    engine: "rapids",
    finalPlan: null,
    joins: { BroadcastHashJoin: 1 },
    shuffleExchanges: 2,
    singlePartitionExchanges: 1,
    broadcastExchanges: 1,
  });
});

test("9. Gluten and Comet: 2 shuffles each, a sort-merge join each, a hidden shuffle in Comet", () => {
  const gluten = plan(
    "WholeStageCodegenTransformer (2)",
    plan(
      "SortMergeJoinExecTransformer [a#1], [b#2], Inner",
      plan("ColumnarExchange hashpartitioning(a#1, 9)"),
      plan("ColumnarExchange hashpartitioning(b#2, 9)"),
    ),
  );
  expect(count(gluten)).toEqual({
    engine: "gluten",
    finalPlan: null,
    joins: { SortMergeJoin: 1 },
    shuffleExchanges: 2,
  });
  const comet = plan(
    "CometTakeOrderedAndProject",
    plan(
      "CometSortMergeJoin [a#1], [b#2], Inner",
      plan("CometExchange hashpartitioning(a#1, 9)"),
      plan("CometColumnarExchange hashpartitioning(b#2, 9)"),
    ),
  );
  expect(count(comet)).toEqual({
    engine: "comet",
    finalPlan: null,
    joins: { SortMergeJoin: 1 },
    shuffleExchanges: 2,
    hiddenShuffles: 1,
  });
});

test("10. AQE split a skewed join and coalesced a read: 3 shuffles, 3 reads, 2 of them skewed and 2 coalesced", () => {
  const read = (how: string, keys: string) =>
    plan(`AQEShuffleRead ${how}`, plan("ShuffleQueryStage 0", hash(keys, scan("t"))));
  const join = plan(
    "SortMergeJoin(skew=true) | SortMergeJoin(skew=true) [a#1], [b#2], Inner",
    read("coalesced and skewed", "a#1"),
    read("skewed", "bb#2"),
  );
  expect(
    count(
      plan(
        "AdaptiveSparkPlan isFinalPlan=false",
        plan("HashAggregate(keys=[])", plan("Union", join, read("coalesced", "ccc#3"))),
      ),
    ),
  ).toEqual({
    engine: "spark",
    finalPlan: false,
    joins: { SortMergeJoin: 1 },
    shuffleExchanges: 3,
    aqeReads: 3,
    skewedReads: 2,
    coalescedReads: 2,
    skewJoins: 1,
  });
});

test("11. broadcast nested loop and cartesian joins, a scalar subquery shuffled into one partition and used twice", () => {
  const subquery = plan(
    "Subquery subquery#1, [id=#5]",
    plan(
      "HashAggregate(keys=[])",
      plan("Exchange SinglePartition, ENSURE_REQUIREMENTS, [plan_id=8]", scan("s")),
    ),
  );
  const loop = plan(
    "BroadcastNestedLoopJoin BuildRight, LeftAnti, (a#1 > b#2)",
    plan("CartesianProduct (a#1 > c#3)", scan("x"), scan("y")),
    plan("BroadcastExchange IdentityBroadcastMode", scan("z")),
  );
  expect(
    count(plan("Filter (a#1 > Subquery subquery#1)", loop, subquery, plan("ReusedSubquery", subquery))),
  ).toEqual({
    ...spark,
    joins: { BroadcastNestedLoopJoin: 1, CartesianProduct: 1 },
    shuffleExchanges: 1,
    singlePartitionExchanges: 1,
    broadcastExchanges: 1,
  });
});

test("12. Photon broadcasts from the executors through a shuffle: 1 shuffle, but none that piles rows up in one task", () => {
  const sink = plan("PhotonShuffleExchangeSink SinglePartition", plan("PhotonScan parquet p.a"));
  const read = plan(
    "PhotonShuffleExchangeSource",
    plan("PhotonShuffleMapStage EXECUTOR_BROADCAST, [id=#9659]", sink),
  );
  const join = plan(
    "PhotonBroadcastHashJoin [a#1], [b#2], Inner, BuildRight",
    plan("PhotonScan parquet p.b"),
    read,
  );
  expect(count(join)).toEqual({
    engine: "photon",
    finalPlan: null,
    joins: { BroadcastHashJoin: 1 },
    shuffleExchanges: 1,
  });
});
