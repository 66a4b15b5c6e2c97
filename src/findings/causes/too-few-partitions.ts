import { formatBytes } from "../../format/bytes.ts";
import { formatCount, formatShare } from "../../format/count.ts";
import type { App } from "../app.ts";
import { type Advice, cannotSay, defineStageCause } from "../finding.ts";
import { memoryModel } from "../memory-model.ts";
import { adaptive, morePartitions, partitionAdvice, partitionSource } from "../partitions.ts";
import { describeSetting } from "../settings.ts";
import { spillOf } from "../spill.ts";
import type { StageView } from "../stage-view.ts";

export const tooFewPartitions = defineStageCause({
  cause: "too-few-partitions",
  about:
    "The tasks of a stage read more shuffle data each than fits their memory: most of them spill, evenly. More and smaller partitions end it; more memory only moves the limit.",
  check:
    "Stages page > the stage > Summary Metrics: Shuffle Read Size of the median task, and Spill columns filled for most tasks.",
  limits: ["partitionLow", "partitionHigh", "spillShare", "uniformSpill", "tasksPerCore"],

  judge(view, app) {
    if (!view.sample) return cannotSay(`the tasks of ${view.label} were not read`);
    const advice = partitionAdvice(view, app);
    if (!advice) return { passed: false, priceMs: null, evidence: [`${view.label} reads no shuffle`] };
    const spill = spillOf(view, app);
    const evidence = [
      `${advice.text} [Stages page: Shuffle Read, Tasks]`,
      ...spill.evidence,
      ...countEvidence(view, app),
    ];
    const passed = spill.uniform && !failsSkew(view, app) && advice.meanBytes > app.limits.partitionLow;
    return { passed, priceMs: null, evidence, confidence: "high" };
  },

  remedy(view, app) {
    const advice = partitionAdvice(view, app);
    const recommended = advice?.recommended ?? 0;
    const model = memoryModel(app);
    const extra: Advice[] = model
      ? [
          {
            layer: "configuration",
            text: `Only then memory. The ${model.text}; the tasks read ${formatBytes(advice?.meanBytes ?? null)} each.`,
          },
        ]
      : [];
    return {
      title: `${view.label.replace("stage", "Stage")} reads ${formatBytes(advice?.meanBytes ?? null)} a partition in ${formatCount(advice?.now ?? null)} partitions: about ${formatCount(recommended)} would fit`,
      advice: [
        ...morePartitions(view, app, recommended),
        {
          layer: "layout",
          text: "Carry fewer columns and aggregate before the exchange, so that less has to fit.",
        },
        ...extra,
      ],
      rejected: [
        {
          advice: "more executor memory first",
          why: "every task is too big alike; halving a partition costs nothing, doubling the heap does",
        },
        { advice: "more executors", why: "the partitions would stay as big as they are" },
      ],
      recommendedPartitions: recommended,
    };
  },
});

function failsSkew(view: StageView, app: App): boolean {
  return (view.tail?.ratio ?? 0) > app.limits.skewFail;
}

/** Configured against effective count. */
function countEvidence(view: StageView, app: App): string[] {
  const source = partitionSource(view);
  if (!source.isSql) return [];
  const id = view.executionId;
  const configured = describeSetting(app.settings.get("spark.sql.shuffle.partitions", id));
  if (source.coalesced && adaptive(app, view)) {
    return [
      `the partitions were merged by adaptive execution from ${formatCount(source.planned)} to ${formatCount(view.fact.number_of_tasks)} (${describeSetting(app.settings.get("spark.sql.adaptive.advisoryPartitionSizeInBytes", id))}), not by spark.sql.shuffle.partitions`,
    ];
  }
  return [`effective: ${formatCount(view.fact.number_of_tasks)} partitions; ${configured}`];
}

/** The same where nothing spills: no time is lost yet, but there is no headroom. */
export function oversizedPartitions(view: StageView, app: App): string | null {
  const advice = partitionAdvice(view, app);
  if (!advice || advice.meanBytes <= app.limits.partitionHigh || failsSkew(view, app)) return null;
  return `${advice.text}; nothing spills (${formatShare(0)} of run time), so more partitions would save no measurable time: no headroom if the data grows`;
}
