import { formatBytes } from "../../format/bytes.ts";
import { formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { ratio } from "../../stats/quantile.ts";
import { lowerBound } from "../../stats/replay.ts";
import type { App } from "../app.ts";
import { type Advice, cannotSay, defineStageCause, type Judgement, type RejectedAdvice } from "../finding.ts";
import { memoryModel } from "../memory-model.ts";
import type { StageView } from "../stage-view.ts";

export const gcPressure = defineStageCause({
  cause: "gc-pressure",
  about:
    "Tasks spend a tenth or more of their time in garbage collection: the heap is short for the objects that the tasks hold.",
  check:
    "Executors page: GC Time against Task Time (red above 10 %); Stages page: GC Time in Summary Metrics.",
  limits: ["gcShare"],

  judge(view, app) {
    const judged = gcTime(view, app);
    const cache = judged.passed === true ? cacheEvidence(view, app) : [];
    if (judged.passed === true && isByCache(view, cache)) {
      return {
        ...judged,
        passed: false,
        priceMs: 0,
        evidence: [...judged.evidence, "nothing spills and data is cached: gc-pressure-cache"],
      };
    }
    return {
      ...judged,
      evidence: [...judged.evidence, ...(judged.passed === true ? [spillReading(view)] : [])],
    };
  },

  remedy: (view, app) => ({
    title: gcTitle(view),
    advice: [
      {
        layer: "layout",
        text: `Make the tasks of ${view.label} smaller (more partitions), so that each holds fewer objects at a time.`,
      },
      {
        layer: "layout",
        text: "Hold fewer objects: built-in functions and Datasets of columns instead of row objects, collections and user functions.",
      },
      ...memoryAdvice(app, "Only then heap, or fewer tasks an executor."),
    ],
    rejected: rejectedForGc(),
  }),
});

export const gcPressureCache = defineStageCause({
  cause: "gc-pressure-cache",
  about:
    "Tasks spend a tenth or more of their time in garbage collection although nothing spills, and data is cached: the cached blocks fill the heap.",
  check: "Executors page: GC Time and Storage Memory; Storage page: size in memory and fraction cached.",
  limits: ["gcShare"],

  judge(view, app) {
    const judged = gcTime(view, app);
    if (judged.passed !== true) return judged;
    const cache = cacheEvidence(view, app);
    return isByCache(view, cache)
      ? {
          ...judged,
          evidence: [
            ...judged.evidence,
            "nothing spills: something else than sort or aggregation buffers fills the heap",
            ...cache,
          ],
        }
      : {
          ...judged,
          passed: false,
          priceMs: 0,
          evidence: [
            ...judged.evidence,
            spillReading(view),
            cache.length > 0
              ? "data is cached, but the stage spills as well"
              : "no sign of cached data in the log",
          ],
        };
  },

  remedy: (view, app) => ({
    title: `${gcTitle(view)}; nothing spills, cached data fills the heap`,
    advice: [
      {
        layer: "reuse",
        text: "Unpersist what is not read again, and cache only what is read more than once.",
      },
      {
        layer: "reuse",
        text: "Store the rest smaller: MEMORY_AND_DISK_SER or columnar (DataFrame cache), only the columns that are used.",
      },
      ...memoryAdvice(app, "Only then heap."),
    ],
    rejected: [
      ...rejectedForGc(),
      { advice: "caching more", why: "the cached blocks are what fills the heap" },
    ],
  }),
});

function gcTime(view: StageView, app: App): Judgement {
  const share = ratio(view.fact.jvm_gc_time_ms, view.fact.duration_sum_ms);
  if (share === null || !view.sample) return cannotSay(`${view.label} records no GC time`);
  const { run } = view.sample;
  const gc = view.sample.column("jvm_gc_time_ms");
  const without = run.map((ms, i) => Math.max(0, ms - (gc[i] || 0)));
  return {
    passed: share >= app.limits.gcShare,
    priceMs: Math.max(0, lowerBound(run, view.slots) - lowerBound(without, view.slots)),
    evidence: [
      `${view.label}: ${formatDuration(view.fact.jvm_gc_time_ms)} GC in ${formatDuration(view.fact.duration_sum_ms)} of task time, ${formatShare(share)} [Stages > ${view.label} > GC Time]`,
    ],
    confidence: "high",
  };
}

function isByCache(view: StageView, cache: readonly string[]): boolean {
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
        `RDD ${rdd.rdd_id} ${rdd.name ?? ""} is persisted (${rdd.storage_level}), ${cachedText(rdd.max_cached_partitions, rdd.number_of_partitions)}${rdd.memory_size_bytes ? `, ${formatBytes(rdd.memory_size_bytes)} in memory` : ""}`,
    );
  if (view.plan.some((o) => o.kind === "InMemoryTableScan"))
    lines.push("its plan reads a cached table (InMemoryTableScan)");
  const storage = app.facts.executorPeaks.find((p) => p.metric === "OnHeapStorageMemory");
  if (storage)
    lines.push(`up to ${formatBytes(storage.value)} of storage memory on executor ${storage.executor_id}`);
  return lines;
}

function cachedText(cached: number | null, partitions: number | null): string {
  return cached === null
    ? "how much of it is cached is not in the event log (spark.eventLog.logBlockUpdates.enabled is off)"
    : `${cached} of ${partitions ?? "?"} partitions cached at most`;
}

function spillReading(view: StageView): string {
  return (view.fact.memory_bytes_spilled ?? 0) > 0
    ? "it spills as well: execution memory is short, too"
    : "nothing spills: the heap is filled by something else than sort and aggregation buffers (objects of the program, or cached data)";
}

function gcTitle(view: StageView): string {
  return `Tasks of ${view.label} spend ${formatShare(ratio(view.fact.jvm_gc_time_ms, view.fact.duration_sum_ms))} of their time in garbage collection`;
}

function memoryAdvice(app: App, lead: string): Advice[] {
  const model = memoryModel(app);
  return model ? [{ layer: "configuration", text: `${lead} The ${model.text}.` }] : [];
}

function rejectedForGc(): RejectedAdvice[] {
  return [
    {
      advice: "bigger machines first",
      why: "a larger heap is collected as well; first let the tasks hold less",
    },
    { advice: "salting", why: "the GC is not confined to a few big tasks" },
  ];
}
