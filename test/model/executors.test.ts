import { expect, test } from "vitest";
import { ingested } from "../helpers/ingested.ts";
import { LogBuilder, START } from "../helpers/log-builder.ts";

test("an id that comes back on another host begins another life", async () => {
  const log = new LogBuilder().start().executor("2", 8, 1000, "node-2");
  log
    .executorRemoved("2", "Container c on host: node-2 was preempted.", 5000)
    .executor("2", 4, 9000, "node-3")
    .end();
  const { report } = await ingested(log);
  const lives = report.executors.filter((executor) => executor.executorId === "2");
  expect(lives).toMatchObject([
    { host: "node-2", cores: 8, removedMs: START + 5000, removalClass: "preempted", lost: false },
    { host: "node-3", cores: 4, removedMs: null, removalClass: null },
  ]);
  expect(report.application.cores).toEqual({ peak: 12, atEnd: 8 });
});

test("several removals of one life are one loss, with the later exit code", async () => {
  const log = new LogBuilder().start();
  log.executorRemoved(
    "1",
    "Remote RPC client disassociated. Likely due to containers exceeding thresholds.",
    5000,
  );
  log.executorRemoved("1", "Command exited with code 137", 5100).end();
  const { report } = await ingested(log);
  expect(report.executors).toMatchObject([{ removalClass: "out-of-memory", exitCode: 137, lost: true }]);
  expect(report.totals).toMatchObject({ executorsAdded: 1, executorsRemoved: 1, executorsLost: 1 });
});

test("a repeated add is the same executor", async () => {
  const { report } = await ingested(new LogBuilder().start().executor("1", 4, 500).end());
  expect(report.executors).toHaveLength(1);
  expect(report.application.cores.peak).toBe(4);
});

test("a removal at the end of the application is no loss", async () => {
  const log = new LogBuilder()
    .start()
    .end(100_000)
    .executorRemoved("1", "Command exited with code 143", 100_001);
  const { report } = await ingested(log);
  expect(report.totals).toMatchObject({ executorsRemoved: 1, executorsLost: 0 });
  expect(report.application.cores.atEnd).toBe(4);
});

test("in local mode the driver is the executor", async () => {
  const log = new LogBuilder().start().executor("driver", 6).job(0, [0], {}, 1).stageSubmitted(0, 1);
  log.task({ executor: "driver" }).stageCompleted(0, 1).jobEnd(0).end();
  const { report } = await ingested(log);
  expect(report.executors.map((executor) => executor.executorId)).toEqual(["1", "driver"]);
  expect(report.application.cores.peak).toBe(10);
});

test("a block manager of the driver alone makes no executor of it", async () => {
  const log = new LogBuilder().start().event("SparkListenerBlockManagerAdded", {
    "Block Manager ID": { "Executor ID": "driver", Host: "node-0", Port: 7078 },
    "Maximum Memory": 400,
    Timestamp: START,
  });
  const { report } = await ingested(log.end());
  expect(report.executors.map((executor) => executor.executorId)).toEqual(["1"]);
});

test("metric peaks are kept per executor; -1 means the writer had none", async () => {
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0, 2).task().task().stageCompleted(0);
  log.jobEnd(0).end();
  const text = log.text().replace('{"JVMHeapMemory":1000}', '{"JVMHeapMemory":-1,"OnHeapStorageMemory":5}');
  const { rows } = await ingested(text);
  expect(rows("SELECT executor_id, metric, value FROM executor_peak")).toEqual([
    { executor_id: "1", metric: "JVMHeapMemory", value: 1000 },
  ]);
});

test("both spellings of one exclusion are one row", async () => {
  const fields = { time: START, executorId: "1", taskFailures: 2 };
  const log = new LogBuilder().start();
  for (const name of ["ExecutorExcluded", "ExecutorBlacklisted"])
    log.event(`org.apache.spark.scheduler.SparkListener${name}`, fields);
  const { rows } = await ingested(log.end());
  expect(rows("SELECT kind, target, action FROM exclusion")).toEqual([
    { kind: "executor", target: "1", action: "excluded" },
  ]);
  expect(rows("SELECT is_excluded FROM executor")).toEqual([{ is_excluded: 1 }]);
});

test("core-hours end with the application, whatever clock a later event has", async () => {
  const log = new LogBuilder().start().end(3_600_000);
  log.event("org.apache.spark.sql.streaming.StreamingQueryListener$QueryStartedEvent", {
    id: "q",
    runId: "r",
    timestamp: "2031-01-01T00:00:00.000Z",
  });
  const { report } = await ingested(log);
  expect(report.application.coreHours).toBe(4);
});

test("thousands of executors with many lives keep each its own", async () => {
  const log = new LogBuilder().start();
  const ids = Array.from({ length: 1500 }, (_, at) => `e${at}`);
  for (let life = 0; life < 3; life++)
    for (const id of ids) {
      log.executor(id, 2, 1000 * life + 100, `node-${life}`);
      if (life < 2)
        log.executorRemoved(id, `Command exited with code ${life === 0 ? 137 : 52}`, 1000 * life + 900);
    }
  const { rows } = await ingested(log.end(50_000));
  expect(
    rows(
      `SELECT life, host, exit_code, COUNT(*) AS executors FROM executor WHERE executor_id LIKE 'e%'
       GROUP BY life, host, exit_code ORDER BY life`,
    ),
  ).toEqual([
    { life: 0, host: "node-0", exit_code: 137, executors: 1500 },
    { life: 1, host: "node-1", exit_code: 52, executors: 1500 },
    { life: 2, host: "node-2", exit_code: null, executors: 1500 },
  ]);
});
