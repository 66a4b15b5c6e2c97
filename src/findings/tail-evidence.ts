import { formatBytes } from "../format/bytes.ts";
import { formatCount, formatShare } from "../format/count.ts";
import { formatDuration } from "../format/duration.ts";
import type { StageView } from "./stage-view.ts";
import { medianOf, type TaskSample, tasksWithInput } from "./task-sample.ts";

/** The longest task beside the median task, and where the long ones ran. */
export function outlierEvidence(view: StageView): string[] {
  const { sample, tail } = view;
  const first = tail?.outliers[0];
  if (!sample || !tail || first === undefined) return [];
  const lines = [besideTheMedian(sample, first)];
  const several = onSeveralHosts(sample);
  const spread = several ? `, ${formatShare(tail.hostShare)} of their excess on ${tail.host}` : "";
  lines.push(
    `${formatCount(tail.outliers.length)} of ${formatCount(sample.count)} tasks stand far above the median, on ${plural(distinct(tail.outliers, sample.host), "host")} and ${plural(distinct(tail.outliers, sample.executor), "executor")}${spread}`,
  );
  return lines;
}

function onSeveralHosts(sample: TaskSample): boolean {
  for (let i = 1; i < sample.count; i++) if (sample.host(i) !== sample.host(0)) return true;
  return false;
}

function distinct(tasks: Int32Array, textOf: (task: number) => string): number {
  const seen = new Set<string>();
  for (const task of tasks) seen.add(textOf(task));
  return seen.size;
}

function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function besideTheMedian(sample: TaskSample, task: number): string {
  const tasks = tasksWithInput(sample);
  const pair = (
    name: string,
    values: ArrayLike<number>,
    format: (value: number) => string,
  ): string | null => {
    const value = values[task] ?? Number.NaN;
    const typical = medianOf(values, tasks);
    if (Number.isNaN(value) || typical === null || (value === 0 && typical === 0)) return null;
    return `${name} ${format(value)} (median ${format(typical)})`;
  };
  const { column, work } = sample;
  const parts = [
    pair("run time", sample.run, formatDuration),
    pair("bytes read", work("bytes read"), formatBytes),
    pair("records read", work("records read"), formatCount),
    pair("bytes written", work("bytes written"), formatBytes),
    pair("records written", work("records written"), formatCount),
    pair("GC", column("jvm_gc_time_ms"), formatDuration),
    pair("fetch wait", column("fetch_wait_time_ms"), formatDuration),
    pair("memory spilled", column("memory_bytes_spilled"), formatBytes),
    pair("disk spilled", column("disk_bytes_spilled"), formatBytes),
  ].filter((part) => part !== null);
  return `task ${sample.column("task_index")[task] ?? "?"} on executor ${sample.executor(task)} (${sample.host(task)}): ${parts.join(", ")}`;
}
