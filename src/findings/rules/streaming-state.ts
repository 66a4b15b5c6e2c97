import { formatBytes } from "../../format/bytes.ts";
import { formatCount, formatRatio } from "../../format/count.ts";
import { groupBy } from "../group-by.ts";
import { defineRule } from "./rule.ts";

/** Growth of the state from the first to the last third of the batches that is worth a word. */
const GROWTH = 2;

export const streamingState = defineRule({
  rule: "streaming-state",
  about:
    "The state of a streaming query keeps growing: without a watermark, or with one that is too long, it never ends.",
  check: "Structured Streaming page: Aggregated Number Of Total State Rows, Aggregated State Memory Used.",
  limits: ["lagMinBatches"],

  evaluate(app) {
    return [...groupBy(app.facts.streamingBatches, (batch) => batch.run_id)].flatMap(([run, batches]) => {
      const stateful = batches.filter((b) => b.rows_total !== null);
      const third = Math.floor(stateful.length / 3);
      const [early, last] = [stateful[third], stateful.at(-1)];
      if (stateful.length < app.limits.lagMinBatches || !early || !last || (early.rows_total ?? 0) <= 0)
        return [];
      const growth = (last.rows_total ?? 0) / (early.rows_total ?? 1);
      if (growth < GROWTH) return [];
      return [
        {
          title: `State of streaming query ${run} grew ${formatRatio(growth)}x over ${formatCount(stateful.length - third)} batches`,
          evidence: [
            `${formatCount(early.rows_total)} rows at batch ${early.batch_id}, ${formatCount(last.rows_total)} at batch ${last.batch_id}, ${formatBytes(last.memory_used_bytes)} (${last.state_store ?? "state store not named"}) [Structured Streaming page]`,
            last.watermark_ms === null
              ? "the query has no watermark"
              : "the query has a watermark: the state holds every open window of its delay",
            "the checkpoint's location is not in the event log",
          ],
          advice: [
            {
              layer: "layout",
              text: "Give the query a watermark no longer than late data needs, or drop keys by timeout.",
            },
            ...(app.settings.atLeast(3, 2)
              ? [
                  {
                    layer: "configuration" as const,
                    text: "For large state use the RocksDB state store provider.",
                  },
                ]
              : []),
          ],
        },
      ];
    });
  },
});
