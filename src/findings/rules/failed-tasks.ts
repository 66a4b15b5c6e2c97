import { formatCount, formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { failureAdvice } from "../failure-class.ts";
import { missingGroups } from "../failures.ts";
import { defineRule } from "./rule.ts";

export const failedTasks = defineRule({
  rule: "failed-tasks",
  about:
    "Task attempts failed or were killed, grouped by class and first line of their text, with the time they took.",
  check: "Stages page > the stage > tasks by Status, column Errors.",
  limits: [],

  evaluate(app) {
    const { ends, durationMs, groups } = app.failures.ended;
    if (ends === 0) return [];
    const first = groups.find((g) => g.kind !== "killed");
    return [
      {
        title: `${formatCount(ends)} task attempts failed or were killed after ${formatDuration(durationMs)} of task time`,
        evidence: [
          ...groups
            .slice(0, 8)
            .map(
              (g) =>
                `${formatCount(g.ends)} x ${g.kind}, ${formatDuration(g.durationMs)}: ${g.text}${g.host ? ` (${formatShare(g.hostShare)} on ${g.host})` : ""} [Stages page, Failed Tasks]`,
            ),
          ...missingGroups(app.failures.ended),
        ],
        advice: first ? failureAdvice(first.kind).map((text) => ({ layer: "layout" as const, text })) : [],
      },
    ];
  },
});
