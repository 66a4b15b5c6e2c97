import { formatBytes } from "../format/bytes.ts";
import { formatCount } from "../format/count.ts";
import type { App } from "./app.ts";
import type { Advice } from "./finding.ts";
import { describeSetting } from "./settings.ts";
import type { StageView } from "./stage-view.ts";

/** How many partitions the stage should read, by size and by cores. */
export interface PartitionAdvice {
  now: number;
  meanBytes: number;
  bySize: [low: number, high: number];
  byCores: [low: number, high: number];
  recommended: number;
  waves: number;
  idleSlots: number;
  text: string;
}

/** null: the stage reads no shuffle. */
export function partitionAdvice(view: StageView, app: App): PartitionAdvice | null {
  const bytes = view.fact.shuffle_bytes_read ?? 0;
  const now = view.fact.number_of_tasks ?? view.fact.succeeded;
  if (bytes <= 0 || now <= 0) return null;
  const { partitionLow, partitionHigh, tasksPerCore } = app.limits;
  const slots = Math.max(1, Math.round(view.slots));
  const bySize: [number, number] = [Math.ceil(bytes / partitionHigh), Math.ceil(bytes / partitionLow)];
  const byCores: [number, number] = [Math.ceil((tasksPerCore - 1) * slots), Math.ceil(tasksPerCore * slots)];
  const recommended = Math.max(bySize[1], byCores[1]);
  const waves = now / slots;
  const idleSlots = Math.max(0, slots - now);
  const text = `${view.label} reads ${formatBytes(bytes)} of shuffle in ${formatCount(now)} partitions of ${formatBytes(bytes / now)} on average, ${waves.toFixed(1)} waves on ${slots} slots${idleSlots > 0 ? `, ${idleSlots} of them idle` : ""}; by size (${formatBytes(partitionLow)} to ${formatBytes(partitionHigh)}) ${formatCount(bySize[0])} to ${formatCount(bySize[1])}, by cores (${tasksPerCore - 1} to ${tasksPerCore} a core) ${formatCount(byCores[0])} to ${formatCount(byCores[1])}`;
  return { now, meanBytes: bytes / now, bySize, byCores, recommended, waves, idleSlots, text };
}

/** Where the number of partitions of a stage comes from. */
export interface PartitionSource {
  /** Largest partition count written into an exchange of its plan. */
  planned: number | null;
  /** Adaptive execution merged the planned partitions. */
  coalesced: boolean;
  skewSplit: boolean;
  /** The plan was asked for this many partitions by the program. */
  byRepartition: boolean;
  isSql: boolean;
}

export function partitionSource(view: StageView): PartitionSource {
  const now = view.fact.number_of_tasks ?? 0;
  const exchanges = view.plan.filter((o) => o.kind === "Exchange");
  const counts = exchanges.map((o) => partitionsIn(o.simple_string)).filter((n) => n !== null);
  const reads = view.plan.filter((o) => /AQEShuffleRead|CustomShuffleReader/.test(o.name));
  const planned = counts.length > 0 ? Math.max(...counts) : null;
  return {
    planned,
    coalesced: reads.some((o) => /coalesced/.test(o.simple_string)) && planned !== null && planned > now,
    skewSplit: reads.some((o) => /skewed/.test(o.simple_string)),
    byRepartition: exchanges.some((o) => /REPARTITION_BY_NUM/.test(o.simple_string)),
    isSql: view.plan.length > 0 || view.executionId !== null,
  };
}

function partitionsIn(simpleString: string): number | null {
  const match = /partitioning\(.*?,?\s*(\d+)\)/i.exec(simpleString);
  return match ? Number(match[1]) : null;
}

/** How to get from the present count to the recommended one, for what made the count. */
export function morePartitions(view: StageView, app: App, recommended: number): Advice[] {
  const source = partitionSource(view);
  const get = (name: string): string => describeSetting(app.settings.get(name, view.executionId));
  const count = formatCount(recommended);
  if (view.engine === "photon") {
    return [
      {
        layer: "layout",
        text: `Let ${view.label} read about ${count} partitions: repartition before it by the same keys; Photon chooses its own partition count on Databricks, check spark.databricks.adaptive.autoOptimizeShuffle.enabled.`,
      },
    ];
  }
  if (!source.isSql) {
    return [
      {
        layer: "layout",
        text: `Give the wide operation before ${view.label} about ${count} partitions (its numPartitions argument, else spark.default.parallelism).`,
      },
    ];
  }
  if (source.byRepartition) {
    return [
      {
        layer: "layout",
        text: `Raise the number in the repartition call before ${view.label} to about ${count}.`,
      },
    ];
  }
  if (adaptive(app, view)) {
    const advisory = Math.max(1, Math.round((view.fact.shuffle_bytes_read ?? 0) / recommended / 1024 ** 2));
    return [
      {
        layer: "configuration",
        text: `Set spark.sql.adaptive.advisoryPartitionSizeInBytes to ${advisory}m and spark.sql.adaptive.coalescePartitions.initialPartitionNum to at least ${count}, so that ${view.label} reads about ${count} partitions; a higher shuffle.partitions alone would be merged again. Now: ${get("spark.sql.adaptive.advisoryPartitionSizeInBytes")}${app.settings.atLeast(3, 2) ? `, ${get("spark.sql.adaptive.coalescePartitions.parallelismFirst")}` : ""}.`,
      },
    ];
  }
  return [
    {
      layer: "configuration",
      text: `Set spark.sql.shuffle.partitions to ${count} for ${view.label}. Now: ${get("spark.sql.shuffle.partitions")}.`,
    },
  ];
}

/** Adaptive execution merges partitions of this stage's execution. */
export function adaptive(app: App, view: StageView): boolean {
  return (
    app.settings.atLeast(3, 0) &&
    app.settings.isTrue("spark.sql.adaptive.enabled", view.executionId) &&
    app.settings.isTrue("spark.sql.adaptive.coalescePartitions.enabled", view.executionId)
  );
}
