import { formatBytes } from "../../format/bytes.ts";
import { formatCount, formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { ratio } from "../../stats/quantile.ts";
import { lowerBound } from "../../stats/replay.ts";
import { cannotSay, defineStageCause } from "../finding.ts";
import type { StageView } from "../stage-view.ts";
import { pythonOperators } from "./python-transport.ts";

export const scanOverhead = defineStageCause({
  cause: "scan-overhead",
  about:
    "A stage reads much, writes little, and its tasks wait instead of computing: many small files, filters that were not pushed to the source, or slow storage.",
  check:
    "Stages page > the stage: Input large, Output and Shuffle Write small, task Duration far above CPU time; SQL page: number of files read, metadata time, scan time.",
  limits: ["scanCpuShare", "scanOutputShare", "fetchWaitShare", "gcShare"],

  judge(view, app) {
    const fact = view.fact;
    const input = fact.input_bytes_read ?? 0;
    if (input <= 0) return { passed: false, priceMs: 0, evidence: [`${view.label} reads no storage`] };
    if (view.engine !== "spark") return cannotSay(`CPU time of ${view.engine} is not in the task metrics`);
    if (view.readsCache)
      return cannotSay(`what ${view.label} reads is cached data, as far as the log tells, not storage`);
    if (pythonOperators(view.fact, app).length > 0)
      return cannotSay(`${view.label} runs Python, whose CPU time is not in the task metrics`);
    const cpu = ratio(
      fact.executor_cpu_time_ns === null ? null : fact.executor_cpu_time_ns / 1e6,
      fact.executor_run_time_ms,
    );
    if (cpu === null || !view.sample) return cannotSay(`${view.label} records no CPU time`);
    const written = (fact.output_bytes_written ?? 0) + (fact.shuffle_bytes_written ?? 0);
    const wait = ratio(fact.fetch_wait_time_ms, fact.executor_run_time_ms) ?? 0;
    const gc = ratio(fact.jvm_gc_time_ms, fact.duration_sum_ms) ?? 0;
    const { limits } = app;
    const passed =
      cpu < limits.scanCpuShare &&
      written <= limits.scanOutputShare * input &&
      wait < limits.fetchWaitShare &&
      gc < limits.gcShare;
    const { run } = view.sample;
    const cpuNs = view.sample.column("executor_cpu_time_ns");
    const onCpu = lowerBound(run, view.slots, (ms, i) => Math.min(ms, (cpuNs[i] || 0) / 1e6));
    return {
      passed,
      priceMs: Math.max(0, lowerBound(run, view.slots) - onCpu),
      evidence: [
        `${view.label}: CPU time is ${formatShare(cpu)} of ${formatDuration(fact.executor_run_time_ms)} run time; ${formatBytes(input)} read, ${formatBytes(written)} written [Stages > ${view.label} > Input, Output, Shuffle Write]`,
        ...scanMetrics(view),
      ],
      confidence: "medium",
    };
  },

  remedy: (view) => ({
    title: `The scan of ${view.label} waits for storage: CPU ${formatShare(ratio((view.fact.executor_cpu_time_ns ?? 0) / 1e6, view.fact.executor_run_time_ms))} of its run time`,
    advice: [
      {
        layer: "layout",
        text: "Compact small files to 128 MiB and more; partition or cluster the table by what the queries filter on.",
      },
      {
        layer: "optimizer",
        text: "See that filters and columns reach the scan (PushedFilters, PartitionFilters and ReadSchema in the plan).",
      },
      {
        layer: "configuration",
        text: "If files are big and filters are pushed, look at the storage's throughput and throttling.",
      },
    ],
    rejected: [
      { advice: "more executor memory", why: "the tasks wait for reads, they do not run out of memory" },
      { advice: "caching", why: "data that is read once gains nothing from it" },
    ],
  }),
});

function scanMetrics(view: StageView): string[] {
  const scans = view.operators.filter(
    (o) => o.metric === "number of files read" || o.metric === "scan time" || o.metric === "metadata time",
  );
  const files = scans.find((o) => o.metric === "number of files read")?.total;
  const filters = view.plan
    .filter((o) => /PushedFilters: \[\]/.test(o.simple_string))
    .map((o) => `no filter is pushed into ${o.simple_string.slice(0, 80)}`);
  const perFile =
    files && files > 0
      ? [`${formatCount(files)} files, ${formatBytes((view.fact.input_bytes_read ?? 0) / files)} each`]
      : [];
  return [...perFile, ...filters.slice(0, 2)];
}
