import { measure } from "./measure.ts";

const started = performance.now();
const score = await measure(Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 2));
console.log(
  score.applications,
  "apps",
  score.healthy,
  "healthy",
  score.healthyWithFinding,
  "with finding; verdicts",
  score.verdictsRight,
  "/",
  score.faulty,
  ((performance.now() - started) / 1000).toFixed(1),
  "s",
);
for (const c of score.causes)
  console.log(
    c.cause.padEnd(24),
    "pos",
    c.positives,
    "below",
    c.belowThreshold,
    "found",
    c.found,
    "missed",
    c.missed,
    "false",
    c.falseAlarms,
    "P",
    c.precision?.toFixed(2),
    "R",
    c.recall?.toFixed(2),
  );
for (const m of score.mistakes) console.log(m);
