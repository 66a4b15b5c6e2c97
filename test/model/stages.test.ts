import { expect, onTestFinished, test } from "vitest";
import { openForReading } from "../../src/store/open-store.ts";
import { ingested, ingestedFile } from "../helpers/ingested.ts";
import { LogBuilder, START } from "../helpers/log-builder.ts";

const spill = { "Memory Bytes Spilled": 400, "Disk Bytes Spilled": 100 };

test("a stage sums every task that has metrics and takes quantiles of the successful ones", async () => {
  const log = new LogBuilder().start().job(0, [0], {}, 4).stageSubmitted(0, 4);
  for (const run of [100, 200, 300]) log.task({ run, index: run / 100 - 1 });
  log.task({
    run: 5000,
    index: 3,
    reason: { Reason: "ExceptionFailure", "Class Name": "E", Description: "boom" },
  });
  log.task({ run: 400, index: 3, metrics: spill });
  log.stageCompleted(0, 4).jobEnd(0).end();
  const { report } = await ingested(log);
  expect(report.stages).toMatchObject([
    {
      stageId: 0,
      status: "complete",
      tasks: 5,
      taskEnds: 5,
      succeeded: 4,
      failed: 1,
      executorRunTimeMs: 6000,
      spillingTasks: 1,
      memoryBytesSpilled: 400,
      diskBytesSpilled: 100,
      // Spark's rule: of 4 sorted values the median is the third.
      runTimeMs: { min: 100, p25: 200, p50: 300, p75: 400, max: 400 },
      skewRatio: 1.3333,
    },
  ]);
});

test("a task that failed without metrics counts, and its time is not a run time of 0", async () => {
  const log = new LogBuilder().start().job(0, [0], {}, 1).stageSubmitted(0, 1);
  log.task({ duration: 2030, metrics: null, reason: { Reason: "ExecutorLostFailure", "Executor ID": "1" } });
  log.task({ run: 2000 }).stageCompleted(0, 1).jobEnd(0).end();
  const { report, rows } = await ingested(log);
  expect(report.stages[0]).toMatchObject({ failed: 1, runTimeMs: { min: 2000, p50: 2000 } });
  expect(rows("SELECT duration_ms, executor_run_time_ms FROM task_failure")).toEqual([
    { duration_ms: 2030, executor_run_time_ms: null },
  ]);
});

test("a stage attempt in which no task succeeded has its failed tasks and no quantiles", async () => {
  const log = new LogBuilder().start().job(0, [0], {}, 1).stageSubmitted(0, 1);
  log.task({
    metrics: null,
    reason: { Reason: "FetchFailed", "Shuffle ID": 0, "Reduce ID": 0, Message: "gone" },
  });
  log.stageCompleted(0, 1, 0, 80_000, { "Failure Reason": "fetch failed" }).jobEnd(0).end();
  const { report, rows } = await ingested(log);
  expect(report.stages[0]).toMatchObject({
    status: "failed",
    tasks: 1,
    succeeded: 0,
    failed: 1,
    runTimeMs: null,
  });
  expect(rows("SELECT * FROM stage_quantile")).toEqual([]);
});

test("a resubmitted task is a failed end and no second task", async () => {
  const log = new LogBuilder().start().job(0, [0], {}, 1).stageSubmitted(0, 1);
  log
    .taskStart()
    .taskEnd({}, 0)
    .taskEnd({ reason: { Reason: "Resubmitted" }, metrics: null }, 0);
  log.stageCompleted(0, 1).jobEnd(0).end();
  const { report, rows } = await ingested(log);
  expect(rows("SELECT succeeded, failed FROM stage_executor")).toEqual([{ succeeded: 1, failed: 1 }]);
  expect(report.stages[0]).toMatchObject({
    tasks: 1,
    taskEnds: 2,
    succeeded: 1,
    failed: 1,
    executorRunTimeMs: 1000,
  });
  expect(report.totals.taskEnds).toBe(2);
});

test("a task killed after the end of its job still counts for the job", async () => {
  const log = new LogBuilder().start().job(0, [0], {}, 2).stageSubmitted(0, 2).taskStart().taskStart();
  log.taskEnd({}, 0).stageCompleted(0, 2).jobEnd(0);
  log.taskEnd({ reason: { Reason: "TaskKilled", "Kill Reason": "Stage finished" } }, 1).end();
  const { rows } = await ingested(log);
  expect(rows("SELECT status, completed_tasks, killed_tasks FROM job")).toEqual([
    { status: "succeeded", completed_tasks: 1, killed_tasks: 1 },
  ]);
  expect(rows("SELECT message, details FROM task_failure")).toEqual([
    { message: "Stage finished", details: "Stage finished" },
  ]);
});

test("a denied commit counts as killed", async () => {
  const log = new LogBuilder().start().job(0, [0], {}, 1).stageSubmitted(0, 1);
  log
    .task({ reason: { Reason: "TaskCommitDenied" } })
    .task()
    .stageCompleted(0, 1)
    .jobEnd(0)
    .end();
  const { report } = await ingested(log);
  expect(report.stages[0]).toMatchObject({ succeeded: 1, failed: 0, killed: 1 });
});

test("a task that ends after its stage still belongs to it", async () => {
  const log = new LogBuilder().start().job(0, [0], {}, 2).stageSubmitted(0, 2);
  log.task({ run: 100 }).task({ run: 200 }).stageCompleted(0, 2);
  log.task({ run: 900, reason: { Reason: "TaskKilled", "Kill Reason": "another attempt succeeded" } });
  log.jobEnd(0).end();
  const { report } = await ingested(log);
  expect(report.stages[0]).toMatchObject({
    taskEnds: 3,
    killed: 1,
    executorRunTimeMs: 1200,
    runTimeMs: { max: 200 },
  });
});

test("attempts of a stage are never mixed", async () => {
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0, 2).task({ run: 100 });
  log.stageCompleted(0, 2, 0, 5000, { "Failure Reason": "FetchFailed" });
  log.stageSubmitted(0, 1, 1).task({ attempt: 1, run: 700 }).stageCompleted(0, 1, 1).jobEnd(0).end();
  const { report } = await ingested(log);
  expect(report.stages).toMatchObject([
    { stageAttemptId: 0, status: "failed", executorRunTimeMs: 100, failureReason: "FetchFailed" },
    { stageAttemptId: 1, status: "complete", executorRunTimeMs: 700 },
  ]);
  expect(report.totals).toMatchObject({ stages: 1, stageAttempts: 2 });
});

test("a stage that its job lists but that never ran is skipped", async () => {
  const log = new LogBuilder().start().job(0, [0, 1]).stageSubmitted(1, 1).task({ stage: 1 });
  const { report } = await ingested(log.stageCompleted(1, 1).jobEnd(0).end());
  expect(report.stages.map(({ stageId, status }) => [stageId, status])).toEqual([
    [0, "skipped"],
    [1, "complete"],
  ]);
  expect(report.totals).toMatchObject({ stages: 1, skippedStages: 1 });
});

test("integers above 2^53 stay exact in tasks, totals and quantiles", async () => {
  const big = "9007199254740993";
  const log = new LogBuilder().start().job(0, [0], {}, 1).stageSubmitted(0, 1);
  log
    .task({ input: { "Bytes Read": 77777 } })
    .stageCompleted(0, 1)
    .jobEnd(0)
    .end();
  const { report, rows } = await ingested(log.text().replace("77777", big));
  expect(report.stages[0]?.inputBytes).toBe(BigInt(big));
  expect(report.stages[0]?.metrics.inputBytesRead?.max).toBe(BigInt(big));
  expect(rows("SELECT CAST(input_bytes_read AS TEXT) AS bytes FROM task_data")).toEqual([{ bytes: big }]);
});

test("a sum that passes 2^63 - 1 is unknown and said so, and no view throws", async () => {
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0, 2);
  log.task({ input: { "Bytes Read": 77777 } }).task({ input: { "Bytes Read": 77777 } });
  log.stageCompleted(0, 2).jobEnd(0).end();
  const { report, rows } = await ingested(log.text().replaceAll("77777", "9223372036854775807"));
  expect(report.stages[0]?.inputBytes).toBeNull();
  expect(report.log.issues).toMatchObject([{ code: "bad-values" }]);
  for (const view of ["task", "stage_summary", "executor_timeline", "spill_by_stage", "exchange"])
    expect(() => rows(`SELECT * FROM ${view}`)).not.toThrow();
});

test("stages whose tasks outgrow memory are summed from the table to the same totals", async () => {
  const log = new LogBuilder().start().job(0, [0], {}, 3000).stageSubmitted(0, 3000);
  for (let index = 0; index < 3000; index++) log.task({ index, run: 1 + ((index * 7919) % 3000) });
  // A late end makes the stage stale after it was written: everything is read back.
  log
    .stageCompleted(0, 3000)
    .task({ index: 5, run: 1, reason: { Reason: "TaskKilled" } })
    .jobEnd(0)
    .end();
  const { report } = await ingested(log);
  expect(report.stages[0]).toMatchObject({
    tasks: 3001,
    succeeded: 3000,
    killed: 1,
    executorRunTimeMs: (3000 * 3001) / 2 + 1,
    runTimeMs: { min: 1, p50: 1501, p99: 2971, max: 3000 },
  });
});

test("the duration is completion minus first launch, and 0 where the clock went back", async () => {
  const log = new LogBuilder().start().job(0, [0, 1]).stageSubmitted(0, 1).task({ launch: 3000 });
  log.stageCompleted(0, 1, 0, 13_000).stageSubmitted(1, 1).task({ stage: 1, launch: 50_000 });
  log.stageCompleted(1, 1, 0, 40_000).jobEnd(0).end();
  const { report } = await ingested(log);
  expect(report.stages.map((stage) => stage.durationMs)).toEqual([10_000, 0]);
  expect(report.stages[0]?.firstTaskLaunchedMs).toBe(START + 3000);
});

test("a repeated StageCompleted adds nothing", async () => {
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0).task().task().stageCompleted(0);
  log.raw(log.lines.at(-1) ?? "");
  const { report } = await ingested(log.jobEnd(0).end());
  expect(report.stages[0]).toMatchObject({ status: "complete", tasks: 2, executorRunTimeMs: 2000 });
  expect(report.log.issues).toEqual([]);
});

test("a task that ends thousands of stages later still counts for its stage and job", async () => {
  const log = new LogBuilder().start();
  for (let id = 0; id < 2100; id++)
    log.job(id, [id], {}, 1).stageSubmitted(id, 1).task({ stage: id }).stageCompleted(id, 1).jobEnd(id);
  const db = openForReading(await ingestedFile(log.task({ stage: 3, index: 1 }).end()));
  onTestFinished(() => {
    db.close();
  });
  const rows = (sql: string) => db.prepare(sql).all();
  expect(rows("SELECT tasks, executor_run_time_ms FROM stage WHERE stage_id IN (3, 4)")).toEqual([
    { tasks: 2, executor_run_time_ms: 2000 },
    { tasks: 1, executor_run_time_ms: 1000 },
  ]);
  expect(rows("SELECT completed_tasks FROM job WHERE job_id IN (3, 4)")).toEqual([
    { completed_tasks: 2 },
    { completed_tasks: 1 },
  ]);
  expect(rows("SELECT COUNT(*) AS stages, MIN(status) AS status FROM stage")).toEqual([
    { stages: 2100, status: "complete" },
  ]);
});
