import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { IssueLog } from "../../src/issues.ts";
import { HugeLine } from "../../src/reading/huge-line.ts";
import { readParts } from "../../src/reading/read-parts.ts";
import { memoryLog } from "../helpers/memory-log.ts";

function read(text: string, chunkBytes = 1000) {
  const line = new HugeLine();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) line.push(bytes.subarray(at, at + chunkBytes));
  return line.finish();
}

describe("an event that is read in a stream", () => {
  test("is what JSON.parse gives, wherever it is cut, if nothing in it is large", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 1, max: 40 }),
        (event, size) => {
          const text = JSON.stringify(event);
          const { __proto__: _, ...wanted } = JSON.parse(text);
          expect(read(text, size)).toEqual({ event: wanted, droppedKeys: [] });
        },
      ),
      { seed: 1, numRuns: 500 },
    );
  });

  test("keeps its small fields and names the long text it lost", () => {
    const event = {
      Event: "SQLExecutionStart",
      executionId: 7,
      physicalPlanDescription: "x".repeat(100_000),
      time: 5,
    };
    expect(read(JSON.stringify(event))).toEqual({
      event: { Event: "SQLExecutionStart", executionId: 7, time: 5 },
      droppedKeys: ["physicalPlanDescription"],
    });
  });

  test("is found behind a byte order mark and the NULs of a crashed file system", () => {
    expect(read('\ufeff\0\0 {"a":1}').event).toEqual({ a: 1 });
  });

  test("loses a large plan as a whole, for half a plan would be wrong", () => {
    const node = { nodeName: "Scan", children: [], metrics: [{ name: "rows", accumulatorId: 1 }] };
    const plan = { nodeName: "Union", children: Array.from({ length: 80_000 }, () => node) };
    expect(read(JSON.stringify({ executionId: 7, sparkPlanInfo: plan, time: 5 }), 65_536)).toEqual({
      event: { executionId: 7, time: 5 },
      droppedKeys: ["sparkPlanInfo"],
    });
  });

  test("of a task loses its accumulables and keeps the rest of its info", () => {
    const info = {
      "Task ID": 3,
      Accumulables: Array.from({ length: 400_000 }, (_, ID) => ({ ID })),
      Host: "h",
    };
    expect(read(JSON.stringify({ "Stage ID": 1, "Task Info": info }), 65_536)).toEqual({
      event: { "Stage ID": 1, "Task Info": { "Task ID": 3, Host: "h" } },
      droppedKeys: ["Task Info.Accumulables"],
    });
  });

  test.each([
    ["cut", '{"Event":"X","a":[1,2'],
    ["no JSON", '{"Event":"X",,}'],
    ["nested a million deep", `{"a":${"[".repeat(1_000_000)}`],
    ["a list", "[1]"],
  ])("that is %s gives nothing", (_what, text) => {
    expect(read(text, 65_536).event).toBeUndefined();
  });
});

test("a line above 16 MiB between others is handed on as one that was read in a stream", async () => {
  const seen: unknown[] = [];
  const text = `{"a":1}\n{"big":"${"x".repeat(17 * 2 ** 20)}","b":2}\n{"c":3}\n`;
  await readParts(
    memoryLog([Buffer.from(text)], 1 << 20).parts,
    {
      line: (buffer, start, end, { line }) => seen.push([line, buffer.toString("utf8", start, end)]),
      hugeLine: (event, droppedKeys, bytes, { line, byteOffset }) =>
        seen.push([line, event, droppedKeys, bytes, byteOffset]),
    },
    new IssueLog(),
  );
  expect(seen).toEqual([
    [1, '{"a":1}'],
    [2, { b: 2 }, ["big"], 17 * 2 ** 20 + 16, 8],
    [3, '{"c":3}'],
  ]);
});
