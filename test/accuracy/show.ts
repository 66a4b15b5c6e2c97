import { labelledSet } from "./labelled-set.ts";
import { reportOf } from "./measure.ts";

const [seed, wanted] = [Number(process.argv[2]), Number(process.argv[3])];
for (const l of labelledSet(seed, 50)) {
  if (l.app.seed !== wanted) continue;
  const r = await reportOf(l);
  console.log(l.planted, r.verdict.title, r.wallClock);
  for (const s of r.stages)
    console.log(s.stageId, s.ownTimeMs, s.tasks, JSON.stringify(s.runTimeMs), s.failed);
  for (const c of r.causes)
    console.log(c.cause, c.status, c.recoverableMs, c.evidence.join(" ;; ").slice(0, 400));
  break;
}
