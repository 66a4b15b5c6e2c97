import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { summarizeFailures } from "../../src/findings/failures.ts";

test("the tail of a million tasks is judged without an object a task", () => {
  const child = join(import.meta.dirname, "large-stage-child.ts");
  const told = execFileSync(process.execPath, ["--import", "tsx", child], { encoding: "utf8" });
  const { kind, outliers, peakMb } = JSON.parse(told);
  expect({ kind, outliers }).toEqual({ kind: "skew", outliers: 333_334 });
  // 126 where it was written; 299 with an object a task in one function.
  expect(peakMb).toBeLessThan(160);
}, 30_000);

test("of very many texts of failures the frequent ones are counted exactly, and the report can say so", () => {
  const rows = 60_000;
  const letters = (n: number): string =>
    [...n.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join("");
  const failure = (message: string, ends: number) => ({
    stage_id: 1,
    stage_attempt_id: 0,
    reason: "ExceptionFailure",
    counted_as: "failed",
    class_name: "E",
    message,
    host: "a",
    executor_id: "1",
    ends,
    duration_sum_ms: 10 * ends,
  });
  const failures = {
    *[Symbol.iterator]() {
      for (let n = 0; n < rows; n++) {
        yield failure(letters(n), 1);
        if (n % 20 === 0) yield failure("disk full", 1);
      }
    },
  };
  const { failed } = summarizeFailures(failures);
  expect(failed.groups[0]).toMatchObject({ text: "E: disk full", ends: rows / 20, durationMs: rows / 2 });
  expect(failed.groups.length).toBeLessThanOrEqual(5000);
  expect([failed.ends, failed.durationMs]).toEqual([rows * 1.05, rows * 10.5]);
  expect(failed.leastShare).toBeGreaterThan(0);
  expect(failed.leastShare).toBeLessThan(0.001);
});
