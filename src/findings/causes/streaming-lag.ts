import { formatBytes } from "../../format/bytes.ts";
import { formatCount, formatRatio, formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { median } from "../../stats/quantile.ts";
import type { App } from "../app.ts";
import type { BatchFact } from "../facts.ts";
import { type AppJudgement, defineAppCause } from "../finding.ts";

export const streamingLag = defineAppCause({
  cause: "streaming-lag",
  about:
    "Rows arrive faster than the query processes them over most of its micro-batches: it falls behind, and will not catch up by itself.",
  check:
    "Structured Streaming page: Input Rate above Process Rate, Batch Duration above the trigger interval.",
  limits: ["lagBatches", "lagMargin", "lagMinBatches"],

  judge(app): AppJudgement {
    const runs = measureRuns(app);
    if (runs.length === 0)
      return { passed: false, priceMs: null, evidence: ["no streaming query in the log"] };
    const judged = runs.filter((run) => run.busy >= app.limits.lagMinBatches);
    if (judged.length === 0)
      return {
        passed: null,
        priceMs: null,
        evidence: [`cannot say: fewer than ${app.limits.lagMinBatches} micro-batches with rows`],
      };
    const worst = judged.reduce((a, b) => (b.slowShare > a.slowShare ? b : a));
    return {
      passed: worst.slowShare >= app.limits.lagBatches,
      priceMs: null,
      evidence: [
        `query ${worst.name}: in ${formatShare(worst.slowShare)} of ${formatCount(worst.busy)} micro-batches with rows the input rate is above the processing rate; median ${formatRatio(worst.inputRate)} rows/s in, ${formatRatio(worst.processRate)} rows/s processed [Structured Streaming page]`,
        `median batch ${formatDuration(worst.batchMs)}, a new one every ${formatDuration(worst.everyMs)}`,
        ...stateEvidence(worst.batches),
        "the backlog at the source is not in the event log",
      ],
      confidence: "medium",
    };
  },

  remedy: () => ({
    title: "A streaming query falls behind: rows arrive faster than it processes them",
    advice: [
      {
        layer: "layout",
        text: "See which stage of a micro-batch is the longest and treat it like a batch job (skew, partitions, joins without broadcast shuffle again in every batch).",
      },
      {
        layer: "layout",
        text: "Keep the state small: a watermark no longer than late data really is, only the columns that are needed.",
      },
      {
        layer: "configuration",
        text: "For large state use the RocksDB state store (3.2 and later); give the source more partitions and the query that many cores.",
      },
      {
        layer: "configuration",
        text: "Cap a batch (maxOffsetsPerTrigger, maxFilesPerTrigger) to keep it stable; it does not raise the throughput.",
      },
    ],
    rejected: [
      {
        advice: "a shorter trigger interval",
        why: "the batches already take longer than the rows need to arrive",
      },
      { advice: "replaying a backfill through the live query", why: "run it as a separate batch job" },
    ],
  }),
});

interface RunMeasure {
  name: string;
  batches: BatchFact[];
  busy: number;
  slowShare: number;
  inputRate: number | null;
  processRate: number | null;
  batchMs: number | null;
  everyMs: number | null;
}

function measureRuns(app: App): RunMeasure[] {
  const byRun = new Map<string, BatchFact[]>();
  for (const batch of app.facts.streamingBatches)
    byRun.set(batch.run_id, [...(byRun.get(batch.run_id) ?? []), batch]);
  return [...byRun].map(([id, batches]) => {
    const busy = batches.filter(
      (b) =>
        (b.input_rows ?? 0) > 0 && b.input_rows_per_second !== null && b.processed_rows_per_second !== null,
    );
    const slow = busy.filter(
      (b) => (b.input_rows_per_second ?? 0) > app.limits.lagMargin * (b.processed_rows_per_second ?? 0),
    );
    const known = (values: (number | null)[]): number[] => values.filter((value) => value !== null);
    const starts = known(batches.map((b) => b.trigger_time_ms));
    return {
      name: app.facts.streamingRuns.find((run) => run.run_id === id)?.name ?? id,
      batches,
      busy: busy.length,
      slowShare: busy.length > 0 ? slow.length / busy.length : 0,
      inputRate: median(known(busy.map((b) => b.input_rows_per_second))),
      processRate: median(known(busy.map((b) => b.processed_rows_per_second))),
      batchMs: median(known(batches.map((b) => b.batch_duration_ms))),
      everyMs: median(starts.slice(1).map((at, i) => at - (starts[i] ?? at))),
    };
  });
}

function stateEvidence(batches: readonly BatchFact[]): string[] {
  const stateful = batches.filter((b) => b.rows_total !== null);
  const [first, last] = [stateful[0], stateful.at(-1)];
  if (!first || !last) return [];
  return [
    `state grew from ${formatCount(first.rows_total)} to ${formatCount(last.rows_total)} rows, ${formatBytes(last.memory_used_bytes)} (${last.state_store ?? "state store not named"})`,
  ];
}
