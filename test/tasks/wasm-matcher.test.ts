import { expect, test } from "vitest";
import { PlainMatcher } from "../../src/tasks/layout-matcher.ts";
import { StringTable } from "../../src/tasks/string-table.ts";
import { TaskBatch } from "../../src/tasks/task-batch.ts";
import { TASK_START_LINE } from "../../src/tasks/task-line-layout.ts";
import { TaskLineScanner } from "../../src/tasks/task-line-scanner.ts";
import { WasmMatcher } from "../../src/tasks/wasm-matcher.ts";

const start = (accumulables: string): Buffer =>
  Buffer.from(
    `{"Event":"SparkListenerTaskStart","Stage ID":1,"Stage Attempt ID":0,"Task Info":{"Task ID":7,"Index":3,"Attempt":0,"Launch Time":1500000000000,"Executor ID":"2","Host":"h","Locality":"ANY","Speculative":false,"Getting Result Time":0,"Finish Time":0,"Failed":false,"Killed":false,"Accumulables":[${accumulables}]}}`,
  );

const accumulable = (id: number): string =>
  `{"ID":${id},"Name":"x","Update":"${id * 3}","Value":"1","Internal":true,"Count Failed Values":true,"Metadata":"sql"}`;

test.each([1, 100, 2_000, 60_000])(
  "a line of %i accumulables gives them all, however long it is",
  (count) => {
    const line = start(Array.from({ length: count }, (_, id) => accumulable(id)).join());
    for (const matcher of [new WasmMatcher(), new PlainMatcher()]) {
      const scanner = new TaskLineScanner(TASK_START_LINE, new StringTable(), matcher);
      const batch = new TaskBatch();
      batch.clear();
      for (let round = 0; round < 2; round++) expect(scanner.read(line, 0, line.length, batch)).toBe(true);
      expect(batch.accumulatorStart[2]).toBe(2 * count);
      expect([...batch.accumulatorUpdates.subarray(0, count)]).toEqual(
        Array.from({ length: count }, (_, id) => id * 3),
      );
    }
  },
);

test("a line of more than 16 MiB is left to the JSON parser", () => {
  const scanner = new TaskLineScanner(TASK_START_LINE, new StringTable(), new WasmMatcher());
  const batch = new TaskBatch();
  batch.clear();
  const line = start(accumulable(1).replace('"x"', `"${"x".repeat(17 * 1024 ** 2)}"`));
  expect(scanner.read(line, 0, line.length, batch)).toBe(false);
  const usual = start("");
  expect(scanner.read(usual, 0, usual.length, batch)).toBe(true);
});

test("layouts without number find room in the module's memory", () => {
  const scanner = new TaskLineScanner(TASK_START_LINE, new StringTable(), new WasmMatcher());
  const batch = new TaskBatch();
  batch.clear();
  let scanned = 0;
  for (let count = 0; count < 3_000; count++) {
    const line = Buffer.from(
      start("")
        .toString()
        .replace('"Host"', `"Extra ${"x".repeat(9_000)}${count >> 6}":1,"Host"`),
    );
    if (!scanner.read(line, 0, line.length, batch)) continue;
    scanned++;
    expect(batch.column("task_index")[batch.rows - 1]).toBe(3);
    batch.clear();
  }
  expect(scanned).toBeGreaterThan(1_000);
});
