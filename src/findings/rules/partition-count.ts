import { formatCount } from "../../format/count.ts";
import { morePartitions, partitionAdvice } from "../partitions.ts";
import { defineRule } from "./rule.ts";

export const partitionCount = defineRule({
  rule: "partition-count",
  about:
    "The number of shuffle partitions that a stage's bytes and the cluster's cores ask for: the larger of bytes / 128 MiB and 3 per core. Each stage has its own; a stage below the core floor alone loses little.",
  check: "Stages page: Shuffle Read and Tasks of the stage; Executors page: Cores.",
  limits: ["partitionLow", "partitionHigh", "tasksPerCore", "stageShare"],

  evaluate(app, rulings) {
    return rulings.views.flatMap((view) => {
      const advice = view.ownMs >= app.limits.stageShare * app.windowMs ? partitionAdvice(view, app) : null;
      if (
        !advice ||
        advice.now >= advice.byCores[0] ||
        (view.fact.shuffle_bytes_read ?? 0) < app.limits.partitionLow
      )
        return [];
      if (rulings.stages.some((r) => r.view === view && r.holds)) return [];
      return [
        {
          title: `${view.label.replace("stage", "Stage")} has ${formatCount(advice.now)} partitions, ${advice.waves.toFixed(1)} a slot: ${formatCount(advice.recommended)} would leave headroom`,
          stageId: view.fact.stage_id,
          stageAttemptId: view.fact.stage_attempt_id,
          executionId: view.executionId,
          evidence: [`${advice.text} [Stages page]`],
          advice: morePartitions(view, app, advice.recommended),
          recommendedPartitions: advice.recommended,
        },
      ];
    });
  },
});
