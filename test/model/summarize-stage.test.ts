import { expect, onTestFinished, test } from "vitest";
import { StageColumns } from "../../src/model/stage-columns.ts";
import { summarizeStage } from "../../src/model/summarize-stage.ts";
import { ScratchFile } from "../../src/scratch-file.ts";
import { TASK_STATUS, TaskBatch } from "../../src/tasks/task-batch.ts";

/** Tasks of every kind: failed ones, ends without metrics, unknown indexes, values of all sizes. */
function columnsOf(rows: number, spill: ScratchFile | null): StageColumns {
  const columns = new StageColumns();
  if (spill) columns.spill(spill);
  const batch = new TaskBatch();
  let random = 12345;
  const next = (below: number) => {
    random = (random * 48271) % 2147483647;
    return random % below;
  };
  for (let task = 0; task < rows; task++) {
    for (const column of batch.columns) column[batch.rows] = next(20) === 0 ? Number.NaN : next(1000);
    const launch = 1e12 + next(1e6);
    batch.column("task_index")[batch.rows] = next(200) === 0 ? Number.NaN : Math.floor(task / 2);
    batch.column("status")[batch.rows] = next(10) === 0 ? TASK_STATUS.failed : TASK_STATUS.success;
    batch.column("launch_time_ms")[batch.rows] = launch;
    batch.column("finish_time_ms")[batch.rows] = launch + next(10_000);
    // Beyond 2^53 together, not one by one.
    batch.column("executor_cpu_time_ns")[batch.rows] = 2 ** 42 + next(1e9) * 1000 + 1;
    batch.column("input_bytes_read")[batch.rows] = 0;
    batch.endRow();
    if (batch.full || task === rows - 1) {
      columns.append(batch, 0, batch.rows);
      batch.clear();
    }
  }
  return columns;
}

const summary = (columns: StageColumns, gatheredRows: number) =>
  summarizeStage(
    {
      rows: columns.rows,
      blocks: () => columns.blocks(),
      isRounded: () => false,
      exact: () => new BigInt64Array(0),
    },
    gatheredRows,
  );

test("a stage too large for memory has the totals and quantiles that it has in memory", () => {
  const file = new ScratchFile();
  onTestFinished(() => {
    file.close();
  });
  const inMemory = summary(columnsOf(9000, null), 9000);
  expect(summary(columnsOf(9000, file), 1000)).toEqual(inMemory);
  const cpu = [...columnsOf(9000, null).blocks()].flatMap((block) => [
    ...block.column("executor_cpu_time_ns"),
  ]);
  const sum = cpu.reduce((total, value) => total + BigInt(value), 0n);
  expect(sum).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
  expect(inMemory.totals.executor_cpu_time_ns).toBe(sum);
  const quantiles: Record<string, number[]> = JSON.parse(inMemory.quantilesJson);
  expect(Object.keys(quantiles)).toEqual(Object.keys(quantiles).sort());
  expect(quantiles.input_bytes_read?.slice(1)).toEqual(Array(8).fill(0));
});
