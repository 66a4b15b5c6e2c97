import type { Check } from "../../findings/checks.ts";
import { formatShare } from "../../format/count.ts";
import type { Tone } from "../blocks.ts";
import { defineSection } from "./section.ts";

const TONES: Record<Check["status"], Tone> = { pass: "good", watch: "warn", fail: "bad", unknown: "muted" };

/** The five checks, wide to narrow: each is read only against the ones above it. */
export const checks = defineSection({
  id: "checks",
  title: "Five checks",
  build({ checks }) {
    return [
      {
        kind: "table",
        headings: ["Check", "Status", "Value", "Limit", "Stage", "Explanation"],
        align: ["left", "left", "right", "right", "right", "left"],
        shrink: 5,
        wrap: true,
        rows: checks.map((check) => [
          check.check,
          check.status === "unknown" ? "cannot say" : check.status,
          valueText(check, check.value),
          valueText(check, check.limit),
          check.stageId === null ? "-" : stageText(check),
          `${check.explanation} [${check.where}]`,
        ]),
        tones: checks.map((check) => TONES[check.status]),
      },
    ];
  },
});

function stageText(check: Check): string {
  return check.stageAttemptId ? `${check.stageId}.${check.stageAttemptId}` : `${check.stageId}`;
}

/** Shares print as percent, ratios as numbers, spill as a count of tasks. */
function valueText(check: Check, value: number | null): string {
  if (value === null) return "-";
  if (check.check === "slow-stage" || check.check === "gc") return formatShare(value);
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
