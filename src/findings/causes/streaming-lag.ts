import { formatBytes } from "../../format/bytes.ts";
import { formatCount, formatRatio, formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import type { BatchFact } from "../facts.ts";
import { type AppJudgement, defineAppCause } from "../finding.ts";
import { fallsBehind, measureRuns } from "../streaming-runs.ts";

export const streamingLag = defineAppCause({
  cause: "streaming-lag",
  about:
    "Rows arrive faster than the query processes them over most of its micro-batches: it falls behind, and will not catch up by itself.",
  check:
    "Structured Streaming page: Input Rate above Process Rate, Batch Duration above the trigger interval.",
  limits: ["lagBatches", "lagMargin", "lagGrowth", "lagMinBatches"],

  judge(app): AppJudgement {
    const runs = measureRuns(app.facts, app.limits);
    if (runs.length === 0)
      return { passed: false, priceMs: null, evidence: ["no streaming query in the log"] };
    const judged = runs.filter((run) => run.busy >= app.limits.lagMinBatches);
    if (judged.length === 0)
      return {
        passed: null,
        priceMs: null,
        evidence: [`cannot say: fewer than ${app.limits.lagMinBatches} micro-batches with rows`],
      };
    const behind = judged.filter((run) => fallsBehind(run, app.limits));
    const worst = (behind.length > 0 ? behind : judged).reduce((a, b) => (b.slowShare > a.slowShare ? b : a));
    return {
      passed: fallsBehind(worst, app.limits),
      priceMs: null,
      evidence: [
        `query ${worst.name}: in ${formatShare(worst.slowShare)} of ${formatCount(worst.busy)} micro-batches with rows the input rate is above the processing rate; median ${formatRatio(worst.inputRate)} rows/s in, ${formatRatio(worst.processRate)} rows/s processed [Structured Streaming page]`,
        `median batch ${formatDuration(worst.batchMs)}, a new one every ${formatDuration(worst.everyMs)}; the last third of them took ${formatRatio(worst.growth)} times as long as the first`,
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

function stateEvidence(batches: readonly BatchFact[]): string[] {
  const stateful = batches.filter((b) => b.rows_total !== null);
  const [first, last] = [stateful[0], stateful.at(-1)];
  if (!first || !last) return [];
  return [
    `state grew from ${formatCount(first.rows_total)} to ${formatCount(last.rows_total)} rows, ${formatBytes(last.memory_used_bytes)} (${last.state_store ?? "state store not named"})`,
  ];
}
