import { formatRatio, formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { sumOf } from "../../stats/positions.ts";
import { sum } from "../../stats/quantile.ts";
import { cannotSay, defineStageCause } from "../finding.ts";
import type { StageView } from "../stage-view.ts";
import { outlierEvidence } from "../tail-evidence.ts";

export const stragglers = defineStageCause({
  cause: "stragglers",
  about:
    "Some tasks take much longer than the median without having more data and without sitting on one host: contention, garbage collection, a slow read, or a lost copy that speculation replaced.",
  check:
    "Stages page > the stage > Event Timeline and tasks sorted by Duration: long tasks with usual Input and Shuffle Read Size.",
  limits: ["skewWatch", "outlierMs", "excessOfSkew"],

  judge(view) {
    if (!view.tail) return cannotSay(`no task of ${view.label} was read that ended well`);
    const { kind, priceMs, ratio, dataShare } = view.tail;
    if (kind === "warm-up") {
      return {
        passed: false,
        priceMs: 0,
        evidence: [
          `${view.label}: the long tasks are the first wave of fresh executors (class loading, compilation): warm-up, no fault of the stage`,
        ],
      };
    }
    if (kind !== "stragglers") {
      const why = kind === "none" ? "no task stands far above the median" : `the long tasks are ${kind}`;
      return { passed: false, priceMs: 0, evidence: [`${view.label}: ${why}`] };
    }
    const killed = overtaken(view);
    return {
      passed: true,
      priceMs,
      evidence: [
        `${view.label}: ${formatRatio(ratio)}x between longest and median run time; ${dataShare === null ? "no bytes or records are recorded" : `only ${formatShare(dataShare)} of the excess lies in tasks with twice the usual work`}`,
        ...outlierEvidence(view),
        ...(killed > 0
          ? [
              `${killed} original attempts were killed because their speculative copy won; they count with their time until the kill`,
            ]
          : []),
        ...reasons(view),
      ],
      confidence: dataShare === null ? "low" : "medium",
    };
  },

  remedy(view, app) {
    const tail = view.tail;
    const speculation = app.settings.get("spark.speculation");
    return {
      title: `Stragglers in ${view.label}: ${tail?.outliers.length ?? 0} tasks with usual data ran up to ${formatDuration(tail?.worstMs ?? null)} against a median of ${formatDuration(tail?.medianMs ?? null)}`,
      advice: [
        {
          layer: "configuration",
          text: "Look at the hosts and the minutes of the long tasks for contention: other applications, throttled storage, garbage collection.",
        },
        {
          layer: "configuration",
          text:
            speculation.value === "true"
              ? "spark.speculation is on; a lower spark.speculation.multiplier or quantile starts copies sooner."
              : "spark.speculation=true starts a second copy of tasks far above the median (only for jobs whose writes tolerate it).",
        },
      ],
      rejected: [
        { advice: "salting", why: "the long tasks have no more data than the others" },
        { advice: "more shuffle partitions", why: "the tasks are not too big; a few of them were held up" },
      ],
    };
  },
});

function overtaken(view: StageView): number {
  return view.sample ? sum(view.sample.overtaken) : 0;
}

/** What the long tasks spent their time on, as far as their metrics say. */
function reasons(view: StageView): string[] {
  const { sample, tail } = view;
  if (!sample || !tail) return [];
  const over = (values: ArrayLike<number>): number => sumOf(tail.outliers, (i) => values[i] || 0);
  const run = over(sample.run);
  if (run <= 0) return [];
  const gc = over(sample.column("jvm_gc_time_ms")) / run;
  const fetch = over(sample.column("fetch_wait_time_ms")) / run;
  const cpu = over(sample.column("executor_cpu_time_ns")) / 1e6 / run;
  const lines: string[] = [];
  if (gc >= 0.1)
    lines.push(`they spent ${formatShare(gc)} of their time in garbage collection: memory pressure`);
  if (fetch >= 0.2) lines.push(`they waited ${formatShare(fetch)} of their time for shuffle blocks`);
  lines.push(`CPU time is ${formatShare(cpu)} of their run time`);
  return lines;
}
