import { formatBytes } from "../../format/bytes.ts";
import { formatCount, formatRatio, formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import type { App } from "../app.ts";
import { type Advice, cannotSay, defineStageCause, type RejectedAdvice } from "../finding.ts";
import { partitionSource } from "../partitions.ts";
import { describeSetting } from "../settings.ts";
import type { StageView } from "../stage-view.ts";
import type { Tail } from "../tail.ts";
import { outlierEvidence } from "../tail-evidence.ts";

export const skew = defineStageCause({
  cause: "skew",
  about:
    "A few tasks of a stage take much longer than its median because they have much more to do: one key, one null key or one big file holds a large part of the data. The stage cannot end before its longest task.",
  check:
    "Stages page > the stage > Summary Metrics: Max against Median of Duration and of Shuffle Read or Input Size; then sort its tasks by Duration.",
  limits: ["skewWatch", "outlierMs", "skewFail", "excessOfSkew", "dataOfSkew"],

  judge(view, app) {
    if (!view.tail) return cannotSay(`no task of ${view.label} was read that ended well`);
    const { kind, priceMs, ratio, medianMs, longestMs } = view.tail;
    const numbers = `${view.label}: longest task ${formatDuration(longestMs)}, median ${formatDuration(medianMs)}, ${formatRatio(ratio)}x [Stages > ${view.label} > Summary Metrics, Duration]`;
    if (kind !== "skew") return { passed: false, priceMs: 0, evidence: [numbers, notSkew(view.tail)] };
    return {
      passed: true,
      priceMs,
      evidence: [numbers, ...skewEvidence(view, app)],
      confidence: (view.tail.dataShare ?? 0) >= app.limits.excessOfHost ? "high" : "medium",
    };
  },

  remedy(view, app) {
    const tail = view.tail;
    const index = tail && view.sample ? hotIndex(view, tail) : null;
    const scan = isScanSkew(view);
    return {
      title: `${scan ? "Input skew" : "Skew"} in ${view.label}: task ${index ?? "?"} ran ${formatDuration(tail?.longestMs ?? null)} against a median of ${formatDuration(tail?.medianMs ?? null)}`,
      advice: scan ? scanAdvice() : keyAdvice(view, app),
      rejected: rejected(scan),
    };
  },
});

function notSkew(tail: Tail): string {
  if (tail.kind === "none") return "no task stands far above the median";
  if (tail.dataShare === null)
    return `no bytes or records are recorded; the long tasks count as ${tail.kind}`;
  return `only ${formatShare(tail.dataShare)} of the long tasks' excess lies in tasks with twice the usual bytes or records: ${tail.kind}`;
}

function hotIndex(view: StageView, tail: Tail): number | null {
  const first = tail.outliers[0];
  return first === undefined ? null : (view.sample?.column("task_index")[first] ?? null);
}

function skewEvidence(view: StageView, app: App): string[] {
  const tail = view.tail;
  if (!tail) return [];
  const lines = outlierEvidence(view);
  lines.push(
    tail.work === null
      ? "neither bytes nor records are recorded, so the data itself is not seen to be uneven"
      : `${formatShare(tail.dataShare)} of their excess lies in tasks with at least ${app.limits.dataOfSkew}x the median's ${tail.work}`,
  );
  if (tail.emptyTasks > (view.sample?.count ?? 0) / 2) {
    lines.push(
      `most partitions are empty: ${formatCount(tail.emptyTasks)} of ${formatCount(view.sample?.count ?? 0)} tasks read nothing and are left out of the ratio`,
    );
  }
  lines.push(
    `not below ${formatDuration(tail.longestMs)} while that task stays whole; a perfect split saves ${formatDuration(tail.priceMs)} of ${formatDuration(view.ownMs)}`,
  );
  lines.push(...aqeEvidence(view, app));
  return lines;
}

/** Whether adaptive execution saw the skew, and if not, which of its limits kept it from it. */
function aqeEvidence(view: StageView, app: App): string[] {
  const { settings } = app;
  const source = partitionSource(view);
  if (!source.isSql || isScanSkew(view) || !settings.atLeast(3, 0)) return [];
  if (source.skewSplit)
    return [
      "adaptive execution already split skewed partitions in this plan (a read is marked skewed); what is left is below its limits",
    ];
  const id = view.executionId;
  if (!settings.isTrue("spark.sql.adaptive.enabled", id)) {
    return [
      `adaptive execution did not look: ${describeSetting(settings.get("spark.sql.adaptive.enabled", id))}`,
    ];
  }
  if (!settings.isTrue("spark.sql.adaptive.skewJoin.enabled", id)) {
    return [
      `adaptive execution did not split: ${describeSetting(settings.get("spark.sql.adaptive.skewJoin.enabled", id))}`,
    ];
  }
  const joins = view.plan.filter((o) => o.kind === "SortMergeJoin" || o.kind === "ShuffledHashJoin");
  if (joins.length === 0)
    return [
      "adaptive execution splits skewed partitions of sort-merge and shuffled-hash joins only; this plan has none",
    ];
  if (source.byRepartition)
    return ["adaptive execution does not split what the program repartitioned to a fixed number"];
  return [belowAqeLimits(view, app)];
}

function belowAqeLimits(view: StageView, app: App): string {
  const id = view.executionId;
  const factor = app.settings.number("spark.sql.adaptive.skewJoin.skewedPartitionFactor", id) ?? 5;
  const threshold =
    app.settings.bytes("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", id) ?? 256 * 1024 ** 2;
  const first = view.tail?.outliers[0];
  const bytes = first === undefined ? 0 : (view.sample?.work("bytes read")[first] ?? 0);
  return bytes <= threshold
    ? `adaptive execution did not split: the hot task reads ${formatBytes(bytes)}, and only partitions above ${formatBytes(threshold)} and ${factor}x the median count as skewed`
    : `adaptive execution did not split although the hot task reads ${formatBytes(bytes)}: the join type, or an exchange that a split would add, kept it from it`;
}

/** The stage reads storage and no shuffle: its partitions are files, not keys. */
function isScanSkew(view: StageView): boolean {
  return (view.fact.input_bytes_read ?? 0) > 0 && (view.fact.shuffle_bytes_read ?? 0) === 0;
}

function scanAdvice(): Advice[] {
  return [
    {
      layer: "layout",
      text: "Rewrite the big file so that it can be split: several files of 128 MiB to 1 GiB, or a splittable format or codec (parquet, ORC; text with bzip2, zstd or none, not gzip).",
    },
    {
      layer: "layout",
      text: "If the scan must stay, spread its rows right after it with repartition(n), so that at least the later work is shared.",
    },
    {
      layer: "configuration",
      text: "spark.sql.files.maxPartitionBytes cuts only files that can be split; check that before changing it.",
    },
  ];
}

function keyAdvice(view: StageView, app: App): Advice[] {
  const keys = exchangeKeys(view);
  const of = keys ? ` of ${keys}` : "";
  const advice: Advice[] = [
    {
      layer: "layout",
      text: `Find the hot value${of}: group by the key, count, order by the count. Null or default values are the usual case: filter them out or handle them apart.`,
    },
  ];
  const joins = view.plan.filter((o) => o.kind === "SortMergeJoin" || o.kind === "ShuffledHashJoin");
  if (joins.length > 0) {
    advice.push({
      layer: "optimizer",
      text: "Broadcast the other side of the join if it is small: then no row of the hot key moves.",
    });
    if (app.settings.atLeast(3, 0) && view.engine === "spark") advice.push(aqeAdvice(view, app));
    advice.push({
      layer: "layout",
      text: `Else salt the key${of}: add a random part of n values to the hot side and repeat the other side n times.`,
    });
  } else {
    advice.push({
      layer: "layout",
      text: `Aggregate in two steps: first by the key${of} and a random part, then by the key. A window cannot be split that way: narrow it, or handle the hot value apart.`,
    });
  }
  return advice;
}

function aqeAdvice(view: StageView, app: App): Advice {
  const get = (name: string): string => describeSetting(app.settings.get(name, view.executionId));
  return {
    layer: "optimizer",
    text: `Let adaptive execution split the join: spark.sql.adaptive.enabled and spark.sql.adaptive.skewJoin.enabled true, spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes below the hot partition's size. Now: ${get("spark.sql.adaptive.enabled")}; ${get("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes")}.`,
  };
}

/** Partitioning expressions of the plan's exchanges, where there is only one kind. */
function exchangeKeys(view: StageView): string | null {
  const keys = view.plan
    .filter((o) => o.kind === "Exchange")
    .map((o) => /hashpartitioning\((.*), \d+\)/.exec(o.simple_string)?.[1])
    .filter((key) => key !== undefined);
  const distinct = [...new Set(keys)];
  return distinct.length > 0 && distinct.length <= 2 ? distinct.join(" / ") : null;
}

function rejected(scan: boolean): RejectedAdvice[] {
  const memory: RejectedAdvice = {
    advice: "more executor memory",
    why: "it eases the spill and GC of the one big task, and leaves it as long as it is",
  };
  const executors: RejectedAdvice = {
    advice: "more executors",
    why: "one task runs on one core; a hot partition is not divided by adding cores",
  };
  return scan
    ? [
        memory,
        executors,
        {
          advice: "salting or AQE skew handling",
          why: "the rows are uneven in the files, before any shuffle",
        },
      ]
    : [
        memory,
        executors,
        {
          advice: "more shuffle partitions",
          why: "all rows of one key stay in one partition, whatever their number",
        },
      ];
}
