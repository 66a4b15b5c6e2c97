import { formatBytes } from "../../format/bytes.ts";
import { formatCount } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { median, sum } from "../../stats/quantile.ts";
import type { App } from "../app.ts";
import { type Advice, cannotSay, defineStageCause } from "../finding.ts";
import { adaptive } from "../partitions.ts";
import { describeSetting } from "../settings.ts";
import type { StageView } from "../stage-view.ts";

export const tooManySmallTasks = defineStageCause({
  cause: "too-many-small-tasks",
  about:
    "A stage is cut into thousands of tasks that do next to nothing, so handing them out takes longer than running them. Short tasks alone are fine; only very many of them are not.",
  check:
    "Stages page > the stage: thousands of Tasks with a median Duration far below a second; Show Additional Metrics > Scheduler Delay.",
  limits: ["manyTasks", "manyTasksMs", "tinyTasks", "tinyTasksMs", "tinyTaskBytes"],

  judge(view, app) {
    const sample = view.sample;
    if (!sample || sample.count === 0) return cannotSay(`the tasks of ${view.label} were not read`);
    const middle = median(sample.run) ?? 0;
    const tasks = sample.count;
    const mean = sum(sample.work("bytes read")) / tasks;
    const { limits } = app;
    const many = tasks >= limits.manyTasks && middle < limits.manyTasksMs;
    const tiny = tasks >= limits.tinyTasks && middle <= limits.tinyTasksMs && mean < limits.tinyTaskBytes;
    const elapsed = sample.column("elapsed_ms");
    let overhead = 0;
    for (let i = 0; i < tasks; i++) overhead += Math.max(0, (elapsed[i] || 0) - (sample.run[i] as number));
    return {
      passed: many || tiny,
      priceMs: overhead / view.slots,
      evidence: [
        `${view.label}: ${formatCount(tasks)} tasks, median run time ${formatDuration(middle)}, ${formatBytes(mean)} read each; ${formatDuration(overhead)} of task time is not run time [Stages > ${view.label} > Duration, Scheduler Delay]`,
      ],
      confidence: "high",
    };
  },

  remedy(view, app) {
    const tasks = view.fact.number_of_tasks ?? view.fact.succeeded;
    const bytes = (view.fact.shuffle_bytes_read ?? 0) + (view.fact.input_bytes_read ?? 0);
    const wanted = Math.max(
      Math.ceil(bytes / app.limits.partitionLow),
      Math.ceil(app.limits.tasksPerCore * Math.round(view.slots)),
    );
    return {
      title: `${view.label.replace("stage", "Stage")} is cut into ${formatCount(tasks)} tasks of ${formatDuration(median(view.sample?.run ?? []))}: about ${formatCount(wanted)} would do`,
      advice: fewer(view, app, wanted),
      rejected: [
        {
          advice: "more executors",
          why: "the driver hands the tasks out one by one; more cores would wait for it",
        },
        { advice: "more executor memory", why: "the tasks hold next to nothing" },
      ],
      recommendedPartitions: wanted,
    };
  },
});

function fewer(view: StageView, app: App, wanted: number): Advice[] {
  const count = formatCount(wanted);
  const get = (name: string): string => describeSetting(app.settings.get(name, view.executionId));
  if ((view.fact.shuffle_bytes_read ?? 0) === 0) {
    return [
      {
        layer: "layout",
        text: `Read fewer, bigger pieces: compact the small files (128 MiB and more), so that ${view.label} needs about ${count} tasks.`,
      },
      ...(view.executionId === null
        ? [
            {
              layer: "layout" as const,
              text: `For RDDs: coalesce(${wanted}) after the read, or a smaller numSlices or spark.default.parallelism.`,
            },
          ]
        : [
            {
              layer: "configuration" as const,
              text: `Let a task read several files: raise spark.sql.files.maxPartitionBytes. Now: ${get("spark.sql.files.maxPartitionBytes")}.`,
            },
          ]),
    ];
  }
  if (view.executionId === null)
    return [
      {
        layer: "layout",
        text: `Give the wide operation about ${count} partitions (numPartitions, else spark.default.parallelism).`,
      },
    ];
  if (view.engine === "photon")
    return [
      {
        layer: "layout",
        text: `Coalesce to about ${count} partitions, or let auto-optimized shuffle choose.`,
      },
    ];
  if (adaptive(app, view)) {
    return [
      {
        layer: "configuration",
        text: `Let adaptive execution merge more: spark.sql.adaptive.coalescePartitions.parallelismFirst=false, and advisoryPartitionSizeInBytes of 128m. Now: ${get("spark.sql.adaptive.coalescePartitions.parallelismFirst")}, ${get("spark.sql.adaptive.advisoryPartitionSizeInBytes")}; a repartition by number is never merged.`,
      },
    ];
  }
  const advice: Advice[] = [
    {
      layer: "configuration",
      text: `Set spark.sql.shuffle.partitions to about ${count}. Now: ${get("spark.sql.shuffle.partitions")}.`,
    },
  ];
  if (app.settings.atLeast(3, 0))
    advice.unshift({
      layer: "optimizer",
      text: `Turn adaptive execution on, it merges small partitions. Now: ${get("spark.sql.adaptive.enabled")}.`,
    });
  return advice;
}
