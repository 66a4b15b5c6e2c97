import { formatCount, formatShare } from "../../format/count.ts";
import { countWhere } from "../../stats/quantile.ts";
import { defineRule } from "./rule.ts";

const RACK_LOCAL = 3;

export const farReads = defineRule({
  rule: "far-reads",
  about:
    "Most tasks of a stage that reads storage ran far from their data (RACK_LOCAL or ANY), although some ran near it: the near executors were busy or missing.",
  check: "Stages page > the stage > tasks, column Locality Level.",
  limits: ["farReads", "stageShare"],

  evaluate(app, rulings) {
    return rulings.views.flatMap((view) => {
      if ((view.fact.input_bytes_read ?? 0) === 0 || view.ownMs < app.limits.stageShare * app.windowMs)
        return [];
      const locality = view.sample?.column("locality");
      if (!locality) return [];
      const far = countWhere(locality, (level) => level >= RACK_LOCAL);
      const near = countWhere(locality, (level) => level < 2);
      const share = far / Math.max(1, locality.length);
      if (share < app.limits.farReads || near === 0) return [];
      return [
        {
          title: `${formatShare(share)} of the tasks of ${view.label} read far from their data`,
          stageId: view.fact.stage_id,
          stageAttemptId: view.fact.stage_attempt_id,
          executionId: view.executionId,
          evidence: [
            `${formatCount(far)} of ${formatCount(locality.length)} tasks ran at RACK_LOCAL or ANY, ${formatCount(near)} at PROCESS_LOCAL or NODE_LOCAL [Stages > ${view.label} > Locality Level]`,
          ],
          advice: [
            {
              layer: "configuration",
              text: `Spread executors over the nodes that hold the data, or set spark.locality.wait lower if tasks wait long for near slots. Now: ${app.settings.get("spark.locality.wait").value ?? "not in the event log"}.`,
            },
          ],
        },
      ];
    });
  },
});
