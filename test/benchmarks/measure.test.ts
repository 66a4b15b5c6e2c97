import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run, runPairs, spread } from "../../benchmarks/measure.ts";

test("the median of an even number of ratios lies between the two in the middle", () => {
  expect(spread([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 });
  expect(spread([5, 1, 3])).toEqual({ median: 3, min: 1, max: 5 });
});

test("a command that fails ends the benchmark with its output", () => {
  expect(() => run("echo no such log >&2; exit 3")).toThrow("no such log");
});

test("two commands take turns and are compared pair by pair", () => {
  const folder = mkdtempSync(join(tmpdir(), "sparklog-measure-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "turns");
  const { ours, peer, wall } = runPairs(`printf o >> "${file}"`, `printf p >> "${file}"`, 3);
  expect(readFileSync(file, "utf8")).toBe("popopo");
  const ratios = ours.map((one, at) => one.wallSeconds / (peer[at]?.wallSeconds ?? Number.NaN));
  expect(wall).toEqual(spread(ratios));
});
