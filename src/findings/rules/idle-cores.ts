import { formatShare } from "../../format/count.ts";
import { measureCoreHours } from "../core-hours.ts";
import { defineRule } from "./rule.ts";

const BUSY = 0.4;
/** Below this many core-hours nobody minds. */
const MIN_CORE_HOURS = 0.5;

export const idleCores = defineRule({
  rule: "idle-cores",
  about:
    "Tasks used less than four tenths of the core time that the executors held: the run could do with fewer cores, or with its idle time treated.",
  check: "Executors page: Task Time of all executors against their life time x cores.",
  limits: [],

  evaluate(app) {
    const { allocated, used, usedShare } = measureCoreHours(app);
    if (allocated === null || usedShare === null || usedShare >= BUSY || allocated < MIN_CORE_HOURS)
      return [];
    return [
      {
        title: `Tasks used ${formatShare(usedShare)} of the core time: ${used.toFixed(1)} of ${allocated.toFixed(1)} core-hours`,
        evidence: [
          `${used.toFixed(2)} core-hours of task time in ${allocated.toFixed(2)} core-hours held by executors [Executors page, Task Time]`,
        ],
        advice: [
          {
            layer: "configuration",
            text: "First treat what keeps cores idle (see the verdict); then let executors go while idle (spark.dynamicAllocation.enabled with executorIdleTimeout) or ask for fewer.",
          },
        ],
      },
    ];
  },
});
