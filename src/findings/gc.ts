import { formatBytes } from "../format/bytes.ts";
import { formatShare } from "../format/count.ts";
import { formatDuration } from "../format/duration.ts";
import { ratio } from "../stats/quantile.ts";
import { lowerBound } from "../stats/replay.ts";
import type { App } from "./app.ts";
import { type Advice, cannotSay, type Judgement, type RejectedAdvice } from "./finding.ts";
import { memoryModel } from "./memory-model.ts";
import { rddName } from "./rdd-name.ts";
import type { StageView } from "./stage-view.ts";

export function gcTime(view: StageView, app: App): Judgement {
  const share = ratio(view.fact.jvm_gc_time_ms, view.fact.duration_sum_ms);
  if (share === null || !view.sample) return cannotSay(`${view.label} records no GC time`);
  const { run } = view.sample;
  const gc = view.sample.column("jvm_gc_time_ms");
  const without = lowerBound(run, view.slots, (ms, i) => Math.max(0, ms - (gc[i] || 0)));
  return {
    passed: share >= app.limits.gcShare,
    priceMs: Math.max(0, lowerBound(run, view.slots) - without),
    evidence: [
      `${view.label}: ${formatDuration(view.fact.jvm_gc_time_ms)} GC in ${formatDuration(view.fact.duration_sum_ms)} of task time, ${formatShare(share)} [Stages > ${view.label} > GC Time]`,
    ],
    confidence: "high",
  };
}

export function isByCache(view: StageView, cache: readonly string[]): boolean {
  return (
    cache.length > 0 &&
    (view.fact.memory_bytes_spilled ?? 0) === 0 &&
    (view.fact.disk_bytes_spilled ?? 0) === 0
  );
}

/** Signs of cached data; empty: none in the log. Without block updates the log does not say how much is cached. */
export function cacheEvidence(view: StageView, app: App): string[] {
  const lines = app.facts.rdds
    .filter((rdd) => rdd.use_memory === 1)
    .slice(0, 3)
    .map(
      (rdd) =>
        `${rddName(rdd)} is persisted (${rdd.storage_level}), ${cachedText(rdd.max_cached_partitions, rdd.number_of_partitions)}${rdd.memory_size_bytes ? `, ${formatBytes(rdd.memory_size_bytes)} in memory` : ""}`,
    );
  if (view.plan.some((o) => o.kind === "InMemoryTableScan"))
    lines.push("its plan reads a cached table (InMemoryTableScan)");
  const storage = app.facts.executorPeaks.find((p) => p.metric === "OnHeapStorageMemory");
  const room = app.facts.executors.reduce((most, e) => Math.max(most, e.max_memory_bytes ?? 0), 0);
  if (storage && storage.value >= app.limits.cacheShare * room)
    lines.push(`up to ${formatBytes(storage.value)} of storage memory on executor ${storage.executor_id}`);
  return lines;
}

function cachedText(cached: number | null, partitions: number | null): string {
  return cached === null
    ? "how much of it is cached is not in the event log (spark.eventLog.logBlockUpdates.enabled is off)"
    : `${cached} of ${partitions ?? "?"} partitions cached at most`;
}

export function spillReading(view: StageView): string {
  return (view.fact.memory_bytes_spilled ?? 0) > 0
    ? "it spills as well: execution memory is short, too"
    : "nothing spills: the heap is filled by something else than sort and aggregation buffers (objects of the program, or cached data)";
}

export function gcTitle(view: StageView): string {
  return `Tasks of ${view.label} spend ${formatShare(ratio(view.fact.jvm_gc_time_ms, view.fact.duration_sum_ms))} of their time in garbage collection`;
}

export function memoryAdvice(app: App, lead: string): Advice[] {
  const model = memoryModel(app);
  return model ? [{ layer: "configuration", text: `${lead} The ${model.text}.` }] : [];
}

export function rejectedForGc(): RejectedAdvice[] {
  return [
    {
      advice: "bigger machines first",
      why: "a larger heap is collected as well; first let the tasks hold less",
    },
    { advice: "salting", why: "the GC is not confined to a few big tasks" },
  ];
}
