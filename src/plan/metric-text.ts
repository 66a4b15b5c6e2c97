/**
 * The text of one SQL metric as the History Server prints it, from its folded values. Bytes are divided as doubles,
 * durations as 32-bit floats: Spark does so, and it shows in the last digit.
 */

/** Values of one metric over an execution, folded by Spark's rule. Unset slots count as 0; bigint beyond 2^53 - 1. */
export interface FoldedMetric {
  /** How many values count: all for sums, those >= 0 for sizes and times, those > 0 for averages. */
  count: number;
  /** 64-bit sum that wraps around, as Java's does. */
  sum: number | bigint;
  min: number | bigint;
  median: number | bigint;
  max: number | bigint;
}

/** Which task gave the largest update; null: the driver did, or nobody knows. */
export type MaxTask = { stageId: number; stageAttemptId: number; taskId: number } | null;

/** How a metric type is folded: which values count, and whether the sum has a meaning. */
export type Folding = "sum" | "total" | "average";

export function folding(metricType: string): Folding {
  if (metricType === "average") return "average";
  return metricType === "size" || metricType === "timing" || metricType === "nsTiming" ? "total" : "sum";
}

type Format = (value: number | bigint) => string;

const FORMATS: ReadonlyMap<string, Format> = new Map(
  Object.entries({
    size: formatSize,
    timing: formatDuration,
    nsTiming: (ns) => formatDuration(typeof ns === "bigint" ? ns / 1_000_000n : Math.trunc(ns / 1e6)),
  }),
);

/** The metric's value as text; metricType is that of the plan. */
export function metricText(metricType: string, metric: FoldedMetric, maxTask: MaxTask): string {
  if (metricType.startsWith("v2Custom_")) return customText(metricType, metric);
  if (metricType === "average") return averageText(metric, maxTask);
  if (metricType === "maximum") return groupThousands(metric.max);
  if (metricType === "minimum") return groupThousands(metric.min);
  const format = FORMATS.get(metricType);
  if (!format) return groupThousands(metric.sum);
  if (metric.count <= 1) return format(metric.count === 0 ? 0 : metric.sum);
  const { min, median, max } = metric;
  return (
    `total (min, med, max (stageId: taskId))\n` +
    `${format(metric.sum)} (${format(min)}, ${format(median)}, ${format(max)} (${place(maxTask)}))`
  );
}

function averageText(metric: FoldedMetric, maxTask: MaxTask): string {
  const format: Format = (value) => {
    const [whole = "", tenth] = (Number(value) / 10).toFixed(1).split(".");
    return groupThousands(BigInt(whole)) + (tenth === "0" ? "" : `.${tenth}`);
  };
  if (metric.count <= 1) return format(metric.count === 0 ? 0 : metric.max);
  const { min, median, max } = metric;
  return `(min, med, max (stageId: taskId)):\n(${format(min)}, ${format(median)}, ${format(max)} (${place(maxTask)}))`;
}

/** Data source metrics need their class to be printed; Spark itself has these two. */
function customText(metricType: string, metric: FoldedMetric): string {
  if (metricType.endsWith(".CustomSumMetric")) return String(metric.sum);
  if (!metricType.endsWith(".CustomAvgMetric")) return "N/A";
  return metric.count === 0 ? "0" : (Number(metric.sum) / metric.count).toFixed(3);
}

function place(maxTask: MaxTask): string {
  return maxTask ? `stage ${maxTask.stageId}.${maxTask.stageAttemptId}: task ${maxTask.taskId}` : "driver";
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** The largest unit of which there are at least two: 2047 is "2047.0 B", 2048 is "2.0 KiB". */
export function formatSize(bytes: number | bigint): string {
  let power = 0;
  const size = Number(bytes);
  while (power < UNITS.length - 1 && size >= 2 * 1024 ** (power + 1)) power++;
  return `${(size / 1024 ** power).toFixed(1)} ${UNITS[power]}`;
}

export function formatDuration(ms: number | bigint): string {
  const float = Math.fround(Number(ms));
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${Math.fround(float / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.fround(float / 60_000).toFixed(1)} m`;
  return `${Math.fround(float / 3_600_000).toFixed(2)} h`;
}

export function groupThousands(value: number | bigint): string {
  if (value > -1000 && value < 1000) return String(value);
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
