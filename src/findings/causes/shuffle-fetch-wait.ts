import { formatBytes } from "../../format/bytes.ts";
import { formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { ratio } from "../../stats/quantile.ts";
import { lowerBound } from "../../stats/replay.ts";
import type { App } from "../app.ts";
import { cannotSay, defineStageCause } from "../finding.ts";
import { ABNORMAL } from "../removals.ts";
import type { StageView } from "../stage-view.ts";

export const shuffleFetchWait = defineStageCause({
  cause: "shuffle-fetch-wait",
  about:
    "Tasks wait for shuffle blocks to arrive from other executors: a slow or shared network, overloaded disks or shuffle service, or executors that died with their blocks.",
  check:
    "Stages page > the stage > Show Additional Metrics > Shuffle Read Fetch Wait Time, Shuffle Remote Reads.",
  limits: ["fetchWaitShare"],

  judge(view, app) {
    const share = ratio(view.fact.fetch_wait_time_ms, view.fact.executor_run_time_ms);
    if (!view.sample || share === null)
      return (view.fact.shuffle_bytes_read ?? 0) > 0
        ? cannotSay(`${view.label} records no fetch wait`)
        : { passed: false, priceMs: 0, evidence: [`${view.label} reads no shuffle`] };
    const { run } = view.sample;
    const wait = view.sample.column("fetch_wait_time_ms");
    const without = lowerBound(run, view.slots, (ms, i) => Math.max(0, ms - (wait[i] || 0)));
    return {
      passed: share >= app.limits.fetchWaitShare,
      priceMs: Math.max(0, lowerBound(run, view.slots) - without),
      evidence: [
        `${view.label}: ${formatDuration(view.fact.fetch_wait_time_ms)} of ${formatDuration(view.fact.executor_run_time_ms)} run time is fetch wait, ${formatShare(share)}; ${formatBytes(view.fact.remote_bytes_read)} of ${formatBytes(view.fact.shuffle_bytes_read)} came from other executors [Stages > ${view.label} > Shuffle Read Fetch Wait Time]`,
        ...circumstances(view, app),
      ],
      confidence: "medium",
    };
  },

  remedy: (view, app) => ({
    title: `Tasks of ${view.label} wait ${formatShare(ratio(view.fact.fetch_wait_time_ms, view.fact.executor_run_time_ms))} of their time for shuffle blocks`,
    advice: [
      {
        layer: "layout",
        text: "Move less: filter and aggregate before the exchange, fewer columns, broadcast the small side of a join.",
      },
      {
        layer: "configuration",
        text: "Look at network and local disks of the hosts that serve the blocks in the minutes of this stage.",
      },
      ...(externalShuffle(app)
        ? []
        : [
            {
              layer: "configuration" as const,
              text: "If executors come and go, let the blocks outlive them: external shuffle service, or shuffle tracking with a longer timeout.",
            },
          ]),
    ],
    rejected: [
      { advice: "more executor memory", why: "the tasks wait for the network, not for memory" },
      { advice: "salting", why: "the wait is spread over the tasks" },
    ],
  }),
});

function circumstances(view: StageView, app: App): string[] {
  const cpu = ratio((view.fact.executor_cpu_time_ns ?? 0) / 1e6, view.fact.executor_run_time_ms);
  const lines = [`CPU time is ${formatShare(cpu)} of run time`];
  const until = view.fact.completion_time_ms ?? Number.POSITIVE_INFINITY;
  const dead = app.facts.executors.filter(
    (e) => ABNORMAL.has(e.removal_class ?? "") && e.is_shutdown === 0 && (e.removed_time_ms ?? until) < until,
  );
  if (dead.length > 0)
    lines.push(
      `${dead.length} executor${dead.length === 1 ? "" : "s"} had died before or during it (${dead
        .map((e) => e.executor_id)
        .slice(0, 5)
        .join(", ")})`,
    );
  const service = externalShuffle(app);
  if (service)
    lines.push(
      `${service} is configured: whether it was slow is not in the event log and cannot be proved from it`,
    );
  return lines;
}

/** A shuffle that does not live in the executors; null: none is configured. */
function externalShuffle(app: App): string | null {
  const manager = app.settings.get("spark.shuffle.manager").value ?? "";
  if (/celeborn/i.test(manager)) return "Celeborn";
  if (/uniffle|rss/i.test(manager)) return "a remote shuffle service";
  return app.settings.isTrue("spark.shuffle.service.enabled") ? "the external shuffle service" : null;
}
