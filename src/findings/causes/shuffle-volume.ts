import { formatRatio } from "../../format/count.ts";
import { cannotSay, defineStageCause } from "../finding.ts";
import type { StageView } from "../stage-view.ts";
import { worstVolume } from "../volume.ts";

export const shuffleVolume = defineStageCause({
  cause: "shuffle-volume",
  about:
    "A stage wrote more rows to its shuffle than it read: something multiplied rows before the exchange (explode, a join on a key that is not unique, cross join), and everything after it handles the surplus.",
  check:
    "Stages page: Shuffle Write against Input and Shuffle Read of the writing stage; SQL page: rows on both sides of the Exchange.",
  limits: ["rowsFail", "rowsWatch", "bytesFail", "bytesWatch"],

  judge(view, app) {
    const volume = worstVolume(view, app);
    if (!volume)
      return {
        passed: false,
        priceMs: 0,
        evidence: [`${view.label} neither writes a shuffle nor reads one whose writer is in the log`],
      };
    if (volume.ratio === null) return cannotSay(volume.text);
    const passed = volume.status === "fail";
    return {
      passed,
      priceMs: passed ? view.ownMs * (1 - 1 / volume.ratio) : 0,
      evidence: [
        `${volume.text} [Stages page: Shuffle Write against Input]`,
        ...operatorsThatMultiply(view).map((o) => `its plan holds ${o}`),
      ],
      confidence: volume.unit === "rows" ? "high" : "medium",
    };
  },

  remedy(view, app) {
    const volume = worstVolume(view, app);
    const multipliers = operatorsThatMultiply(view);
    const what = multipliers[0] ?? "what multiplies the rows";
    return {
      title: `Stage ${volume?.stage.stage_id ?? view.fact.stage_id} writes ${formatRatio(volume?.ratio ?? null)} times the ${volume?.unit ?? "rows"} it reads to the shuffle`,
      advice: [
        {
          layer: "layout",
          text: `Aggregate or filter before the rows are multiplied (${what}), or move it behind the exchange.`,
        },
        { layer: "layout", text: "Carry only the columns that the later stages use across the exchange." },
        {
          layer: "optimizer",
          text: "If a join multiplies the rows, make its key unique on one side first (deduplicate or pre-aggregate).",
        },
      ],
      rejected: [
        {
          advice: "more shuffle partitions",
          why: "the same surplus of rows would only be cut into smaller pieces",
        },
        { advice: "more executors or memory", why: "they would carry rows that should not exist" },
      ],
    };
  },
});

function operatorsThatMultiply(view: StageView): string[] {
  const kinds = new Set(["Generate", "Expand", "CartesianProduct", "BroadcastNestedLoopJoin"]);
  return [...new Set(view.plan.filter((o) => kinds.has(o.kind)).map((o) => o.simple_string.slice(0, 120)))];
}
