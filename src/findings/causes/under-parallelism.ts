import { formatCount } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { max, sum } from "../../stats/quantile.ts";
import { lowerBound } from "../../stats/replay.ts";
import type { App } from "../app.ts";
import { cannotSay, defineStageCause, type Judgement } from "../finding.ts";
import { morePartitions, partitionAdvice } from "../partitions.ts";
import type { StageView } from "../stage-view.ts";

export const underParallelism = defineStageCause({
  cause: "under-parallelism",
  about:
    "A stage has clearly fewer tasks than there are slots to run them: the other cores stand idle, and adding executors changes nothing.",
  check: "Stages page: Tasks (Succeeded/Total) of the stage against Cores on the Executors page.",
  limits: ["underParallel", "overheadMs"],

  judge(view, app) {
    const judged = fewTasks(view, app);
    return judged.passed && singlePartitionCause(view) !== null
      ? {
          passed: false,
          priceMs: 0,
          evidence: [...judged.evidence, "the single task has its cause in the plan: single-partition"],
        }
      : judged;
  },

  remedy(view, app) {
    const tasks = view.fact.number_of_tasks ?? 0;
    const slots = Math.round(view.slots);
    const advice = partitionAdvice(view, app);
    return {
      title: `${capital(view.label)} ran ${formatCount(tasks)} task${tasks === 1 ? "" : "s"} on ${formatCount(slots)} slots for ${formatDuration(view.ownMs)}`,
      advice: advice
        ? morePartitions(view, app, advice.recommended)
        : [
            {
              layer: "layout",
              text: `Cut the input of ${view.label} into at least ${formatCount(2 * slots)} pieces: more or splittable files, a smaller spark.sql.files.maxPartitionBytes, numPartitions for JDBC reads and parallelize, or a repartition right after the scan.`,
            },
          ],
      rejected: [
        {
          advice: "more executors",
          why: "the number of tasks caps the parallelism; more cores would stand idle as well",
        },
        { advice: "salting", why: "the tasks are few, not uneven" },
      ],
      ...(advice ? { recommendedPartitions: advice.recommended } : {}),
    };
  },
});

const ONE_PARTITION = new Set(["GlobalLimit", "CollectLimit"]);

/** Why a stage can only have one task; null: nothing in its plan says so. */
export function singlePartitionCause(view: StageView): string | null {
  if ((view.fact.number_of_tasks ?? 0) !== 1) return null;
  const found = view.plan.find(
    (o) =>
      /SinglePartition|RoundRobinPartitioning\(1\)/.test(o.simple_string) ||
      (o.kind === "Coalesce" && /Coalesce 1$/.test(o.simple_string)) ||
      ONE_PARTITION.has(o.kind) ||
      (o.kind === "Window" && isUnpartitioned(o.simple_string)),
  );
  return found ? found.simple_string.slice(0, 160) : null;
}

/** "Window [functions], [partition keys], [order]": without keys one list is missing. */
function isUnpartitioned(simpleString: string): boolean {
  return (simpleString.match(/\], \[/g)?.length ?? 0) < 2;
}

export function fewTasks(view: StageView, app: App): Judgement {
  const tasks = view.fact.number_of_tasks;
  if (!tasks || !view.sample || view.sample.count === 0)
    return cannotSay(`the tasks of ${view.label} were not read`);
  const slots = view.slots;
  const passed = tasks <= slots * app.limits.underParallel;
  const run = view.sample.run;
  const best = Math.max(sum(run) / slots, Math.min(app.limits.overheadMs, max(run)));
  return {
    passed,
    priceMs: passed ? Math.max(0, lowerBound(run, slots) - best) : 0,
    evidence: [
      `${view.label}: ${formatCount(tasks)} task${tasks === 1 ? "" : "s"} for ${formatCount(slots)} slots, ${formatCount(Math.max(0, slots - tasks))} of them idle [Stages page, Tasks; Executors page, Cores]`,
    ],
    confidence: "high",
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
