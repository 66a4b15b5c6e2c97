import { formatBytes } from "../../format/bytes.ts";
import { formatCount } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { type Advice, cannotSay, defineStageCause } from "../finding.ts";
import { memoryModel } from "../memory-model.ts";
import { morePartitions, partitionAdvice } from "../partitions.ts";
import { spillOf } from "../spill.ts";
import { tooFewPartitions } from "./too-few-partitions.ts";

export const spill = defineStageCause({
  cause: "spill",
  about:
    "Sort or aggregation buffers of a good part of a stage's tasks outgrew their execution memory and were written to disk and read back.",
  check:
    "Stages page > the stage: Spill (Memory) and Spill (Disk); SQL page: spill size on Sort, HashAggregate or Window.",
  limits: ["spillShare", "spillExtra"],

  judge(view, app) {
    if (!view.sample) return cannotSay(`the tasks of ${view.label} were not read`);
    const found = spillOf(view, app);
    const tooBig = tooFewPartitions.judge(view, app).passed === true;
    const cheap = found.extraMs !== null && found.extraMs < app.limits.spillExtra * view.ownMs;
    const passed = found.share >= app.limits.spillShare && !cheap && !tooBig;
    const evidence = [...found.evidence];
    if (tooBig) evidence.push("all tasks are too big alike: too-few-partitions");
    else if (found.extraMs !== null)
      evidence.push(
        `against its tasks that did not spill, those that did took ${formatDuration(found.extraMs)} of wall clock more for their data`,
      );
    return { passed, priceMs: null, evidence, confidence: "medium" };
  },

  remedy(view, app) {
    const found = spillOf(view, app);
    const advice = partitionAdvice(view, app);
    const model = memoryModel(app);
    const list: Advice[] = [
      {
        layer: "layout",
        text: "Make the rows narrower before the sort or aggregation: only the columns that are used, no nested copies.",
      },
      { layer: "layout", text: "Aggregate partially before the exchange where the operation allows it." },
      ...(advice ? morePartitions(view, app, Math.max(advice.recommended, 2 * advice.now)) : []),
      ...(model ? [{ layer: "configuration" as const, text: `Memory last. The ${model.text}.` }] : []),
    ];
    return {
      title: `${formatCount(found.tasks)} tasks of ${view.label} spilled ${formatBytes(found.memoryBytes)} (${formatBytes(found.diskBytes)} on disk)`,
      advice: list,
      rejected: [{ advice: "caching", why: "cached blocks compete with the execution memory that is short" }],
      ...(advice ? { recommendedPartitions: Math.max(advice.recommended, 2 * advice.now) } : {}),
    };
  },
});
