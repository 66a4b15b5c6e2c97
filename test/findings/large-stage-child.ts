/** Judges the tail of a stage of a million tasks, every third one far above the median, and prints the peak memory in MB. */
import { DEFAULT_LIMITS } from "../../src/findings/limits.ts";
import { measureTail } from "../../src/findings/tail.ts";
import { sampleTasks } from "../../src/findings/task-sample.ts";
import { STAGE_TASK_COLUMNS, type StageTaskColumn, type StageTasks } from "../../src/queries/stage-tasks.ts";
import { largeArray } from "../../src/stats/large-array.ts";
import type { NumberColumn } from "../../src/stats/number-column.ts";

const ROWS = 1_000_000;
const valueIn: Partial<Record<StageTaskColumn, (row: number) => number>> = {
  task_id: (row) => row,
  task_index: (row) => row,
  launch_time_ms: (row) => (row * 7919) % ROWS,
  status: () => 1,
  host: (row) => row % 97,
  executor: (row) => row % 97,
  executor_run_time_ms: (row) => (row % 3 === 0 ? 9000 : 100),
  input_bytes_read: (row) => (row % 3 === 0 ? 9000 : 100),
};

function column(name: StageTaskColumn): NumberColumn {
  const values = largeArray(Float64Array, ROWS);
  const value = valueIn[name];
  if (value) for (let row = 0; row < ROWS; row++) values[row] = value(row);
  return values;
}

const columns = {} as StageTasks["columns"];
for (const name of STAGE_TASK_COLUMNS)
  Object.defineProperty(columns, name, { enumerable: true, get: () => column(name) });
const texts = Array.from({ length: 97 }, (_, id) => `node-${id}`);
const sample = sampleTasks({ rows: ROWS, columns, texts });
const cluster = { ownMs: 1e9, slots: 100, fresh: null, slotsOf: () => 4 };
const tail = measureTail(sample, cluster, DEFAULT_LIMITS);
console.log(
  JSON.stringify({
    kind: tail.kind,
    outliers: tail.outliers.length,
    peakMb: process.resourceUsage().maxRSS / 1000,
  }),
);
