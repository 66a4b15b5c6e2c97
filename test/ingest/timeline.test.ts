import fc from "fast-check";
import { expect, test } from "vitest";
import { Timeline, workingEndMs } from "../../src/ingest/timeline.ts";
import { type TASK_COLUMN, TaskBatch } from "../../src/tasks/task-batch.ts";

const T0 = 1_735_689_600_000;

interface Task {
  stage: number;
  attempt?: number;
  launch: number;
  finish: number;
  run?: number;
  gettingResult?: number;
}

function feed(timeline: Timeline, tasks: Task[]): Timeline {
  const batch = new TaskBatch();
  const set = (name: keyof typeof TASK_COLUMN, value: number) => {
    batch.column(name)[batch.rows] = value;
  };
  for (const task of tasks) {
    for (const column of batch.columns) column[batch.rows] = Number.NaN;
    set("stage_id", task.stage);
    set("stage_attempt_id", task.attempt ?? 0);
    set("launch_time_ms", T0 + task.launch);
    set("finish_time_ms", T0 + task.finish);
    set("getting_result_time_ms", task.gettingResult === undefined ? 0 : T0 + task.gettingResult);
    if (task.run !== undefined) set("executor_run_time_ms", task.run);
    batch.endRow();
    if (batch.full) {
      timeline.tasks(batch);
      batch.clear();
    }
  }
  timeline.tasks(batch);
  return timeline;
}

const relative = (gaps: { startMs: number; endMs: number }[]) =>
  gaps.map((g) => [g.startMs - T0, g.endMs - T0]);

test("two stages that run side by side share the time by their working tasks", () => {
  const { ownTimeMs, gaps } = feed(new Timeline(), [
    { stage: 1, launch: 0, finish: 4000 },
    { stage: 2, launch: 0, finish: 8000 },
    { stage: 2, launch: 0, finish: 4000 },
    { stage: 2, launch: 0, finish: 4000 },
  ]).finish();
  expect(ownTimeMs.get("1.0")).toBeCloseTo(1000, 6);
  expect(ownTimeMs.get("2.0")).toBeCloseTo(7000, 6);
  expect(gaps).toEqual([]);
});

test("a stretch of 999 ms without tasks is no gap, one of 1000 ms is", () => {
  const gaps = (pause: number) =>
    relative(
      feed(new Timeline(), [
        { stage: 1, launch: 0, finish: 500 },
        { stage: 1, launch: 500 + pause, finish: 2000 },
      ]).finish().gaps,
    );
  expect(gaps(999)).toEqual([]);
  expect(gaps(1000)).toEqual([[500, 1500]]);
});

test("the time before the first and after the last task is a gap of the application", () => {
  const { gaps } = feed(new Timeline(), [{ stage: 1, launch: 5000, finish: 6000 }]).finish(T0, T0 + 9000);
  expect(relative(gaps)).toEqual([
    [0, 5000],
    [6000, 9000],
  ]);
});

test("an application without any task is one gap", () => {
  expect(relative(new Timeline().finish(T0, T0 + 9000).gaps)).toEqual([[0, 9000]]);
});

test("a task does not work while its result is fetched", () => {
  const { ownTimeMs, gaps } = feed(new Timeline(), [
    { stage: 1, launch: 0, finish: 9000, run: 3900, gettingResult: 4000 },
  ]).finish();
  expect(ownTimeMs.get("1.0")).toBe(4000);
  expect(gaps).toEqual([]);
  expect(workingEndMs(0, 9000, 4000, 0, 3900, 0)).toBe(4000);
});

test("a second or more that the task's own times leave open was waiting, less was not", () => {
  expect(workingEndMs(0, 5000, 0, 100, 3901, 0)).toBe(5000);
  expect(workingEndMs(0, 5000, 0, 100, 3900, 0)).toBe(4000);
  expect(workingEndMs(0, 5000, 0, Number.NaN, Number.NaN, Number.NaN)).toBe(5000);
});

test("attempts of a stage are kept apart", () => {
  const { ownTimeMs } = feed(new Timeline(), [
    { stage: 1, attempt: 0, launch: 0, finish: 100 },
    { stage: 1, attempt: 1, launch: 100, finish: 300 },
  ]).finish();
  expect([...ownTimeMs]).toEqual([
    ["1.0", 100],
    ["1.1", 200],
  ]);
});

test("tasks with a clock that was never set are left out", () => {
  const { ownTimeMs, gaps } = feed(new Timeline(), [
    { stage: 1, launch: -T0, finish: 100 },
    { stage: 1, launch: 0, finish: -5 },
    { stage: 1, launch: 0, finish: 100 },
  ]).finish();
  expect([...ownTimeMs]).toEqual([["1.0", 100]]);
  expect(gaps).toEqual([]);
});

const anyTask = fc.record({
  stage: fc.integer({ min: 0, max: 4 }),
  launch: fc.integer({ min: 0, max: 20_000 }),
  length: fc.integer({ min: 0, max: 5000 }),
});

/** The definition, millisecond by millisecond. */
function slowOwnTimes(tasks: Task[]): Map<string, number> {
  const own = new Map(tasks.map((task) => [`${task.stage}.0`, 0]));
  for (let t = 0; t < 25_000; t++) {
    const working = tasks.filter((task) => task.launch <= t && t < task.finish);
    for (const task of working) {
      own.set(`${task.stage}.0`, (own.get(`${task.stage}.0`) ?? 0) + 1 / working.length);
    }
  }
  return own;
}

test("own times and gaps are those of the definition, in memory and sorted on disk", () => {
  fc.assert(
    fc.property(fc.array(anyTask, { maxLength: 30 }), (drawn) => {
      const tasks = drawn.map((t) => ({ stage: t.stage, launch: t.launch, finish: t.launch + t.length }));
      const inMemory = feed(new Timeline(), tasks).finish(T0, T0 + 25_000);
      const onDisk = feed(new Timeline(7), tasks).finish(T0, T0 + 25_000);
      const wanted = slowOwnTimes(tasks);
      for (const [key, own] of inMemory.ownTimeMs) expect(own).toBeCloseTo(wanted.get(key) ?? 0, 5);
      expect(onDisk.gaps).toEqual(inMemory.gaps);
      for (const [key, own] of onDisk.ownTimeMs)
        expect(own).toBeCloseTo(inMemory.ownTimeMs.get(key) ?? -1, 5);
      const busy = [...inMemory.ownTimeMs.values()].reduce((a, b) => a + b, 0);
      const idle = inMemory.gaps.reduce((sum, gap) => sum + gap.endMs - gap.startMs, 0);
      expect(busy + idle).toBeLessThanOrEqual(25_000 + 1e-6);
    }),
    { numRuns: 40 },
  );
});

test("265,000 tasks are swept in well under a second", () => {
  const tasks = Array.from({ length: 265_000 }, (_, i) => ({
    stage: i % 300,
    launch: i,
    finish: i + 3000 + (i % 977),
  }));
  const timeline = feed(new Timeline(), tasks);
  const started = performance.now();
  const { ownTimeMs } = timeline.finish();
  const elapsed = performance.now() - started;
  expect(ownTimeMs.size).toBe(300);
  expect(elapsed).toBeLessThan(1000);
  console.log(`sweep of 265,000 tasks: ${elapsed.toFixed(0)} ms`);
});
