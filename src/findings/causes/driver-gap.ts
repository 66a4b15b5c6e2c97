import { idleCause } from "../idle-cause.ts";

export const driverGap = idleCause("driver-gap", {
  about:
    "No task worked and no stage waited for slots: the driver planned queries, listed files, committed output, ran its own code or waited for something outside.",
  check:
    "Jobs page > Event Timeline: empty stretches between jobs or before the first one, with executors present.",
  where: "planning, listing files, commit, code of the driver, or between jobs",
  title: "the driver kept every core idle",
  advice: [
    {
      layer: "layout",
      text: "Look at what the driver does in these stretches: listing many small files or partitions, collecting metadata, committing output by renaming, local loops, calls to other services.",
    },
    {
      layer: "layout",
      text: "Compact small files and prune partitions, so that listing is short; move row-wise driver code into a job; run independent jobs from several threads.",
    },
    {
      layer: "configuration",
      text: "For object stores use a committer that does not rename (mapreduce.fileoutputcommitter.algorithm.version, magic or direct committers).",
    },
  ],
});
