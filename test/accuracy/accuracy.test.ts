import { expect, test } from "vitest";
import { measure } from "./measure.ts";
import { replayError } from "./replay-error.ts";

test("a small labelled set: no finding above info on healthy runs, nearly all verdicts right", {
  timeout: 120_000,
}, async () => {
  const score = await measure(77, 1);
  expect(score.healthy).toBeGreaterThan(10);
  expect(score.healthyWithFinding, score.mistakes.join("\n")).toBe(0);
  expect(score.verdictsRight / score.faulty, score.mistakes.join("\n")).toBeGreaterThanOrEqual(0.85);
});

test("the replay is within 10 % of the sample logs' stages at the median and 25 % at p90", {
  timeout: 120_000,
}, async () => {
  const replay = await replayError(new URL("../../sample-logs/", import.meta.url).pathname);
  expect(replay.stages.length).toBeGreaterThanOrEqual(20);
  expect(replay.median).toBeLessThanOrEqual(0.1);
  expect(replay.p90).toBeLessThanOrEqual(0.25);
});
