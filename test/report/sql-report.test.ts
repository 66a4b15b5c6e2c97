import { expect, test } from "vitest";
import { sqlReport } from "../../src/report/sql-report.ts";
import { SqlReplay } from "../model/replay-sql.ts";
import { databaseOf } from "../model/sql-database.ts";
import { metric, plan } from "../plan/plan-builder.ts";

const SQL = "org.apache.spark.sql.execution.ui.SparkListener";

test("an execution that AQE turned from a sort-merge join into a broadcast join tells both", () => {
  const left = plan(
    "Exchange hashpartitioning(id#1L, 200), ENSURE_REQUIREMENTS, [plan_id=71]",
    plan("Scan parquet big"),
  );
  const right = plan(
    "Exchange hashpartitioning(id#5L, 200), ENSURE_REQUIREMENTS, [plan_id=72]",
    plan("Scan parquet small"),
  );
  const first = plan(
    "AdaptiveSparkPlan isFinalPlan=false",
    plan(
      "SortMergeJoin [id#1L], [id#5L], Inner",
      plan("Sort [id#1L ASC]", left),
      plan("Sort [id#5L ASC]", right),
    ),
  );
  const last = plan(
    "AdaptiveSparkPlan isFinalPlan=true",
    plan(
      "BroadcastHashJoin [id#1L], [id#5L], Inner, BuildRight",
      plan("AQEShuffleRead local", plan("ShuffleQueryStage 0", left)),
      plan(
        "BroadcastQueryStage 2",
        plan(
          "BroadcastExchange HashedRelationBroadcastMode(List(input[0])), [plan_id=99]",
          plan("AQEShuffleRead local", plan("ShuffleQueryStage 1", right)),
        ),
      ),
    ),
  );
  const replay = new SqlReplay();
  replay.event({
    Event: `${SQL}SQLExecutionStart`,
    executionId: 3,
    rootExecutionId: 2,
    description: "q",
    time: 1000,
    sparkPlanInfo: first,
  });
  replay.event({ Event: `${SQL}SQLAdaptiveExecutionUpdate`, executionId: 3, sparkPlanInfo: last });
  replay.event({ Event: `${SQL}SQLExecutionEnd`, executionId: 3, time: 1750, errorMessage: "" });
  expect([...sqlReport(databaseOf(replay.finish()))]).toEqual([
    {
      executionId: 3,
      rootExecutionId: 2,
      description: "q",
      status: "completed",
      errorMessage: null,
      submittedMs: 1000,
      completedMs: 1750,
      durationMs: 750,
      jobIds: [],
      stageIds: [],
      engine: "spark",
      planVersions: 2,
      finalPlan: true,
      shuffleExchanges: 2,
      broadcastExchanges: 1,
      singlePartitionExchanges: 0,
      reusedExchanges: 0,
      cachedShuffleExchanges: 0,
      hiddenShuffles: 0,
      joins: { BroadcastHashJoin: 1 },
      initialJoins: { SortMergeJoin: 1 },
      exchanged: {
        bytesWritten: null,
        bytesRead: null,
        rowsWritten: null,
        rowsRead: null,
        broadcastBytes: null,
        avoidable: 0,
      },
      nestedExecutionIds: [],
      aqe: { reads: 2, coalescedReads: 0, skewedReads: 0, localReads: 2, skewJoin: false },
    },
  ]);
});

test("an execution tells what its shuffles moved, and its nested executions", () => {
  const shuffle = (id: number, key: string) =>
    plan(
      `Exchange hashpartitioning(${key}, 9)`,
      metric(id, "shuffle bytes written"),
      metric(id + 1, "records read"),
    );
  const replay = new SqlReplay();
  const root = plan("TakeOrderedAndProject(limit=1)", shuffle(10, "a#1"), metric(1, "shuffle bytes written"));
  replay.event({ Event: `${SQL}SQLExecutionStart`, executionId: 0, sparkPlanInfo: root });
  replay.event({
    Event: `${SQL}SQLExecutionStart`,
    executionId: 1,
    rootExecutionId: 0,
    sparkPlanInfo: shuffle(20, "b#2"),
  });
  const accumUpdates = [
    [1, 5],
    [10, 100],
    [11, 7],
  ];
  replay.event({ Event: `${SQL}DriverAccumUpdates`, executionId: 0, accumUpdates });
  const [outer, inner] = sqlReport(databaseOf(replay.finish()));
  expect(outer).toMatchObject({
    hiddenShuffles: 1,
    nestedExecutionIds: [1],
    exchanged: { bytesWritten: 105, bytesRead: null, rowsRead: 7, avoidable: 0 },
  });
  expect(inner).toMatchObject({
    rootExecutionId: 0,
    nestedExecutionIds: [],
    exchanged: { bytesWritten: null },
  });
});
