import { formatCount } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import type { App } from "../app.ts";
import type { ExecutorFact } from "../facts.ts";
import { type AppJudgement, defineAppCause } from "../finding.ts";
import { describeLoss, lostExecutors } from "../removals.ts";
import { redoneWork } from "./retry-churn.ts";

export const executorLoss = defineAppCause({
  cause: "executor-loss",
  about:
    "Executors were lost (out of memory, no heartbeat, node gone) and the run went on with fewer cores. Work that had to be repeated is retry-churn; this is the time in which cores were missing.",
  check: "Executors page > Dead executors; Jobs page > Event Timeline, executors removed.",
  limits: ["lossBeforeEndMs", "priceOfApplication", "priceMs"],

  judge(app): AppJudgement {
    const lost = lostExecutors(
      app.facts,
      app.wall?.endMs ?? Number.POSITIVE_INFINITY,
      app.limits.lossBeforeEndMs,
    );
    if (lost.length === 0)
      return {
        passed: false,
        priceMs: 0,
        evidence: ["no executor was lost before the last seconds of the application [Executors page, Dead]"],
      };
    const redone = redoneWork(app).priceMs;
    const gate = Math.max(app.limits.priceMs, app.limits.priceOfApplication * app.windowMs);
    const priceMs = missingCores(app);
    const evidence = [
      `${formatCount(lost.length)} executors were lost: ${lost.slice(0, 4).map(describeLoss).join("; ")} [Executors page, Dead]`,
      `cores missing after the losses cost ${formatDuration(priceMs)} of wall clock`,
    ];
    if (redone >= gate) evidence.push("the work done again weighs more: retry-churn");
    return { passed: redone < gate, priceMs, evidence, confidence: "medium" };
  },

  remedy(app) {
    const lost = lostExecutors(
      app.facts,
      app.wall?.endMs ?? Number.POSITIVE_INFINITY,
      app.limits.lossBeforeEndMs,
    );
    const memory = lost.some((e) => e.removal_class === "out-of-memory");
    return {
      title: `${formatCount(lost.length)} executors were lost and their cores were missing afterwards`,
      advice: [
        {
          layer: "configuration",
          text: memory
            ? "Some died of memory: for kills by the container raise spark.executor.memoryOverhead, for OutOfMemoryError first see what the tasks hold."
            : "Find in the cluster manager's log why the executors went: node, network, disk, or a kill.",
        },
        {
          layer: "configuration",
          text: "Have lost executors replaced: dynamic allocation with a sufficient maximum, or a larger spark.executor.instances.",
        },
      ],
      rejected: [{ advice: "tuning the stages", why: "they lost cores, not efficiency" }],
    };
  },
});

/** Own time that the stages after a loss would have saved with the lost slots still there. */
function missingCores(app: App): number {
  const lost = lostExecutors(
    app.facts,
    app.wall?.endMs ?? Number.POSITIVE_INFINITY,
    app.limits.lossBeforeEndMs,
  );
  const firstLoss = lost[0]?.removed_time_ms ?? null;
  if (firstLoss === null) return 0;
  const goneBefore = slotsGone(app, lost);
  return app.facts.stages.reduce((sum, stage) => {
    const end = stage.last_task_finished_time_ms ?? stage.completion_time_ms;
    if (end === null || end < firstLoss || !stage.own_time_ms) return sum;
    const slots = app.slotsDuring(stage);
    const full = Math.min(app.peakSlots(stage.resource_profile_id, end), slots + goneBefore(end));
    return full > slots ? sum + stage.own_time_ms * (1 - slots / full) : sum;
  }, 0);
}

/** Slots of the executors that were lost before a time. */
function slotsGone(app: App, lost: readonly ExecutorFact[]): (timeMs: number) => number {
  const known = lost.filter((e) => e.removed_time_ms !== null);
  const sums = [0];
  for (const e of known) sums.push((sums.at(-1) ?? 0) + app.slotsOf(e.executor_id));
  return (timeMs) => {
    let [low, high] = [0, known.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((known[middle]?.removed_time_ms ?? timeMs) < timeMs) low = middle + 1;
      else high = middle;
    }
    return sums[low] ?? 0;
  };
}
