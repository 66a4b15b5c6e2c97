import { expect, test } from "vitest";
import { STAGE_TASK_COLUMNS } from "../../src/queries/stage-tasks.ts";
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
  const { load } = stageTasksReader(db, 1);
  const tasks = load(0, 0);
  expect(tasks?.rows).toBe(2);
  expect([...(tasks?.columns.executor_run_time_ms ?? [])]).toEqual([100, Number.NaN]);
  expect([...(tasks?.columns.executor ?? [])].map((id) => tasks?.texts[id])).toEqual(["1", "2"]);
  expect(load(1, 0)?.rows).toBe(1);
  expect([load(2, 0), load(0, 1)]).toEqual([null, null]);
  db.close();
});

test("a stage that does not fit in memory comes from a temporary file with the same columns", async () => {
  const log = new LogBuilder().start().job(0, [0]).stageSubmitted(0);
  for (let index = 0; index < 40_000; index++)
    log.taskEnd({ index, run: index % 977, executor: `${index % 3}` });
  const db = openForReading(await ingestedFile(log));
  const inMemory = stageTasksReader(db, 1).load(0, 0);
  const spilled = stageTasksReader(db, 1, 1000);
  const fromFile = spilled.load(0, 0);
  expect(fromFile?.rows).toBe(40_000);
  for (const name of STAGE_TASK_COLUMNS) {
    const narrow = fromFile?.columns[name] ?? [];
    expect([...narrow], name).toEqual([...(inMemory?.columns[name] ?? [])]);
  }
  spilled.close();
  db.close();
});
