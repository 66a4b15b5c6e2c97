import { expect, test } from "vitest";
import { ingested } from "../helpers/ingested.ts";
import { LogBuilder, START } from "../helpers/log-builder.ts";

const codes = (report: { log: { issues: { code: string }[] } }) =>
  report.log.issues.map((issue) => issue.code);

test("a complete stage with fewer ends than tasks is a loss, and its totals are lower bounds", async () => {
  const log = new LogBuilder().start().job(0, [0], {}, 4).stageSubmitted(0, 4).task().task().taskStart();
  const { report } = await ingested(log.stageCompleted(0, 4).jobEnd(0).end());
  expect(report.log.issues).toMatchObject([{ code: "event-loss", severity: "data-loss", count: 2 }]);
  expect(report.stages[0]).toMatchObject({ lowerBound: true, tasks: 2, expectedTasks: 4 });
});

test("a job without an end in an application that ended is a loss", async () => {
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0).task().task().stageCompleted(0).end();
  expect(codes((await ingested(log)).report)).toEqual(["event-loss"]);
});

test("task ends without their starts are a loss and still count", async () => {
  const log = new LogBuilder()
    .start()
    .job(0, [0])
    .stageSubmitted(0)
    .taskEnd()
    .task()
    .stageCompleted(0)
    .jobEnd(0);
  const { report } = await ingested(log.end());
  expect(codes(report)).toEqual(["event-loss"]);
  expect(report.stages[0]).toMatchObject({ tasks: 2, executorRunTimeMs: 2000 });
});

test("a failed stage may leave tasks without an end", async () => {
  const log = new LogBuilder().start().job(0, [0], {}, 3).stageSubmitted(0, 3).task().taskStart().taskStart();
  log.stageCompleted(0, 3, 0, 80_000, { "Failure Reason": "Job aborted" });
  log.jobEnd(0, 80_001, { Result: "JobFailed", Exception: { Message: "Job aborted" } });
  const { report, rows } = await ingested(log.end());
  expect(codes(report)).toEqual([]);
  expect(report.jobs[0]).toMatchObject({ status: "failed", failure: "Job aborted" });
  expect(rows("SELECT status, COUNT(*) AS tasks FROM task GROUP BY status ORDER BY status")).toEqual([
    { status: "running", tasks: 2 },
    { status: "success", tasks: 1 },
  ]);
});

test("a repeated task end adds nothing but its line", async () => {
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0).task().task();
  log
    .raw(log.lines.at(-1) ?? "")
    .stageCompleted(0)
    .jobEnd(0)
    .end();
  const { report } = await ingested(log);
  expect(report.log.issues).toMatchObject([{ code: "duplicate-events", severity: "info" }]);
  expect(report.stages[0]).toMatchObject({ tasks: 2, taskEnds: 3, executorRunTimeMs: 2000 });
});

test("a damaged line in the middle is left out with its number; a cut last line is a cut log", async () => {
  const log = new LogBuilder()
    .start()
    .raw('{"Event":"SparkListenerJobStart","Job')
    .raw("[1]")
    .raw("17")
    .end();
  const damaged = await ingested(log);
  expect(damaged.report.log.issues).toMatchObject([{ code: "bad-lines", count: 3, line: 5 }]);
  expect(damaged.report.log.badLines).toBe(3);
  const cut = await ingested(`${new LogBuilder().start().text()}{"Event":"SparkListenerTaskEnd","Stage`);
  expect(codes(cut.report)).toEqual(["truncated", "incomplete-application"]);
});

test("a time range reads the events that touch it and says it is a slice", async () => {
  const log = new LogBuilder().start().job(0, [0], {}, 3).stageSubmitted(0, 3);
  for (const launch of [2000, 30_000, 70_000]) log.task({ launch, run: 5000 });
  log.stageCompleted(0, 3).jobEnd(0).end();
  const { report } = await ingested(log, { fromMs: START + 28_000, toMs: START + 60_000 });
  expect(report.log.taskEnds).toBe(1);
  expect(report.log.slice).toContain("from 2025-01-01T00:00:28.000Z");
  expect(codes(report)).toContain("slice");
});

test("a choice of jobs reads their stages and tasks only", async () => {
  const log = new LogBuilder().start();
  for (const id of [0, 1]) {
    log.job(id, [id], {}, 1).stageSubmitted(id, 1).task({ stage: id }).stageCompleted(id, 1).jobEnd(id);
  }
  const { report } = await ingested(log.end(), { jobs: [1] });
  expect(report.jobs.map((job) => job.jobId)).toEqual([1]);
  expect(report.stages.map((stage) => stage.stageId)).toEqual([1]);
  expect(report.log.taskEnds).toBe(1);
});

test("a stage that reports more run time than its tasks add up to lost some of them", async () => {
  const reported = [{ ID: 1, Name: "internal.metrics.executorRunTime", Value: 2500, Internal: true }];
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0).task().task();
  log.stageCompleted(0, 2, 0, 80_000, { Accumulables: reported }).jobEnd(0).end();
  const { report } = await ingested(log);
  expect(report.log.issues).toMatchObject([{ code: "event-loss", count: 1 }]);
  expect(report.stages[0]?.lowerBound).toBe(true);
  expect(report.totals.lowerBound).toBe(true);
});
