import { formatCount } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { median } from "../../stats/quantile.ts";
import { type AppJudgement, defineAppCause } from "../finding.ts";

export const lateDataDropped = defineAppCause({
  cause: "late-data-dropped",
  about:
    "Rows older than the watermark were dropped by a stateful operator: they are missing from the result.",
  check: "Structured Streaming page: Aggregated Number Of Rows Dropped By Watermark.",
  limits: [],

  judge(app): AppJudgement {
    const { streamingBatches: batches } = app.facts;
    if (batches.length === 0)
      return { passed: false, priceMs: null, evidence: ["no micro-batch in the log"] };
    const counted = batches.filter((b) => b.rows_dropped_by_watermark !== null);
    if (counted.length === 0)
      return {
        passed: null,
        priceMs: null,
        evidence: ["cannot say: no stateful operator, or a Spark version that does not count dropped rows"],
      };
    const dropped = counted.reduce((sum, b) => sum + (b.rows_dropped_by_watermark ?? 0), 0);
    const rows = batches.reduce((sum, b) => sum + (b.input_rows ?? 0), 0);
    const lag = median(
      counted
        .filter((b) => b.watermark_ms !== null && b.max_event_time_ms !== null)
        .map((b) => (b.max_event_time_ms ?? 0) - (b.watermark_ms ?? 0)),
    );
    return {
      passed: dropped > 0,
      priceMs: null,
      evidence: [
        `${formatCount(dropped)} rows of ${formatCount(rows)} read were dropped by the watermark (after a partial aggregation a row is a group, so this is a lower bound) [Structured Streaming page]`,
        lag === null
          ? "no watermark is recorded beside the event times"
          : `the watermark is ${formatDuration(lag)} behind the newest event at the median`,
      ],
      confidence: "high",
    };
  },

  remedy: () => ({
    title: "Late rows were dropped by the watermark and are missing from the result",
    advice: [
      {
        layer: "layout",
        text: "Set withWatermark to the delay that late data really has; the state then holds every open window for that long, so plan its size.",
      },
      { layer: "layout", text: "Read rows that may be later than that in a separate batch run." },
    ],
    rejected: [
      { advice: "more executors", why: "rows are dropped by their event time, not for lack of capacity" },
    ],
  }),
});
