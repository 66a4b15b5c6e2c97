import fc from "fast-check";
import { expect, test } from "vitest";
import { lowerBound, replay, replayAttempts } from "../../src/stats/replay.ts";
import { replayStages } from "../../src/stats/stage-replay.ts";

test("five tasks of 10 s on two slots take three waves", () => {
  expect(replay([10, 10, 10, 10, 10], 2)).toBe(30);
});

test("a long last task sticks out", () => {
  expect(replay([10, 10, 10, 50], 2)).toBe(60);
  expect(lowerBound([10, 10, 10, 50], 2)).toBe(50);
});

test("no tasks take no time, less than one slot is one slot", () => {
  expect(replay([], 4)).toBe(0);
  expect(replay([5, 5], 0.4)).toBe(10);
});

test("a retry waits for the attempt before it, and not only for a slot", () => {
  expect(replayAttempts([10, 4, 10], [-1, -1, 1], 3)).toBe(14);
  expect(replayAttempts([10, 4, 10], [-1, -1, -1], 3)).toBe(10);
});

const times = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 60 });

test("a replay lies between the lower bound and twice of it (greedy scheduling)", () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 12 }), (runTimes, slots) => {
      const wall = replay(runTimes, slots);
      const least = lowerBound(runTimes, slots);
      expect(wall).toBeGreaterThanOrEqual(least - 1e-9);
      expect(wall).toBeLessThanOrEqual(2 * least + 1e-9);
    }),
  );
});

test("one stage on slots that live throughout replays like the plain replay", () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 12 }), (durationsMs, slots) => {
      const wall = replayStages(
        [{ submittedMs: 0, durationsMs }],
        Array.from({ length: slots }, () => ({ fromMs: 0, untilMs: 1e9 })),
      );
      expect(wall[0]).toBe(replay(durationsMs, slots));
    }),
  );
});

test("a stage submitted later waits for the slots of the earlier one", () => {
  const slots = [{ fromMs: 0, untilMs: 1000 }];
  const stages = [
    { submittedMs: 10, durationsMs: [5] },
    { submittedMs: 0, durationsMs: [20, 20] },
  ];
  expect(replayStages(stages, slots)).toEqual([5, 40]);
});

test("a lost executor runs no more tasks; without any slot there is no answer", () => {
  const half = [
    { fromMs: 0, untilMs: 15 },
    { fromMs: 0, untilMs: 1000 },
  ];
  expect(replayStages([{ submittedMs: 0, durationsMs: [10, 10, 10, 10, 10, 10] }], half)).toEqual([40]);
  expect(replayStages([{ submittedMs: 0, durationsMs: [10, 10] }], [{ fromMs: 0, untilMs: 5 }])).toEqual([
    null,
  ]);
});
