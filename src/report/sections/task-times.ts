import { formatCount } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { defineSection } from "./section.ts";

/** The stage that the checks look at: how many tasks ran how long. One long task among thousands stays visible. */
export const taskTimes = defineSection({
  id: "task-times",
  title: "Run times of the tasks of the stage that decides",
  build({ taskTimes }) {
    if (!taskTimes || taskTimes.bins.length < 2) return [];
    const most = taskTimes.bins.reduce((max, bin) => Math.max(max, bin.count), 1);
    return [
      {
        kind: "bars",
        rows: taskTimes.bins.map((bin) => ({
          label: `${formatDuration(bin.from)} to ${formatDuration(bin.to)}`,
          // A single task must not vanish beside a thousand.
          share: bin.count === 0 ? 0 : Math.max(0.01, bin.count / most),
          text: `${formatCount(bin.count)} task${bin.count === 1 ? "" : "s"}`,
        })),
      },
      {
        kind: "text",
        tone: "muted",
        text: `stage ${taskTimes.stageId}, successful tasks, Executor Run Time`,
      },
    ];
  },
});
