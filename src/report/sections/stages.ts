import { formatBytes } from "../../format/bytes.ts";
import { formatRatio, formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import type { Block } from "../blocks.ts";
import type { StageSummary } from "../report.ts";
import { defineSection } from "./section.ts";

/** Slowest first, by own time: the duration of a stage that waited behind others misleads. */
export const stages = defineSection({
  id: "stages",
  title: "Slowest stages",
  build({ slowestStages: slowest, totals }) {
    if (slowest.length === 0) return [];
    const blocks: Block[] = [
      {
        kind: "table",
        headings: ["Stage", "Duration", "Share", "Tasks", "Median", "Max", "Ratio", "Spill", "Name"],
        align: ["right", "right", "right", "right", "right", "right", "right", "right", "left"],
        shrink: 8,
        rows: slowest.map(row),
        tones: slowest.map((stage) => (stage.status === "failed" ? "bad" : undefined)),
      },
    ];
    if (slowest.some((stage) => stage.lowerBound))
      blocks.push({
        kind: "text",
        tone: "muted",
        text: ">= marks a lower bound: task ends of that stage are missing.",
      });
    const further = totals.stageAttempts - slowest.length;
    if (further > 0)
      blocks.push({
        kind: "text",
        tone: "muted",
        text: `${further} further stage attempts are not shown.`,
      });
    return blocks;
  },
});

function row(stage: StageSummary): string[] {
  const bound = stage.lowerBound ? ">=" : "";
  const spill = Number(stage.memoryBytesSpilled ?? 0);
  return [
    stage.stageAttemptId === 0 ? `${stage.stageId}` : `${stage.stageId}.${stage.stageAttemptId}`,
    stage.durationMs === null ? stage.status : formatDuration(stage.durationMs),
    formatShare(stage.shareOfApplication),
    `${bound}${stage.tasks}${stage.failed + stage.killed > 0 ? ` (${stage.failed + stage.killed} bad)` : ""}`,
    formatDuration(stage.runTimeMs?.p50 ?? null),
    formatDuration(stage.runTimeMs?.max ?? null),
    formatRatio(stage.skewRatio),
    spill > 0 ? `${bound}${formatBytes(spill)}` : "-",
    stage.name ?? "",
  ];
}
