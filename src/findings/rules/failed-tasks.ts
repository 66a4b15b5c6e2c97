import { formatCount, formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { groupFailures } from "../causes/retry-churn.ts";
import { failureAdvice } from "../failure-class.ts";
import { defineRule } from "./rule.ts";

export const failedTasks = defineRule({
  rule: "failed-tasks",
  about:
    "Task attempts failed or were killed, grouped by class and first line of their text, with the time they took.",
  check: "Stages page > the stage > tasks by Status, column Errors.",
  limits: [],

  evaluate(app) {
    const groups = groupFailures(app.facts.failures.filter((f) => f.reason !== "Resubmitted"));
    if (groups.length === 0) return [];
    const ends = groups.reduce((sum, g) => sum + g.ends, 0);
    const ms = groups.reduce((sum, g) => sum + g.durationMs, 0);
    const first = groups.find((g) => g.kind !== "killed");
    return [
      {
        title: `${formatCount(ends)} task attempts failed or were killed after ${formatDuration(ms)} of task time`,
        evidence: groups
          .slice(0, 8)
          .map(
            (g) =>
              `${formatCount(g.ends)} x ${g.kind}, ${formatDuration(g.durationMs)}: ${g.text}${g.host ? ` (${formatShare(g.hostShare)} on ${g.host})` : ""} [Stages page, Failed Tasks]`,
          ),
        advice: first ? failureAdvice(first.kind).map((text) => ({ layer: "layout" as const, text })) : [],
      },
    ];
  },
});
