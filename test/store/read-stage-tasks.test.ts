import { expect, test } from "vitest";
import { openForReading } from "../../src/store/open-store.ts";
import { stageTasksReader } from "../../src/store/read-stage-tasks.ts";
import { ingestedFile } from "../helpers/ingested.ts";
import { LogBuilder } from "../helpers/log-builder.ts";

test("the tasks of one stage attempt come as columns, without those of others or without an end", async () => {
  const log = new LogBuilder().start().job(0, [0, 1]).stageSubmitted(0).stageSubmitted(1);
  log
    .task({ run: 100 })
    .task({ stage: 1, run: 7 })
    .task({ run: 300, executor: "2", metrics: null })
    .taskStart();
  const db = openForReading(await ingestedFile(log));
  const load = stageTasksReader(db, 1);
  const tasks = load(0, 0);
  expect(tasks?.rows).toBe(2);
  expect([...(tasks?.columns.executor_run_time_ms ?? [])]).toEqual([100, Number.NaN]);
  expect([...(tasks?.columns.executor ?? [])].map((id) => tasks?.texts[id])).toEqual(["1", "2"]);
  expect(load(1, 0)?.rows).toBe(1);
  expect([load(2, 0), load(0, 1)]).toEqual([null, null]);
  db.close();
});
