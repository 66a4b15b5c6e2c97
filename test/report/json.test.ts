import { expect, test } from "vitest";
import { analyzeLog, withReport } from "../../src/analyze-log.ts";
import { jsonPieces } from "../../src/report/render/json.ts";
import { ingestedFile } from "../helpers/ingested.ts";
import { LogBuilder } from "../helpers/log-builder.ts";

test("JSON holds a line a stage and job, exact integers as text, and nothing twice", async () => {
  const log = new LogBuilder().start().job(0, [0, 1]).stageSubmitted(0).stageSubmitted(0, 2, 1);
  log
    .task({ index: 0, input: { "Bytes Read": "HUGE" } })
    .stageCompleted(0)
    .jobEnd(0)
    .end();
  const path = await ingestedFile(log.text().replace('"HUGE"', "9007199254740993"));
  const text = await withReport(path, {}, (report) => [...jsonPieces(report)].join(""));
  const json = JSON.parse(text);
  expect(json.stages.map((stage: { stageId: number }) => stage.stageId)).toEqual([0, 0, 1]);
  expect(json.stages.map((stage: { jobIds: number[] }) => stage.jobIds)).toEqual([[0], [0], [0]]);
  expect(json.jobs[0].stageIds).toEqual([0, 1]);
  expect(json.sql).toEqual([]);
  expect(json.stages[0].inputBytes).toBe("9007199254740993");
  expect(text.split("\n").filter((line) => line.startsWith('    {"stageId":'))).toHaveLength(3);
  expect(Object.keys(json)).not.toContain("slowestStages");
  const whole = await analyzeLog(path);
  expect(whole.stages.map(({ stageId }) => stageId)).toEqual([0, 0, 1]);
});
