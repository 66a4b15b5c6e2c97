import { formatCount, formatShare } from "../../format/count.ts";
import type { Block } from "../blocks.ts";
import type { Report } from "../report.ts";
import { defineSection } from "./section.ts";

/** Causes with the evidence against them, and those nobody can tell from this log. */
export const ruledOut = defineSection({
  id: "ruled-out",
  title: "Causes ruled out, or not to be told from this log",
  build({ causes, judged }) {
    const others = causes.filter((cause) => cause.status !== "in");
    if (others.length === 0) return [];
    return [
      ...notJudged(judged),
      {
        kind: "table",
        headings: ["Cause", "Ruled", "Evidence"],
        align: ["left", "left", "left"],
        shrink: 2,
        wrap: true,
        rows: others.map((cause) => [cause.cause, cause.status, cause.evidence.join("; ")]),
      },
    ];
  },
});

/** Very many stages share the wall clock: then not all of them are gone into. */
function notJudged({ stages, notJudged, ownTimeShare }: Report["judged"]): Block[] {
  if (notJudged === 0) return [];
  const text = `Causes in stages were looked for in the ${formatCount(stages)} stage attempts with most own time, ${formatShare(ownTimeShare)} of all stages' own time; ${formatCount(notJudged)} shorter ones were not gone into.`;
  return [{ kind: "text", tone: "warn", text }];
}
