import { expect, test } from "vitest";
import { BLOCK_ROWS, StageColumns } from "../../src/model/stage-columns.ts";
import { ScratchFile } from "../../src/scratch-file.ts";
import { TaskBatch, type TaskColumn } from "../../src/tasks/task-batch.ts";

function batchOf(ids: number[]): TaskBatch {
  const batch = new TaskBatch();
  batch.clear();
  for (const id of ids) {
    for (const column of batch.columns) column[batch.rows] = Number.NaN;
    batch.column("task_index")[batch.rows] = id;
    batch.column("jvm_gc_time_ms")[batch.rows] = id * 10;
    batch.endRow();
  }
  return batch;
}

/** A column of all rows. */
function column(columns: StageColumns, name: TaskColumn): number[] {
  return [...columns.blocks()].flatMap((block) => [...block.column(name)]);
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

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
  expect(column(columns, "task_index")).toEqual([1, 2, 3, 4, 5, 6]);
  expect(column(columns, "jvm_gc_time_ms")).toEqual([10, 20, 30, 40, 50, 60]);
  expect(column(columns, "input_bytes_read").every(Number.isNaN)).toBe(true);
  file.close();
});

test("rows of many batches stand in blocks, also where blocks go to the file as they fill", () => {
  const file = new ScratchFile();
  const inMemory = new StageColumns();
  const spilling = new StageColumns();
  for (let from = 0; from < 10_000; from += 1250) {
    const batch = batchOf(range(from, from + 1250));
    inMemory.append(batch, 0, 1250);
    spilling.append(batch, 0, 1250);
    if (from === 2500) spilling.spill(file);
    expect(spilling.bytes).toBeLessThan(1.2e6);
  }
  expect(column(inMemory, "task_index")).toEqual(range(0, 10_000));
  expect(column(spilling, "task_index")).toEqual(range(0, 10_000));
  expect([...inMemory.blocks()].map(({ rows }) => rows)).toEqual([BLOCK_ROWS, BLOCK_ROWS, 1808]);
  file.close();
});

test("packed columns go on where they were", () => {
  const file = new ScratchFile();
  const columns = new StageColumns(100);
  columns.append(batchOf([1, 2, 3]), 0, 3);
  const again = StageColumns.unpack(columns.pack(file), file);
  again.append(batchOf([4]), 0, 1);
  expect(column(again, "task_index")).toEqual([1, 2, 3, 4]);
  file.close();
});
