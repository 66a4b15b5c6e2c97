import { formatBytes } from "../../format/bytes.ts";
import { formatDuration } from "../../format/duration.ts";
import { defineStageCause } from "../finding.ts";
import { fewTasks, singlePartitionCause } from "./under-parallelism.ts";

export const singlePartition = defineStageCause({
  cause: "single-partition",
  about:
    "The plan sends all rows to one task: a window without PARTITION BY, a global limit or sort, coalesce(1) or repartition(1). The stage is that one task, whatever the cluster.",
  check:
    "SQL page: Exchange SinglePartition, or Coalesce 1, below the slow part; Stages page: a stage with 1 task.",
  limits: ["underParallel", "overheadMs"],

  judge(view, app) {
    const judged = fewTasks(view, app);
    if (judged.passed !== true) return judged;
    const cause = singlePartitionCause(view);
    if (cause === null) {
      const why =
        view.fact.number_of_tasks === 1
          ? "nothing in its plan asks for a single partition"
          : "it has more than one task";
      return { passed: false, priceMs: 0, evidence: [`${view.label}: ${why}`] };
    }
    return { ...judged, evidence: [...judged.evidence, `its plan holds: ${cause} [SQL page]`] };
  },

  remedy(view) {
    return {
      title: `One task did all of ${view.label}: ${formatBytes((view.fact.shuffle_bytes_read ?? 0) + (view.fact.input_bytes_read ?? 0))} in ${formatDuration(view.ownMs)} behind a single partition`,
      advice: [
        {
          layer: "layout",
          text: "Give the window a PARTITION BY, or compute running totals per partition and add the offsets of the partitions after.",
        },
        {
          layer: "layout",
          text: "Replace coalesce(1) or repartition(1) before a write by several files; merge them afterwards if one is needed.",
        },
        {
          layer: "optimizer",
          text: "For a global order use range partitioning (orderBy without a limit of one partition); for the top n use orderBy with limit, which keeps n rows a task.",
        },
      ],
      rejected: [
        { advice: "more executors", why: "one task runs on one core" },
        {
          advice: "more executor memory",
          why: "it may end the spill, but the rows still pass one by one through one core",
        },
        {
          advice: "spark.sql.shuffle.partitions",
          why: "this exchange has one partition by its meaning, not by that setting",
        },
      ],
    };
  },
});
