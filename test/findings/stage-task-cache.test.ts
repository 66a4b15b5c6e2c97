import { expect, test } from "vitest";
import { StageTaskCache } from "../../src/findings/stage-task-cache.ts";
import { stageTasks } from "./facts-builder.ts";

const STAGES = [0, 1, 2].map((id) => ({ stage_id: id, stage_attempt_id: 0 }));

test("tasks are read when they are asked for, kept while they fit, and read anew after", () => {
  const loads: number[] = [];
  const cache = new StageTaskCache(
    STAGES,
    (id) => {
      loads.push(id);
      return id === 2 ? null : stageTasks([{ run: id + 1 }, { run: 10 }]);
    },
    4,
  );
  expect(cache.has("1.0")).toBe(true);
  expect(cache.has("7.0")).toBe(false);
  expect(loads).toEqual([]);
  const first = cache.get("0.0");
  expect(cache.get("1.0")?.columns.executor_run_time_ms[0]).toBe(2);
  expect(cache.get("0.0")).toBe(first);
  expect(loads).toEqual([0, 1]);
  expect(cache.get("2.0")).toBeUndefined();
  expect(cache.get("7.0")).toBeUndefined();
  const tight = new StageTaskCache(STAGES, (id) => stageTasks([{ run: id }, { run: id }, { run: id }]), 4);
  const held = tight.get("0.0");
  tight.get("1.0");
  expect(tight.get("0.0")).not.toBe(held);
  expect(tight.get("0.0")?.columns).toEqual(held?.columns);
});
