import { formatBytes } from "../../format/bytes.ts";
import { formatShare } from "../../format/count.ts";
import { defineRule } from "./rule.ts";

/** Part of a written shuffle that is read below which most of it was for nothing. */
const READ_SHARE = 0.1;
const MIN_BYTES = 1024 ** 3;

export const discardedRows = defineRule({
  rule: "discarded-rows",
  about:
    "A stage wrote much to the shuffle and the stage after it read little of it: rows were made and thrown away (a limit, a filter after the exchange, an explode that was not needed).",
  check: "Stages page: Shuffle Write of a stage against Shuffle Read of the next one.",
  limits: [],

  evaluate(_app, rulings) {
    return rulings.views.flatMap((view) => {
      const written = view.feeders.reduce((sum, s) => sum + (s.shuffle_bytes_written ?? 0), 0);
      const read = view.fact.shuffle_bytes_read ?? 0;
      if (view.fact.status !== "complete" || written < MIN_BYTES || read <= 0 || read > READ_SHARE * written)
        return [];
      return [
        {
          title: `${view.label.replace("stage", "Stage")} reads only ${formatShare(read / written)} of what was shuffled for it`,
          stageId: view.fact.stage_id,
          stageAttemptId: view.fact.stage_attempt_id,
          executionId: view.executionId,
          evidence: [
            `stage ${view.feeders.map((s) => s.stage_id).join(", ")} wrote ${formatBytes(written)}, ${view.label} read ${formatBytes(read)} [Stages page, Shuffle Write and Shuffle Read]`,
          ],
          advice: [
            {
              layer: "layout",
              text: "Filter or limit before the exchange, and look for an explode whose rows are not used.",
            },
          ],
        },
      ];
    });
  },
});
