import { formatBytes } from "../format/bytes.ts";
import { formatCount, formatShare } from "../format/count.ts";
import { formatDuration } from "../format/duration.ts";
import { keep, maskOf, NumberSet, positionsTo, sortPositions, sumOf } from "../stats/positions.ts";
import type { App } from "./app.ts";
import { stageKey } from "./facts.ts";
import type { Cause } from "./finding.ts";
import { lostExecutors } from "./removals.ts";
import type { StageView } from "./stage-view.ts";
import type { Tail } from "./tail.ts";
import type { TaskSample } from "./task-sample.ts";

/** Causes that may follow from another one at the same stage, where the evidence of the run bears it out. */
const MAY_FOLLOW: Partial<Record<Cause, readonly Cause[]>> = {
  skew: [
    "spill",
    "too-few-partitions",
    "gc-pressure",
    "gc-pressure-cache",
    "stragglers",
    "retry-churn",
    "executor-loss",
    "shuffle-fetch-wait",
  ],
  "shuffle-volume": [
    "spill",
    "too-few-partitions",
    "gc-pressure",
    "shuffle-fetch-wait",
    "too-many-small-tasks",
  ],
  "too-few-partitions": ["spill", "gc-pressure"],
  "single-partition": ["spill", "gc-pressure", "gc-pressure-cache", "too-few-partitions", "scan-overhead"],
  "under-parallelism": ["spill", "too-few-partitions", "gc-pressure"],
  "gc-pressure-cache": ["cache-incomplete", "stragglers"],
  "gc-pressure": ["stragglers", "executor-loss"],
  "executor-loss": ["retry-churn", "shuffle-fetch-wait"],
  "retry-churn": ["executor-loss", "shuffle-fetch-wait"],
  "slow-node": ["retry-churn", "shuffle-fetch-wait"],
  failure: ["retry-churn", "executor-loss"],
};

const PART = 0.5;

/** Whether a cause at the verdict's stage follows from the verdict; the text says what shows it. null: it stands alone. */
export function followsFrom(verdict: Cause, view: StageView | null, cause: Cause, app: App): string | null {
  if (!MAY_FOLLOW[verdict]?.includes(cause)) return null;
  if (verdict !== "skew" || !view) return `follows from ${verdict}`;
  const share = ofTheHotTasks(view, cause, app);
  return share !== null && share >= PART
    ? `follows from skew: ${Math.round(share * 100)} % of it lies in the hot tasks of ${view.label}`
    : null;
}

/** Part of a symptom that lies in the outliers of a skewed stage; null: it cannot be told. */
function ofTheHotTasks(view: StageView, cause: Cause, app: App): number | null {
  const { sample, tail } = view;
  if (!sample || !tail) return null;
  const hot = maskOf(tail.outliers, sample.count);
  const part = (values: ArrayLike<number>): number | null => {
    let all = 0;
    let inHot = 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      if (!(value > 0)) continue;
      all += value;
      if (hot[i] === 1) inHot += value;
    }
    return all > 0 ? inHot / all : null;
  };
  if (cause === "spill" || cause === "too-few-partitions") return part(sample.column("memory_bytes_spilled"));
  if (cause === "gc-pressure" || cause === "gc-pressure-cache") return part(sample.column("jvm_gc_time_ms"));
  if (cause === "shuffle-fetch-wait") return part(sample.column("fetch_wait_time_ms"));
  if (cause === "retry-churn") return attemptsOfHotIndexes(view, app);
  if (cause === "executor-loss") return lossesUnderHotTasks(view, app);
  return 1;
}

function hotIndexes({ sample, tail }: StageView): NumberSet {
  const indexes = new NumberSet(8 * (sample?.count ?? 0));
  const index = sample?.column("task_index");
  for (const i of tail?.outliers ?? []) indexes.add(index?.[i] ?? -1);
  return indexes;
}

/** Part of the failed attempts' time that belongs to partitions that are hot. */
function attemptsOfHotIndexes(view: StageView, app: App): number | null {
  const tasks = app.facts.tasks.get(view.key);
  if (!tasks) return null;
  const hot = hotIndexes(view);
  let all = 0;
  let inHot = 0;
  const { status, elapsed_ms, task_index } = tasks.columns;
  for (let row = 0; row < tasks.rows; row++) {
    if (status[row] !== 2) continue;
    const ms = elapsed_ms[row] || 0;
    all += ms;
    if (hot.has(task_index[row] ?? -1)) inHot += ms;
  }
  return all > 0 ? inHot / all : null;
}

/** Part of the lost executors on which an attempt of a hot partition failed. */
function lossesUnderHotTasks(view: StageView, app: App): number | null {
  const lost = lostExecutors(
    app.facts,
    app.wall?.endMs ?? Number.POSITIVE_INFINITY,
    app.limits.lossBeforeEndMs,
  );
  const tasks = app.facts.tasks.get(view.key);
  if (!tasks || lost.length === 0) return null;
  const hot = hotIndexes(view);
  const hit = new Set<string>();
  const { status, task_index, executor } = tasks.columns;
  for (let row = 0; row < tasks.rows; row++) {
    const failed = status[row] === 2 && hot.has(task_index[row] ?? -1);
    if (failed) hit.add(tasks.texts[executor[row] ?? -1] ?? "");
  }
  return lost.filter((e) => hit.has(e.executor_id)).length / lost.length;
}

/**
 * Symptoms of a skewed stage that pass a check's line without being causes: garbage collection of the executors that
 * ran the hot tasks, spill and losses under them.
 */
export function skewSymptoms(view: StageView, app: App): string[] {
  const { sample, tail } = view;
  if (!sample || !tail || tail.kind !== "skew") return [];
  return [...redExecutors(view, app), ...spillOfTheHot(sample, tail), ...fatalPartitions(view, app)];
}

function redExecutors(view: StageView, app: App): string[] {
  const { sample, tail } = view;
  if (!sample || !tail) return [];
  const gc = sample.column("jvm_gc_time_ms");
  const index = sample.column("task_index");
  const share = (i: number): number => (gc[i] || 0) / Math.max(1, sample.run[i] ?? 0);
  const hot = keep(tail.outliers, (i) => share(i) >= app.limits.gcShare);
  return [...hot.subarray(0, 3)].map(
    (i) =>
      `GC on executor ${sample.executor(i)}: its task ${index[i] ?? "?"} spent ${formatDuration(gc[i] ?? 0)} of ${formatDuration(sample.run[i] ?? 0)} in it (${formatShare(share(i))})`,
  );
}

function spillOfTheHot(sample: TaskSample, tail: Tail): string[] {
  const memory = sample.column("memory_bytes_spilled");
  const disk = sample.column("disk_bytes_spilled");
  const all = sumOf(positionsTo(sample.count), (i) => memory[i] || 0);
  const hot = keep(tail.outliers, (i) => (memory[i] ?? 0) > 0);
  const inHot = sumOf(hot, (i) => memory[i] ?? 0);
  if (all === 0 || inHot < PART * all) return [];
  const onDisk = sumOf(hot, (i) => disk[i] || 0);
  const which =
    hot.length === 1 ? `task ${sample.column("task_index")[hot[0] ?? 0] ?? "?"}` : `${hot.length} hot tasks`;
  return [
    `spill of ${formatBytes(inHot)} memory and ${formatBytes(onDisk)} disk in ${which}${inHot === all ? " alone" : `, ${formatShare(inHot / all)} of all`}`,
  ];
}

/** Partitions named in the verdict's text, at most. */
const NAMED_PARTITIONS = 10;

/** For the verdict's text: partitions that failed more than once before they ended, with the executors lost under them. */
function fatalPartitions(view: StageView, app: App): string[] {
  const tasks = app.facts.tasks.get(view.key);
  if (!tasks) return [];
  const lost = new Set(lostExecutors(app.facts, Number.POSITIVE_INFINITY, 0).map((e) => e.executor_id));
  const { status, task_index, executor } = tasks.columns;
  const wasLost = Uint8Array.from(tasks.texts, (text) => Number(lost.has(text)));
  const failed = keep(
    positionsTo(tasks.rows),
    (row) => status[row] === 2 && wasLost[executor[row] as number] === 1,
  );
  const fatal = onSeveral(failed, task_index, executor);
  const named = new Map<number, Set<string>>();
  for (const row of failed) {
    const index = task_index[row] as number;
    if (!fatal.has(index) || (named.size === NAMED_PARTITIONS && !named.has(index))) continue;
    named.set(index, (named.get(index) ?? new Set()).add(tasks.texts[executor[row] as number] ?? ""));
  }
  const texts = [...named].map(
    ([index, executors]) =>
      `the task of index ${index} ran on executors ${[...executors].join(" and ")} when they were lost (stage ${stageKey(view.fact)})`,
  );
  const more = fatal.size - named.size;
  return more > 0
    ? [...texts, `${formatCount(more)} more tasks of it ran on several executors that were lost`]
    : texts;
}

/** Indexes that stand beside more than one executor. */
function onSeveral(
  rows: Int32Array,
  index: ArrayLike<number>,
  executor: ArrayLike<number>,
): { has: (index: number) => boolean; size: number } {
  const several = new NumberSet(8 * rows.length);
  let size = 0;
  const sorted = sortPositions(
    rows.slice(),
    (row) => index[row] as number,
    (row) => executor[row] as number,
  );
  for (let i = 1; i < sorted.length; i++) {
    const [before, row] = [sorted[i - 1] as number, sorted[i] as number];
    if (index[before] !== index[row] || executor[before] === executor[row]) continue;
    if (!several.has(index[row] as number)) size++;
    several.add(index[row] as number);
  }
  return { has: (value) => several.has(value), size };
}
