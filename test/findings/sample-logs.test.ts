import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { analyzeLog } from "../../src/analyze-log.ts";

const folder = new URL("../../sample-logs/", import.meta.url);
const expected = JSON.parse(readFileSync(new URL("expected.json", folder), "utf8")) as Record<
  string,
  { verdict: string; planted: string }
>;
const logs = Object.entries(expected).filter(([name]) => existsSync(new URL(name, folder)));

test.each(logs)(
  "%s gets the verdict of what was planted",
  { timeout: 60_000 },
  async (name, { verdict, planted }) => {
    const report = await analyzeLog(new URL(name, folder).pathname);
    expect(report.verdict.cause, `${planted}; ${report.verdict.title}`).toBe(verdict);
    const { wallClock } = report;
    if (!wallClock) throw new Error("no wall clock");
    const { totalMs, judgedMs: _judged, interactive: _shell, ...parts } = wallClock;
    expect(Object.values(parts).reduce((a, b) => a + b, 0)).toBeCloseTo(totalMs, 3);
  },
);
