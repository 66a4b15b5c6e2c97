import { formatDuration } from "../../format/duration.ts";
import { defineSection } from "./section.ts";

export const sql = defineSection({
  id: "sql",
  title: "SQL executions",
  build({ longestExecutions: longest }) {
    if (longest.length === 0) return [];
    return [
      {
        kind: "table",
        headings: ["Execution", "Status", "Duration", "Exchanges", "Broadcasts", "Description"],
        align: ["right", "left", "right", "right", "right", "left"],
        shrink: 5,
        rows: longest.map((execution) => [
          String(execution.executionId),
          execution.status,
          formatDuration(execution.durationMs),
          String(execution.shuffleExchanges),
          String(execution.broadcastExchanges),
          execution.description ?? "",
        ]),
        tones: longest.map((execution) => (execution.status === "failed" ? "bad" : undefined)),
      },
    ];
  },
});
