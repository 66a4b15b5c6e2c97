import { expect, test } from "vitest";
import { StageColumns } from "../../src/model/stage-columns.ts";
import { ScratchFile } from "../../src/scratch-file.ts";
import { TaskBatch } from "../../src/tasks/task-batch.ts";

function batchOf(ids: number[]): TaskBatch {
  const batch = new TaskBatch();
  batch.clear();
  for (const id of ids) {
    for (const column of batch.columns) column[batch.rows] = Number.NaN;
    batch.column("task_id")[batch.rows] = id;
    batch.column("jvm_gc_time_ms")[batch.rows] = id * 10;
    batch.endRow();
  }
  return batch;
}

test("columns that went to the scratch file come back in order, before those in memory", () => {
  const file = new ScratchFile();
  const columns = new StageColumns();
  columns.append(batchOf([1, 2, 3]), 0, 3);
  columns.spill(file);
  columns.append(batchOf([4, 5]), 0, 2);
  columns.spill(file);
  expect(columns.bytes).toBe(0);
  columns.append(batchOf([6]), 0, 1);
  expect(columns.rows).toBe(6);
  expect([...columns.column("task_id")]).toEqual([1, 2, 3, 4, 5, 6]);
  expect([...columns.column("jvm_gc_time_ms")]).toEqual([10, 20, 30, 40, 50, 60]);
  expect([...columns.column("input_bytes_read")].every(Number.isNaN)).toBe(true);
  file.close();
});
