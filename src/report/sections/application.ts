import { formatDuration } from "../../format/duration.ts";
import { formatTime } from "../../format/time.ts";
import type { Report } from "../report.ts";
import { defineSection } from "./section.ts";

export const application = defineSection({
  id: "application",
  title: "",
  build({ application, totals }) {
    const id = [
      application.id ?? "unknown id",
      application.attemptId ? `attempt ${application.attemptId}` : null,
    ];
    const engine = [application.sparkVersion ? `Spark ${application.sparkVersion}` : "Spark version unknown"]
      .concat(application.master ?? [])
      .concat(application.deployMode ? `${application.deployMode} mode` : []);
    return [
      {
        kind: "key-values",
        rows: [
          ["Application", `${application.name ?? "(no name in the log)"}, ${id.filter(Boolean).join(", ")}`],
          ["Engine", engine.join(", ")],
          ["Ran", ran(application)],
          [
            "Work",
            `${totals.lowerBound ? "at least " : ""}${totals.jobs} jobs, ${totals.stages} stages (${totals.stageAttempts} attempts, ${totals.skippedStages} skipped), ${totals.taskEnds} task ends (${totals.failedTasks} failed, ${totals.killedTasks} killed), ${totals.sqlExecutions} SQL executions`,
          ],
          ["Cores", cores(application)],
        ],
      },
    ];
  },
});

function ran(application: Report["application"]): string {
  const length = formatDuration(application.durationMs);
  const from = `from ${formatTime(application.startTimeMs)}`;
  return application.complete ? `${length} ${from}` : `at least ${length} ${from} (no end in the log)`;
}

function cores({ cores, coreHours }: Report["application"]): string {
  if (cores.peak === null) return "unknown: the log names no executor";
  const hours = coreHours === null ? "unknown" : coreHours.toFixed(coreHours < 10 ? 2 : 0);
  return `${cores.peak} at most, ${cores.atEnd} at the end; ${hours} core-hours`;
}
