import { defineSection } from "./section.ts";

/** Causes with the evidence against them, and those nobody can tell from this log. */
export const ruledOut = defineSection({
  id: "ruled-out",
  title: "Causes ruled out, or not to be told from this log",
  build({ causes }) {
    const others = causes.filter((cause) => cause.status !== "in");
    if (others.length === 0) return [];
    return [
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
