import { formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import type { Report } from "../report.ts";
import { defineSection } from "./section.ts";

type Parts = Exclude<Report["wallClock"], null>;

const LABELS: readonly (readonly [keyof Parts, string])[] = [
  ["startupMs", "start-up"],
  ["tasksMs", "tasks worked"],
  ["driverGapMs", "driver alone"],
  ["schedulingWaitMs", "waiting for slots"],
  ["driverCollectMs", "driver collecting"],
  ["pausesMs", "short pauses"],
  ["waitingMs", "waiting by design"],
  ["unknownMs", "not in the log"],
];

/** Where the time went: the parts add up to the whole. */
export const wallClock = defineSection({
  id: "wall-clock",
  title: "Where the time went",
  build({ wallClock, coreHours }) {
    if (!wallClock || wallClock.totalMs <= 0) return [];
    const rows = LABELS.map(([part, label]) => ({ label, ms: Number(wallClock[part]) }))
      .filter(({ ms }) => ms > 0)
      .map(({ label, ms }) => {
        const share = ms / wallClock.totalMs;
        return { label, share, text: `${formatShare(share)}  ${formatDuration(ms)}` };
      });
    const shell = wallClock.interactive
      ? "; an interactive application: between its jobs it waited for its user"
      : "";
    const wasted = [
      ...(coreHours.redone > 0 ? [`${coreHours.redone.toFixed(2)} of them for work done again`] : []),
      ...(coreHours.speculation > 0
        ? [`${coreHours.speculation.toFixed(2)} of them in attempts whose speculative copy or original won`]
        : []),
    ].map((text) => `, ${text}`);
    const used =
      coreHours.usedShare === null
        ? ""
        : `; tasks used ${coreHours.used.toFixed(2)} of ${coreHours.allocated?.toFixed(2)} core-hours (${formatShare(coreHours.usedShare)})${wasted.join("")}`;
    return [
      { kind: "bars", rows },
      { kind: "text", tone: "muted", text: `${formatDuration(wallClock.totalMs)} in all${used}${shell}` },
    ];
  },
});
