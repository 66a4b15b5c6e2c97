import { formatTime } from "../../format/time.ts";
import { defineSection } from "./section.ts";

const SHOWN = 20;

export const executors = defineSection({
  id: "executors",
  title: "Executors removed",
  build({ executors, totals }) {
    const removed = executors.filter((executor) => executor.removalClass !== null);
    if (removed.length === 0) return [];
    const never = removed.filter((executor) => executor.addedMs === null).length;
    const lostFirst = removed.toSorted((a, b) => Number(b.lost) - Number(a.lost));
    return [
      {
        kind: "text",
        text: `${totals.executorsRemoved} removed, ${totals.executorsLost} of them lost; ${totals.executorsAdded} were added${never > 0 ? ` and ${never} failed before they registered` : ""}.`,
      },
      {
        kind: "table",
        headings: ["Executor", "Host", "Removed", "Class", "Exit", "Why"],
        align: ["left", "left", "left", "left", "right", "left"],
        shrink: 5,
        wrap: true,
        rows: lostFirst
          .slice(0, SHOWN)
          .map((executor) => [
            executor.executorId,
            executor.host ?? "unknown",
            formatTime(executor.removedMs),
            executor.removalClass ?? "",
            executor.exitCode === null ? "-" : String(executor.exitCode),
            executor.removalDetail ?? executor.removedReason ?? "",
          ]),
        tones: lostFirst.slice(0, SHOWN).map((executor) => (executor.lost ? "bad" : undefined)),
      },
    ];
  },
});
