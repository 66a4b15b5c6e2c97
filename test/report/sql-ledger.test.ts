import { expect, test } from "vitest";
import { sqlLedger } from "../../src/report/sql-ledger.ts";
import { SqlReplay } from "../model/replay-sql.ts";
import { databaseOf } from "../model/sql-database.ts";
import { metric, type PlanJson, plan } from "../plan/plan-builder.ts";

const SQL = "org.apache.spark.sql.execution.ui.SparkListener";

const exchange = (key: string, id: number) =>
  plan(
    `Exchange hashpartitioning(${key}, 200), ENSURE_REQUIREMENTS, [plan_id=${id}]`,
    plan(`Scan parquet t${id}`),
    metric(id, "data size", "size"),
    metric(id + 1, "shuffle bytes written", "size"),
  );

/** One execution whose exchanges moved what the pairs say. */
function ledger(sparkPlanInfo: PlanJson, accumUpdates: [number, number][], modifiedConfigs = {}) {
  const replay = new SqlReplay();
  replay.event({ Event: `${SQL}SQLExecutionStart`, executionId: 0, sparkPlanInfo, modifiedConfigs });
  replay.event({ Event: `${SQL}DriverAccumUpdates`, executionId: 0, accumUpdates });
  replay.event({ Event: `${SQL}SQLExecutionEnd`, executionId: 0, errorMessage: "" });
  const result = sqlLedger(databaseOf(replay.finish()));
  if (!result) throw new Error("no ledger");
  return result;
}

const join = plan("SortMergeJoin [a#1], [b#2], Inner", exchange("a#1", 10), exchange("b#2", 20));

test("both exchanges of a join with a side below the threshold look avoidable, and totals add up", () => {
  const { totals, exchanges, joins } = ledger(join, [
    [10, 9000],
    [11, 900],
    [20, 500],
    [21, 50],
  ]);
  expect(totals).toMatchObject({
    shuffles: 2,
    broadcasts: 0,
    avoidable: 2,
    bytesWritten: 950,
    bytesRead: null,
  });
  expect(
    exchanges.rows.map(({ nodeId, avoidable, bytesWritten }) => [nodeId, avoidable, bytesWritten]),
  ).toEqual([
    [1, "small-side", 900],
    [3, "small-side", 50],
  ]);
  expect(joins.rows[0]?.faults).toEqual([
    { fault: "small-side-not-broadcast", side: "right", value: 500, limit: 10 * 1024 ** 2 },
  ]);
});

test("the session's threshold is the one in force", () => {
  const settings = { "spark.sql.autoBroadcastJoinThreshold": "100" };
  const { totals, joins } = ledger(
    join,
    [
      [10, 9000],
      [20, 500],
    ],
    settings,
  );
  expect(totals.avoidable).toBe(0);
  expect(joins.rows[0]?.broadcastThreshold).toEqual({ bytes: 100, source: "session" });
});

test("an application without SQL has no ledger", () => {
  expect(sqlLedger(databaseOf(new SqlReplay().finish()))).toBeNull();
});

test("totals are exact beyond 2^53 and leave cached plans apart", () => {
  const cached = plan("InMemoryTableScan [c#3]", exchange("c#3", 30));
  const large = 9_007_199_254_740_991;
  const { totals } = ledger(plan("Union", join, cached), [
    [11, large],
    [21, large],
    [31, 5],
  ]);
  expect(totals).toMatchObject({ shuffles: 2, cachedShuffles: 1, bytesWritten: 18_014_398_509_481_982n });
});
