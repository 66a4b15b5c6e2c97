import { replayError } from "./replay-error.ts";

const e = await replayError(process.argv[2] ?? "sample-logs");
for (const s of e.stages)
  console.log(s.log, s.stage, s.tasks, s.slots, s.measuredMs, Math.round(s.replayedMs), s.error.toFixed(3));
console.log(e.stages.length, e.median, e.p90);
