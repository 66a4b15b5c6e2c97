import { formatRatio, formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { cannotSay, defineStageCause } from "../finding.ts";
import { outlierEvidence } from "../tail-evidence.ts";

export const slowNode = defineStageCause({
  cause: "slow-node",
  about:
    "Nearly all tasks of one host take longer than nearly all tasks of the others, on the same amount of data, and the run waits for them: the node is slow (failing disk, noisy neighbour, throttled CPU), not the data.",
  check:
    "Stages page > the stage > tasks sorted by Duration: the same host in every row on top; Aggregated Metrics by Executor.",
  limits: ["skewWatch", "outlierMs", "excessOfHost", "slowHost", "slowHostTasks", "hostTasks"],

  judge(view) {
    if (!view.tail) return cannotSay(`no task of ${view.label} was read that ended well`);
    const { kind, priceMs, host, hostShare, ratio } = view.tail;
    if (kind !== "slow-node") {
      const why =
        ratio === null || kind === "none"
          ? "no task stands far above the median, and no host above the others"
          : `the long tasks are ${kind}; ${formatShare(hostShare)} of their excess lies on ${host || "no host"}`;
      return { passed: false, priceMs: 0, evidence: [`${view.label}: ${why}`] };
    }
    return {
      passed: true,
      priceMs,
      evidence: [
        `${view.label}: ${formatShare(hostShare)} of the excess over the median lies on host ${host}, with usual bytes and records; ratio ${formatRatio(ratio)} [Stages > ${view.label} > tasks by Duration]`,
        ...outlierEvidence(view),
      ],
      confidence: "high",
    };
  },

  remedy(view, app) {
    const host = view.tail?.host ?? "the host";
    const speculation = app.settings.isTrue("spark.speculation");
    return {
      title: `Host ${host} is slow: its tasks in ${view.label} ran up to ${formatDuration(view.tail?.worstMs ?? null)} against a median of ${formatDuration(view.tail?.medianMs ?? null)}`,
      advice: [
        {
          layer: "configuration",
          text: `Look at host ${host} (disk, CPU throttling, neighbours) and take it out of the pool.`,
        },
        {
          layer: "configuration",
          text: speculation
            ? "spark.speculation is on already; spark.speculation.quantile and .multiplier decide how soon copies start."
            : "Until then spark.speculation=true starts copies of slow tasks on other hosts (only for jobs whose writes tolerate it).",
        },
      ],
      rejected: [
        { advice: "salting or repartitioning", why: "the slow tasks have no more data than the others" },
        {
          advice: "more executor memory",
          why: "the other hosts do the same work with the same memory in time",
        },
      ],
    };
  },
});
