import { formatTime } from "../../format/time.ts";
import type { ReportExecutor } from "../report.ts";
import { defineSection } from "./section.ts";

const SHOWN = 20;

export const executors = defineSection({
  id: "executors",
  title: "Executors removed",
  build({ executors, totals }) {
    const lost: ReportExecutor[] = [];
    const others: ReportExecutor[] = [];
    let never = 0;
    for (const executor of executors) {
      if (executor.removalClass === null) continue;
      if (executor.addedMs === null) never++;
      const list = executor.lost ? lost : others;
      if (list.length < SHOWN) list.push(executor);
    }
    const shown = [...lost, ...others].slice(0, SHOWN);
    if (shown.length === 0) return [];
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
        rows: shown.map((executor) => [
          executor.executorId,
          executor.host ?? "unknown",
          formatTime(executor.removedMs),
          executor.removalClass ?? "",
          executor.exitCode === null ? "-" : String(executor.exitCode),
          executor.removalDetail ?? executor.removedReason ?? "",
        ]),
        tones: shown.map((executor) => (executor.lost ? "bad" : undefined)),
      },
    ];
  },
});
