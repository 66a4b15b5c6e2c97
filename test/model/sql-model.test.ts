import fc from "fast-check";
import { expect, test } from "vitest";
import type { SqlMemory } from "../../src/model/sql-model.ts";
import { metric, type PlanJson, plan } from "../plan/plan-builder.ts";
import { SqlReplay } from "./replay-sql.ts";

const SQL = "org.apache.spark.sql.execution.ui.SparkListener";

function start(executionId: number, sparkPlanInfo: unknown, more = {}) {
  return {
    Event: `${SQL}SQLExecutionStart`,
    executionId,
    rootExecutionId: executionId,
    description: "a query",
    details: "",
    physicalPlanDescription: "== Physical Plan ==",
    sparkPlanInfo,
    time: 1_700_000_000_000,
    ...more,
  };
}

function update(executionId: number, sparkPlanInfo: unknown) {
  return {
    Event: `${SQL}SQLAdaptiveExecutionUpdate`,
    executionId,
    physicalPlanDescription: "",
    sparkPlanInfo,
  };
}

function end(executionId: number, more: object = { errorMessage: "" }) {
  return { Event: `${SQL}SQLExecutionEnd`, executionId, time: 1_700_000_001_000, ...more };
}

function jobStart(job: number, executionId: number, stages: [id: number, tasks: number][]) {
  return {
    Event: "SparkListenerJobStart",
    "Job ID": job,
    "Stage Infos": stages.map(([id, tasks]) => ({ "Stage ID": id, "Number of Tasks": tasks })),
    Properties: { "spark.sql.execution.id": String(executionId) },
  };
}

function jobEnd(job: number, Result = "JobSucceeded") {
  return { Event: "SparkListenerJobEnd", "Job ID": job, "Job Result": { Result } };
}

function stageSubmitted(stage: number, attempt: number, tasks: number) {
  const info = { "Stage ID": stage, "Stage Attempt ID": attempt, "Number of Tasks": tasks };
  return { Event: "SparkListenerStageSubmitted", "Stage Info": info };
}

interface TaskShape {
  stage?: number;
  attempt?: number;
  index: number;
  task: number;
  failed?: boolean;
}

function taskEnd(
  { stage = 0, attempt = 0, index, task, failed = false }: TaskShape,
  updates: Record<number, unknown>,
) {
  return {
    Event: "SparkListenerTaskEnd",
    "Stage ID": stage,
    "Stage Attempt ID": attempt,
    "Task End Reason": { Reason: failed ? "ExceptionFailure" : "Success" },
    "Task Info": {
      "Task ID": task,
      Index: index,
      Accumulables: Object.entries(updates).map(([id, Update]) => ({
        ID: Number(id),
        Update,
        Metadata: "sql",
      })),
    },
  };
}

const SORT = plan("Sort [a#1 ASC]", metric(1, "spill size", "size"), metric(2, "rows"));

function run(events: object[], memory?: SqlMemory) {
  const replay = new SqlReplay(memory);
  for (const event of events) replay.event(event);
  return { rows: replay.finish(), issues: replay.issues.list() };
}

function metricsOf(events: object[]) {
  const metrics = run(events).rows.of("sql_metric");
  return Object.fromEntries(metrics.map((row) => [row.accumulator_id, row]));
}

test("the retry of a failed task overwrites its values; what only the failed attempt reported stays", () => {
  const metrics = metricsOf([
    start(0, SORT),
    jobStart(0, 0, [[0, 2]]),
    taskEnd({ index: 0, task: 0, failed: true }, { 1: "500", 2: "7" }),
    taskEnd({ index: 0, task: 2 }, { 1: "100" }),
    taskEnd({ index: 1, task: 1 }, { 1: "50" }),
    end(0),
    jobEnd(0),
  ]);
  expect(metrics[1]).toMatchObject({ total: 150, min: 50, median: 100, max: 100, max_task_id: 0 });
  expect(metrics[2]).toMatchObject({ total: 7, text: "7" });
});

test("a speculative copy that ends after the winner changes nothing", () => {
  const metrics = metricsOf([
    start(0, SORT),
    jobStart(0, 0, [[0, 1]]),
    taskEnd({ index: 0, task: 0 }, { 1: "100" }),
    taskEnd({ index: 0, task: 1 }, { 1: "900" }),
    end(0),
    jobEnd(0),
  ]);
  expect(metrics[1]).toMatchObject({ total: 100, text: "100.0 B" });
});

test("only the newest attempt of a stage counts, and each attempt keeps its own row", () => {
  const { rows } = run([
    start(0, SORT),
    jobStart(0, 0, [[0, 2]]),
    taskEnd({ index: 0, task: 0 }, { 1: "100" }),
    stageSubmitted(0, 1, 1),
    taskEnd({ index: 1, task: 1 }, { 1: "9000" }),
    taskEnd({ attempt: 1, index: 0, task: 2 }, { 1: "30" }),
    end(0),
    jobEnd(0),
  ]);
  expect(rows.of("sql_metric")).toMatchObject([
    { accumulator_id: 1, total: 30, min: 0, max_stage_attempt_id: 1 },
  ]);
  expect(rows.of("stage_sql_metric")).toMatchObject([
    { stage_attempt_id: 0, tasks: 1, total: 100, max_task_id: 0 },
    { stage_attempt_id: 1, tasks: 1, total: 30, max_task_id: 2 },
  ]);
});

test("driver values stand beside task values, and a larger one takes the maximum from the task", () => {
  const pairs = [
    [1, 10],
    [1, 400],
    [1, -1],
  ];
  const driver = { Event: `${SQL}DriverAccumUpdates`, executionId: 0, accumUpdates: pairs };
  const metrics = metricsOf([
    start(0, SORT),
    jobStart(0, 0, [[0, 1]]),
    taskEnd({ index: 0, task: 0 }, { 1: "100" }),
    driver,
    end(0),
    jobEnd(0),
  ]);
  expect(metrics[1]?.text).toBe(
    "total (min, med, max (stageId: taskId))\n510.0 B (10.0 B, 100.0 B, 400.0 B (driver))",
  );
});

test("an accumulator that a later plan declares counts from then on, an undeclared one never", () => {
  const metrics = metricsOf([
    start(0, SORT),
    jobStart(0, 0, [[0, 3]]),
    taskEnd({ index: 0, task: 0 }, { 5: "1", 6: "1" }),
    update(0, plan("Filter (a#1 > 1)", metric(5, "rows"))),
    taskEnd({ index: 1, task: 1 }, { 5: "2", 6: "1" }),
    end(0),
    jobEnd(0),
  ]);
  expect(metrics[5]?.total).toBe(2);
  expect(metrics[6]).toBeUndefined();
});

test("values beyond 2^53 are exact", () => {
  const metrics = metricsOf([
    start(0, SORT),
    jobStart(0, 0, [[0, 2]]),
    taskEnd({ index: 0, task: 0 }, { 2: "9007199254740993" }),
    taskEnd({ index: 1, task: 1 }, { 2: "1" }),
    end(0),
    jobEnd(0),
  ]);
  expect(metrics[2]).toMatchObject({ total: 9007199254740994n, max: 9007199254740993n });
});

test("a metric that only ever was -1 has no data", () => {
  const metrics = metricsOf([
    start(0, SORT),
    jobStart(0, 0, [[0, 1]]),
    taskEnd({ index: 0, task: 0 }, { 1: "-1" }),
    end(0),
    jobEnd(0),
  ]);
  expect(metrics[1]).toMatchObject({ total: null, max: null, text: "0.0 B" });
});

test("a job that ends after its execution still counts, and the execution is written once", () => {
  const { rows } = run([
    start(0, SORT),
    jobStart(0, 0, [[0, 1]]),
    end(0),
    taskEnd({ index: 0, task: 0 }, { 2: "5" }),
    jobEnd(0),
  ]);
  expect(rows.of("sql_metric")).toMatchObject([{ accumulator_id: 2, total: 5 }]);
  expect(rows.of("sql_execution")).toHaveLength(1);
});

test.each([
  ["an empty error message", [end(0)], "completed"],
  ["an error message", [end(0, { errorMessage: "boom" })], "failed"],
  ["no end", [], "running"],
  ["an old log's end and a failed job", [end(0, {}), jobEnd(0, "JobFailed")], "failed"],
  ["an old log's end and a good job", [end(0, {}), jobEnd(0)], "completed"],
])("%s means the status it means in Spark", (_, events, status) => {
  const { rows } = run([start(0, SORT), jobStart(0, 0, [[0, 1]]), ...events]);
  expect(rows.of("sql_execution")).toMatchObject([{ status }]);
});

test("each distinct plan is stored once, every version is listed, the graph only of the last", () => {
  const versions = [1, 2, 2, 3].map((n) => plan(`Filter (a#${n} > 1)`));
  const { rows } = run([
    start(0, versions[0]),
    ...versions.slice(1).map((version) => update(0, version)),
    end(0),
  ]);
  expect(rows.of("sql_plan")).toHaveLength(3);
  expect(rows.of("sql_plan_version").map(({ plan_id }) => plan_id)).toEqual([0, 1, 1, 2]);
  expect(rows.of("sql_plan_node").map(({ plan_id }) => plan_id)).toEqual([2]);
});

test("the last plan is the one that ran, whatever an earlier one says of itself", () => {
  const adaptive = (isFinal: boolean, scan: string) =>
    plan(`AdaptiveSparkPlan isFinalPlan=${isFinal}`, plan(`Filter (${scan} > 1)`));
  const ran = (...updates: PlanJson[]) => {
    const events = [start(0, adaptive(false, "first")), ...updates.map((json) => update(0, json)), end(0)];
    const { rows } = run(events);
    const planId = rows.of("sql_execution")[0]?.plan_id;
    const nodes = rows.of("sql_plan_node").filter((row) => row.plan_id === planId);
    return nodes.map(({ simple_string }) => simple_string).at(-1);
  };
  expect(ran(adaptive(false, "second"))).toBe("Filter (second > 1)");
  expect(ran(adaptive(false, "second"), adaptive(true, "third"))).toBe("Filter (third > 1)");
  expect(ran(adaptive(true, "second"), adaptive(false, "third"))).toBe("Filter (third > 1)");
});

test("a plan 20,000 nodes deep is drawn", () => {
  let deep: PlanJson = plan("Range (0, 1)");
  for (let depth = 1; depth < 20_000; depth++) deep = plan("Filter (a#1 > 1)", deep);
  const { rows } = run([start(0, deep), update(0, plan("Filter (b#1 > 1)", deep)), end(0)]);
  expect(rows.of("sql_plan_node").filter(({ plan_id }) => plan_id === 1)).toHaveLength(20_001);
});

test("damaged SQL events are left out with an issue, and nothing is thrown", () => {
  const { rows, issues } = run([
    { Event: `${SQL}SQLExecutionStart` },
    {
      Event: `${SQL}SQLExecutionStart`,
      executionId: 1,
      sparkPlanInfo: { children: [null, 3, { metrics: 7 }] },
    },
    { Event: `${SQL}DriverAccumUpdates`, executionId: 1, accumUpdates: [7, [1], ["a", "b"], [3, "x"]] },
    { Event: `${SQL}SQLAdaptiveExecutionUpdate`, executionId: 1, sparkPlanInfo: "none" },
    end(7),
    start(1, SORT),
  ]);
  expect(rows.of("sql_execution")).toMatchObject([{ execution_id: 1, status: "running", plan_versions: 1 }]);
  expect(issues.map(({ code, count }) => [code, count])).toEqual([
    ["bad-values", 1],
    ["bad-values", 4],
    ["bad-values", 1],
    ["event-loss", 1],
    ["duplicate-events", 1],
  ]);
});

test("folding gives the same numbers whether or not values went to the temporary file", () => {
  const task = fc.record({
    index: fc.nat(40),
    failed: fc.boolean(),
    value: fc.integer({ min: -1, max: 2 ** 40 }),
  });
  fc.assert(
    fc.property(fc.array(task, { maxLength: 400 }), (tasks) => {
      const events = [
        start(0, SORT),
        jobStart(0, 0, [[0, 41]]),
        ...tasks.map(({ index, failed, value }, id) =>
          taskEnd({ index, failed, task: id }, { 1: String(value), 2: String(id) }),
        ),
        end(0),
        jobEnd(0),
      ];
      expect(run(events, { values: 1 }).rows.of("sql_metric")).toEqual(run(events).rows.of("sql_metric"));
    }),
    { numRuns: 50 },
  );
});

test("executions that wait in the temporary file give the same rows as those kept in memory", () => {
  const step = fc.record({
    execution: fc.nat(4),
    kind: fc.constantFrom("job", "task", "driver", "update", "end", "jobEnd", "attempt"),
    value: fc.integer({ min: -1, max: 9 }),
    task: fc.nat(6),
    failed: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const starts = [0, 1, 2, 3, 4].map((id) => start(id, SORT));
      const events = steps.map(({ execution, kind, value, task, failed }): object => {
        const updates = { 1: String(value), 2: "9007199254740995", 5: "1" };
        if (kind === "job") return jobStart(execution, execution, [[execution, 7]]);
        if (kind === "task") return taskEnd({ stage: execution, index: task, task, failed }, updates);
        if (kind === "driver")
          return { Event: `${SQL}DriverAccumUpdates`, executionId: execution, accumUpdates: [[1, value]] };
        if (kind === "update") return update(execution, plan("Filter (a#1 > 1)", metric(5, "rows")));
        if (kind === "end") return end(execution);
        return kind === "jobEnd" ? jobEnd(execution) : stageSubmitted(execution, value, 7);
      });
      const kept = run([...starts, ...events]);
      const parked = run([...starts, ...events], { executions: 1 });
      for (const table of ["sql_execution", "sql_metric", "stage_sql_metric", "sql_plan_node"] as const) {
        const byText = (rows: object[]) => rows.map((row) => Object.values(row).join("|")).sort();
        expect(byText(parked.rows.of(table))).toEqual(byText(kept.rows.of(table)));
      }
      expect(parked.issues).toEqual(kept.issues);
    }),
    { numRuns: 80 },
  );
});

test("no event of any shape makes the model throw, or write what is no number", () => {
  const id = fc.oneof(fc.nat(3), fc.constantFrom("1", 2n, -1, 1.5, null, "x", 2 ** 60));
  const node = fc.memo((depth: number): fc.Arbitrary<unknown> => {
    if (depth <= 1) return fc.anything({ maxDepth: 1 });
    return fc.record(
      {
        nodeName: fc.oneof(
          fc.constantFrom("Exchange", "Sort", "ReusedExchange", "InMemoryTableScan", "Window", "Filter"),
          fc.anything({ maxDepth: 0 }),
        ),
        simpleString: fc.oneof(
          fc.string(),
          fc.constantFrom("Exchange hashpartitioning(", "Window [windowspecdefinition(", "SortMergeJoin [a"),
        ),
        children: fc.oneof(fc.array(node(depth - 1), { maxLength: 3 }), fc.anything({ maxDepth: 1 })),
        metadata: fc.anything({ maxDepth: 2 }),
        metrics: fc.array(
          fc.record({
            name: fc.anything({ maxDepth: 0 }),
            accumulatorId: id,
            metricType: fc.constantFrom("size", "sum", "average", 7),
          }),
        ),
      },
      { requiredKeys: [] },
    );
  });
  const event = fc.record(
    {
      Event: fc
        .constantFrom(
          "SQLExecutionStart",
          "SQLAdaptiveExecutionUpdate",
          "SQLAdaptiveSQLMetricUpdates",
          "DriverAccumUpdates",
          "SQLExecutionEnd",
        )
        .map((name) => SQL + name),
      executionId: id,
      rootExecutionId: id,
      time: id,
      errorMessage: fc.anything({ maxDepth: 1 }),
      modifiedConfigs: fc.anything({ maxDepth: 2 }),
      jobTags: fc.anything({ maxDepth: 1 }),
      sparkPlanInfo: node(4),
      sqlPlanMetrics: fc.anything({ maxDepth: 2 }),
      accumUpdates: fc.oneof(fc.array(fc.tuple(id, fc.oneof(id, fc.bigInt()))), fc.anything({ maxDepth: 2 })),
    },
    { requiredKeys: ["Event"] },
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (events) => {
      const { rows } = run([
        ...events,
        jobStart(0, 1, [[0, Number.NaN]]),
        taskEnd({ index: 3, task: 1 }, { 1: "5", 2: "7" }),
      ]);
      for (const row of [...rows.tables.values()].flat()) {
        for (const value of Object.values(row)) {
          expect(
            value === null || ["string", "bigint"].includes(typeof value) || Number.isFinite(value),
          ).toBe(true);
        }
      }
    }),
    { numRuns: 150 },
  );
});
