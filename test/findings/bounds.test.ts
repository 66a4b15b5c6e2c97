import { expect, onTestFinished, test } from "vitest";
import { diagnose } from "../../src/findings/diagnose.ts";
import { DEFAULT_LIMITS } from "../../src/findings/limits.ts";
import { BOUNDS, loadFacts } from "../../src/findings/load-facts.ts";
import type { Report } from "../../src/report/report.ts";
import { ruledOut } from "../../src/report/sections/ruled-out.ts";
import { openForReading } from "../../src/store/open-store.ts";
import { stageTasksReader } from "../../src/store/read-stage-tasks.ts";
import { queryRunner } from "../../src/store/run-query.ts";
import { ingestedFile } from "../helpers/ingested.ts";
import { LogBuilder, START } from "../helpers/log-builder.ts";

const SQL = "org.apache.spark.sql.execution.ui.SparkListenerSQL";

/** Six SQL executions of one job and stage each, one after the other, the later the longer; the third job fails. */
function manyExecutions(): LogBuilder {
  const log = new LogBuilder().start();
  for (let id = 0; id < 6; id++) {
    const at = 10_000 * id;
    const run = 1000 + 1000 * id;
    const plan = { nodeName: "Scan", simpleString: "Scan", children: [], metadata: {}, metrics: [] };
    log.event(`${SQL}ExecutionStart`, {
      executionId: id,
      description: "q",
      details: "",
      physicalPlanDescription: "",
      sparkPlanInfo: plan,
      time: START + at,
      modifiedConfigs: { [`spark.sql.setting${id}`]: "1" },
    });
    log.job(id, [id], {
      "Submission Time": START + at,
      Properties: { "spark.sql.execution.id": String(id) },
    });
    log.stageSubmitted(id, 2, 0, { "Submission Time": START + at + 100 });
    for (const index of [0, 1]) log.task({ stage: id, index, launch: at + 200, run });
    log.stageCompleted(id, 2, 0, at + run + 300, { "Submission Time": START + at + 100 });
    log.jobEnd(
      id,
      at + run + 400,
      id === 2 ? { Result: "JobFailed", Exception: { Message: "x" } } : undefined,
    );
    log.event(`${SQL}ExecutionEnd`, { executionId: id, time: START + at + run + 500 });
  }
  return log.end(70_000);
}

async function facts(bounds: Partial<typeof BOUNDS>, limits = DEFAULT_LIMITS) {
  const db = openForReading(await ingestedFile(manyExecutions()));
  onTestFinished(() => {
    db.close();
  });
  const tasks = stageTasksReader(db, 1);
  return loadFacts(queryRunner(db, 1), tasks.load, limits, { ...BOUNDS, ...bounds });
}

test("beyond their bounds facts keep the longest, and the wall clock and core-hours stay those of all", async () => {
  const all = await facts({});
  const few = await facts({ stages: 2, jobs: 3, executions: 2 });
  expect(few.stages.map((stage) => stage.stage_id)).toEqual([4, 5]);
  expect(few.jobs).toHaveLength(3);
  expect(few.leftOut).toMatchObject({ stages: 4, jobs: 3, executions: 6 });
  expect(few.executions.length).toBeLessThanOrEqual(2);
  expect(few.leftOut.settingNames).toHaveLength(6);
  const [whole, part] = [diagnose(all), diagnose(few)];
  expect(part.wallClock).toEqual(whole.wallClock);
  expect(part.coreHours.used).toBeCloseTo(whole.coreHours.used, 9);
  expect(part.checks.map((check) => check.stageId)).toEqual(whole.checks.map((check) => check.stageId));
  expect(whole.judged.notJudged).toBe(0);
});

test("stages that were worth a look and got none are counted, and the report says so", async () => {
  const limits = { ...DEFAULT_LIMITS, stageShare: 1 };
  const { judged: all } = await facts({}, limits);
  expect(all).toEqual({ stages: 6, notJudged: 0, ownTimeShare: 1 });
  const { judged, tasks } = await facts({ smallStages: 2, stages: 4 }, limits);
  expect(judged).toMatchObject({ stages: 3, notJudged: 3 });
  expect(judged.ownTimeShare).toBeCloseTo(15 / 21, 1);
  expect([3, 4, 5, 2].map((id) => tasks.has(`${id}.0`))).toEqual([true, true, true, false]);
  const report = { causes: [{ cause: "skew", status: "out", evidence: [] }], judged } as unknown as Report;
  const told = ruledOut.build({ ...report, judged: { stages: 2000, notJudged: 98_000, ownTimeShare: 0.05 } });
  expect(told[0]).toMatchObject({ kind: "text", text: expect.stringContaining("98,000 shorter ones") });
  expect(ruledOut.build({ ...report, judged: all })[0]?.kind).toBe("table");
});
