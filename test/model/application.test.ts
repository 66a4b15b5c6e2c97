import { expect, test } from "vitest";
import { ingested } from "../helpers/ingested.ts";
import { LogBuilder } from "../helpers/log-builder.ts";

test("an application that ended is complete, with its length", async () => {
  const { report } = await ingested(new LogBuilder().start().end(65_000));
  expect(report.application).toMatchObject({
    id: "app-20250101000000-0001",
    name: "test job",
    sparkVersion: "3.5.3",
    user: "spark",
    master: "spark://host:7077",
    durationMs: 65_000,
    complete: true,
  });
  expect(report.log.issues).toEqual([]);
});

test("without an end the length goes to the last event, and the report says so", async () => {
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0).task({ launch: 4000, run: 3000 });
  const { report } = await ingested(log);
  expect(report.application).toMatchObject({ durationMs: 7000, endTimeMs: null, complete: false });
  expect(report.log.issues.map((issue) => issue.code)).toEqual(["incomplete-application"]);
});

test("a piece without a start is read, and its length is unknown", async () => {
  const log = new LogBuilder().job(0, [0]).stageSubmitted(0).task().task().stageCompleted(0).jobEnd(0);
  const { report } = await ingested(log);
  expect(report.application).toMatchObject({ name: null, durationMs: null, startTimeMs: null });
  expect(report.log.issues.map((issue) => issue.code)).toEqual(["incomplete-application", "missing-head"]);
});

test("the last environment counts", async () => {
  const log = new LogBuilder().start({ "spark.a": "1" });
  log.event("SparkListenerEnvironmentUpdate", { "Spark Properties": { "spark.a": "2" } });
  const { rows } = await ingested(log.end());
  expect(rows("SELECT name, value FROM property WHERE kind = 'spark'")).toEqual([
    { name: "spark.a", value: "2" },
  ]);
});

test("resource amounts keep their fractions; what is no number is unknown", async () => {
  const log = new LogBuilder().start().event("SparkListenerResourceProfileAdded", {
    "Resource Profile Id": 1,
    "Executor Resource Requests": { cores: { "Resource Name": "cores", Amount: 4 } },
    "Task Resource Requests": { gpu: { Amount: 0.05 }, cpus: { Amount: "2" }, tpu: { Amount: null } },
  });
  const { rows } = await ingested(log.end());
  expect(rows("SELECT kind, resource, amount FROM resource_profile ORDER BY kind, resource")).toEqual([
    { kind: "executor", resource: "cores", amount: 4 },
    { kind: "task", resource: "cpus", amount: 2 },
    { kind: "task", resource: "gpu", amount: 0.05 },
    { kind: "task", resource: "tpu", amount: null },
  ]);
});

test("unknown events are counted by name and nothing else happens", async () => {
  const log = new LogBuilder().start().event("SparkListenerFutureThing").event("SparkListenerFutureThing");
  const { report } = await ingested(log.event("org.apache.spark.sql.catalyst.catalog.DropTableEvent").end());
  expect(report.log.unknownEvents).toEqual({ SparkListenerFutureThing: 2 });
  expect(report.log.events).toBe(8);
});

test("times of 1970 and negative times are no times", async () => {
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0);
  log
    .task({ info: { "Launch Time": 0 } })
    .task({ info: { "Finish Time": -1 } })
    .stageCompleted(0)
    .jobEnd(0);
  const { report } = await ingested(log.end());
  expect(report.log.issues).toMatchObject([{ code: "bad-times", count: 2 }]);
  expect(report.stages[0]?.metrics.durationMs?.min).toBe(0);
  expect(JSON.stringify(report, (_key, value) => (typeof value === "bigint" ? "" : value))).not.toContain(
    "1970",
  );
});

test("negative and fractional metrics are set aside and counted", async () => {
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0);
  log
    .task({ metrics: { "JVM GC Time": -5 } })
    .task({ metrics: { "Result Size": 1.5 } })
    .stageCompleted(0);
  const { report } = await ingested(log.jobEnd(0).end());
  expect(report.log.issues).toMatchObject([{ code: "bad-values", count: 2 }]);
  expect(report.stages[0]).toMatchObject({ jvmGcTimeMs: 10 });
});

test("a task without a usable time leaves no sum that is no number", async () => {
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0);
  log
    .task({ info: { "Launch Time": "soon" } })
    .task({ run: 9000 })
    .stageCompleted(0)
    .jobEnd(0)
    .end();
  const { report } = await ingested(log);
  const text = JSON.stringify(report, (_key, value) => (typeof value === "bigint" ? String(value) : value));
  expect(text).not.toMatch(/\bNaN\b|Infinity/);
});
