import { narrow } from "../json.ts";
import { ExactSum } from "../stats/exact-sum.ts";
import { type QuantileName, quantileRanks, quantiles } from "../stats/quantiles.ts";
import { quantilesInPieces } from "../stats/quantiles-in-pieces.ts";
import type { Int, StageRow } from "../store/rows.ts";
import { TASK_STATUS } from "../tasks/task-batch.ts";
import type { TaskBlock, TaskColumns } from "../tasks/task-columns.ts";
import { countTasks } from "./count-tasks.ts";
import { DERIVED_COLUMNS } from "./derived-columns.ts";
import { BLOCK_ROWS, METRIC_COLUMNS, type MetricColumn } from "./stage-columns.ts";

/** The part of a stage row that is made from its tasks. */
export type StageTotals = Pick<
  StageRow,
  | "tasks"
  | "completed_indices"
  | "ended_indices"
  | "speculative"
  | "tasks_with_metrics"
  | "spilling_tasks"
  | "duration_sum_ms"
  | "scheduler_delay_sum_ms"
  | "shuffle_bytes_read"
  | "last_task_finished_time_ms"
  | MetricColumn
>;

export type StageKey = Pick<StageRow, "stage_id" | "stage_attempt_id">;

export interface StageSummary {
  totals: StageTotals;
  /** Launch of the first task that ended. */
  firstLaunch: number | null;
  /** {metric: [tasks, min, p05, p25, p50, p75, p95, p99, max], ...} in the order of the names. */
  quantilesJson: string;
  /** Columns whose sum passed 2^63 - 1 and is therefore NULL. */
  overflowed: string[];
}

const MAX_INT64 = 2n ** 63n - 1n;
/** Tasks of a stage up to which a column's values are gathered while they are summed. */
const GATHERED_ROWS = 1 << 17;

/** The values of one column in a block: as many as it has rows. Good until the next call. */
type ReadColumn = (block: TaskBlock) => Float64Array;

/**
 * Totals over every ended task with metrics and quantiles over the successful ones (eventlog: TaskEnd's Task Metrics),
 * as the History Server makes them.
 * @param gatheredRows more tasks than that are not held at once
 */
export function summarizeStage(tasks: TaskColumns, gatheredRows: number = GATHERED_ROWS): StageSummary {
  const population = new Population();
  const overflowed: string[] = [];
  const totals = { ...NO_TOTALS };
  const found = new QuantileTexts();
  const summarize = (metric: string, read: ReadColumn): ColumnTotals => {
    const pass = passOver(tasks, read, population, gatheredRows);
    const values = pass.gathered
      ? quantiles(pass.gathered)
      : quantilesInPieces({ ...pass, pieces: () => populationOf(tasks, read, population) });
    if (values) found.add(metric, pass.count, values);
    return pass;
  };
  for (const name of METRIC_COLUMNS) {
    let sum: Int | null | undefined;
    if (tasks.isRounded(name)) {
      const exact = tasks.exact(name);
      sum = storable(exact.reduce((total, value) => total + value, 0n));
      addExactQuantiles(tasks, name, exact, population, found);
    } else {
      const pass = summarize(name, (block) => block.column(name));
      sum = pass.reported === 0 ? null : storable(pass.sum.narrowed);
    }
    totals[name] = sum ?? null;
    if (sum === undefined) overflowed.push(name);
  }
  for (const [name, read] of DERIVED_COLUMNS) {
    const sum = summarize(name, read).sum.narrowed;
    if (name === "duration_ms") totals.duration_sum_ms = numberOrNull(sum);
    else if (name === "scheduler_delay_ms") totals.scheduler_delay_sum_ms = numberOrNull(sum);
  }
  totals.shuffle_bytes_read = addInts(totals.remote_bytes_read, totals.local_bytes_read);
  const { firstLaunch, ...counts } = countTasks(tasks);
  Object.assign(totals, counts);
  return { totals, firstLaunch, quantilesJson: found.json(), overflowed };
}

/** Tells the tasks of the quantiles: the successful ones with metrics. */
class Population {
  readonly #isIn = new Uint8Array(BLOCK_ROWS);
  #block: TaskBlock | null = null;
  #isWhole = false;

  /** 1 for each row that is in, null where all are. Good until the next call. */
  of(block: TaskBlock): Uint8Array | null {
    if (block !== this.#block) this.#look(block);
    return this.#isWhole ? null : this.#isIn;
  }

  #look(block: TaskBlock): void {
    const status = block.column("status");
    const run = block.column("executor_run_time_ms");
    let size = 0;
    for (let row = 0; row < block.rows; row++) {
      const isIn = status[row] === TASK_STATUS.success && !Number.isNaN(run[row]);
      this.#isIn[row] = Number(isIn);
      if (isIn) size++;
    }
    this.#block = block;
    this.#isWhole = size === block.rows;
  }
}

interface ColumnTotals {
  /** Over all tasks that report the column. */
  sum: ExactSum;
  reported: number;
  /** Of those in the population. */
  count: number;
  min: number;
  max: number;
  /** Their values; null where they are too many. */
  gathered: Float64Array | null;
}

/** Reused by every pass: there are tens a stage. */
let buffer = new Float64Array(BLOCK_ROWS);

function passOver(
  tasks: TaskColumns,
  read: ReadColumn,
  population: Population,
  gatheredRows: number,
): ColumnTotals {
  const gathers = tasks.rows <= gatheredRows;
  const room = gathers ? tasks.rows : BLOCK_ROWS;
  if (buffer.length < room) buffer = new Float64Array(Math.max(room, 2 * buffer.length));
  const sum = new ExactSum();
  let reported = 0;
  let count = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const block of tasks.blocks()) {
    const values = read(block);
    const isIn = population.of(block);
    reported += addTo(sum, values);
    const start = gathers ? count : 0;
    const end = gather(values, isIn, start);
    for (let at = start; at < end; at++) {
      const value = buffer[at] as number;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    count += end - start;
  }
  return { sum, reported, count, min, max, gathered: gathers ? buffer.subarray(0, count) : null };
}

function* populationOf(tasks: TaskColumns, read: ReadColumn, population: Population): Iterable<Float64Array> {
  for (const block of tasks.blocks()) {
    const size = gather(read(block), population.of(block), 0);
    yield buffer.subarray(0, size);
  }
}

/** Puts the reported values of the population into the buffer. @returns where they end */
function gather(values: Float64Array, isIn: Uint8Array | null, start: number): number {
  let end = start;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    if ((isIn === null || isIn[row] === 1) && !Number.isNaN(value)) buffer[end++] = value;
  }
  return end;
}

/** Adds the reported values of a block, none of them negative. @returns how many there are */
function addTo(sum: ExactSum, values: Float64Array): number {
  let total = 0;
  let reported = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    total += value;
    reported++;
  }
  if (total <= Number.MAX_SAFE_INTEGER) sum.add(total);
  else for (const value of values) if (!Number.isNaN(value)) sum.add(value);
  return reported;
}

/** Metrics that have quantiles, and their place in the order of the names. */
const PLACE_OF = new Map(
  [...METRIC_COLUMNS, ...DERIVED_COLUMNS.map(([name]) => name)].sort().map((name, place) => [name, place]),
);

/** Quantiles as JSON: 30 rows of a table for each stage took longer than all sums over its tasks. */
class QuantileTexts {
  readonly #texts: string[] = [];

  add(metric: string, tasks: number, at: Record<QuantileName, Int>): void {
    this.#texts[PLACE_OF.get(metric) ?? PLACE_OF.size] =
      `"${metric}":[${tasks},${at.min},${at.p05},${at.p25},${at.p50},${at.p75},${at.p95},${at.p99},${at.max}]`;
  }

  json(): string {
    return `{${this.#texts.filter(Boolean).join()}}`;
  }
}

/** Values above 2^53 are sorted exactly. */
function addExactQuantiles(
  tasks: TaskColumns,
  name: MetricColumn,
  exact: BigInt64Array,
  population: Population,
  found: QuantileTexts,
): void {
  const values = new BigInt64Array(exact.length);
  let count = 0;
  let start = 0;
  for (const block of tasks.blocks()) {
    const isIn = population.of(block);
    for (let row = 0; row < block.rows; row++)
      if (isIn === null || isIn[row] === 1) values[count++] = exact[start + row] ?? 0n;
    start += block.rows;
  }
  const sorted = values.subarray(0, count).sort();
  const at = quantileRanks(count);
  if (!at) return;
  const entries = Object.entries(at).map(([key, index]) => [key, narrow(sorted[index] ?? 0n)]);
  found.add(name, count, Object.fromEntries(entries) as Record<QuantileName, Int>);
}

/** undefined for what passes 2^63 - 1. */
function storable(sum: Int): Int | undefined {
  if (typeof sum === "number") return sum;
  return sum <= MAX_INT64 ? narrow(sum) : undefined;
}

function addInts(a: Int | null, b: Int | null): Int | null {
  if (a === null || b === null) return a ?? b;
  return storable(BigInt(a) + BigInt(b)) ?? null;
}

function numberOrNull(sum: Int): number | null {
  return typeof sum === "number" ? sum : null;
}

/** Of a stage without an ended task. Filling a copy is several times faster than gathering 40 names. */
export const NO_TOTALS: Readonly<StageTotals> = {
  tasks: 0,
  completed_indices: 0,
  ended_indices: 0,
  speculative: 0,
  tasks_with_metrics: 0,
  spilling_tasks: 0,
  duration_sum_ms: null,
  scheduler_delay_sum_ms: null,
  shuffle_bytes_read: null,
  executor_deserialize_time_ms: null,
  executor_deserialize_cpu_time_ns: null,
  executor_run_time_ms: null,
  executor_cpu_time_ns: null,
  peak_execution_memory_bytes: null,
  result_size_bytes: null,
  jvm_gc_time_ms: null,
  result_serialization_time_ms: null,
  memory_bytes_spilled: null,
  disk_bytes_spilled: null,
  remote_blocks_fetched: null,
  local_blocks_fetched: null,
  fetch_wait_time_ms: null,
  remote_bytes_read: null,
  local_bytes_read: null,
  remote_bytes_read_to_disk: null,
  shuffle_records_read: null,
  remote_requests_duration_ms: null,
  shuffle_bytes_written: null,
  shuffle_write_time_ns: null,
  shuffle_records_written: null,
  input_bytes_read: null,
  input_records_read: null,
  output_bytes_written: null,
  output_records_written: null,
  last_task_finished_time_ms: null,
};
