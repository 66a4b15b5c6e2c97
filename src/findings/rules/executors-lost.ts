import { formatCount } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import type { App } from "../app.ts";
import type { ExecutorFact } from "../facts.ts";
import { describeLoss, lostExecutors } from "../removals.ts";
import { defineRule } from "./rule.ts";

export const executorsLost = defineRule({
  rule: "executors-lost",
  about:
    "Executors went away without being asked to. Listed whatever the verdict: it costs retries and is likely to happen again.",
  check: "Executors page > Dead; Stages page: Failed Tasks with ExecutorLostFailure.",
  limits: ["lossBeforeEndMs"],

  evaluate(app) {
    const lost = lostExecutors(
      app.facts,
      app.wall?.endMs ?? Number.POSITIVE_INFINITY,
      app.limits.lossBeforeEndMs,
    );
    if (lost.length === 0) return [];
    const lastAdded = app.facts.executors.reduce((last, e) => Math.max(last, e.added_time_ms ?? 0), 0);
    const replaced = lost.filter((e) => lastAdded > (e.removed_time_ms ?? 0));
    return [
      {
        title: `${formatCount(lost.length)} executor${lost.length === 1 ? " was" : "s were"} lost${replaced.length > 0 ? `, ${formatCount(replaced.length)} replaced later` : ""}`,
        evidence: lost
          .slice(0, 10)
          .map((e) => `${describeLoss(e)}; ${tasksLost(app, e)} [Executors page, Dead]`),
        advice: [
          {
            layer: "configuration",
            text: "Read the log of the executor or its container for the minute before it went; the event log holds no more than the reason above.",
          },
        ],
      },
    ];
  },
});

/** Attempts that failed with it, and in which stages. */
function tasksLost(app: App, e: ExecutorFact): string {
  const lost = app.failures.lostWith.get(e.executor_id);
  return lost === undefined
    ? "no task attempt was lost with it"
    : `${formatCount(lost.ends)} task attempts of stage ${[...lost.stages].join(", ")} were lost with it (${formatDuration(lost.ms)})`;
}
