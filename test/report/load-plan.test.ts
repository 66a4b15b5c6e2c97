import { expect, test } from "vitest";
import { renderTree } from "../../src/plan/render-tree.ts";
import { loadPlan } from "../../src/report/load-plan.ts";
import { SqlReplay } from "../model/replay-sql.ts";
import { databaseOf } from "../model/sql-database.ts";
import { metric, plan } from "../plan/plan-builder.ts";

const SQL = "org.apache.spark.sql.execution.ui.SparkListener";

function database() {
  const replay = new SqlReplay();
  const first = plan("Sort [a#1 ASC]", metric(1, "spill size", "size"));
  const last = plan("Filter (a#1 > 3)", metric(2, "number of output rows"));
  replay.event({ Event: `${SQL}SQLExecutionStart`, executionId: 5, description: "q", sparkPlanInfo: first });
  replay.event({
    Event: `${SQL}DriverAccumUpdates`,
    executionId: 5,
    accumUpdates: [
      [1, 4096],
      [2, 1234],
    ],
  });
  replay.event({ Event: `${SQL}SQLAdaptiveExecutionUpdate`, executionId: 5, sparkPlanInfo: last });
  replay.event({ Event: `${SQL}SQLExecutionEnd`, executionId: 5, errorMessage: "" });
  return databaseOf(replay.finish());
}

test("without a version the plan that ran is printed, with its metrics", () => {
  expect(renderTree(loadPlan(database(), 5))).toEqual([
    "SQL execution 5, plan version 1 of 0-1 (the plan that ran): q",
    "Filter (a#1 > 3) (0)",
    "     number of output rows: 1,234",
  ]);
});

test("an earlier version is printed with what its metrics came to", () => {
  expect(renderTree(loadPlan(database(), 5, 0))).toEqual([
    "SQL execution 5, plan version 0 of 0-1 (replaced later): q",
    "Sort [a#1 ASC] (0)",
    "     spill size: 4.0 KiB",
  ]);
});

test("an execution or version that is not there is said so, with what is", () => {
  expect(() => loadPlan(database(), 6)).toThrow("no plan of SQL execution 6");
  expect(() => loadPlan(database(), 5, 2)).toThrow("SQL execution 5 has no plan version 2");
});
