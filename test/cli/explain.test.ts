import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../helpers/ingested.ts";

const BIN = new URL("../../bin/sparklog.js", import.meta.url).pathname;
const LOG = new URL("../../sample-logs/hot-join-key.zstd", import.meta.url).pathname;

function sparklog(...args: string[]) {
  const run = spawnSync(process.execPath, [BIN, ...args], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  return { exit: run.status, out: run.stdout, err: run.stderr };
}

function configFile(text: string): string {
  const path = join(scratchFolder(), "sparklog.json");
  writeFileSync(path, text);
  return path;
}

test("explain lists every rule, and tells one with its limits and where to look", () => {
  expect(sparklog("explain").out).toMatch(/^skew +A few tasks of a stage/m);
  const { exit, out } = sparklog("explain", "skew");
  expect(exit).toBe(0);
  expect(out).toContain("Check it in the Spark UI: Stages page");
  expect(out).toContain("skewFail = 5x");
});

test("a rule that does not exist exits with 2 and a hint", () => {
  expect(sparklog("explain", "skwe")).toMatchObject({
    exit: 2,
    err: expect.stringContaining("sparklog explain lists them"),
  });
});

test("a configuration file changes the limits of a report; an unknown name is refused", () => {
  expect(sparklog("report", LOG, "--quiet").out).toMatch(/^Verdict: Skew/);
  const lenient = configFile('{"limits": {"skewWatch": 1000}}');
  expect(sparklog("report", LOG, "--quiet", "--config", lenient).out).not.toMatch(/^Verdict: Skew/);
  expect(sparklog("report", LOG, "--config", configFile('{"limits": {"skew": 1}}'))).toMatchObject({
    exit: 2,
    out: "",
  });
  expect(sparklog("report", LOG, "--config", configFile("not JSON")).exit).toBe(2);
});

test("report --explain adds what the found rules mean", () => {
  expect(sparklog("report", LOG, "--quiet", "--explain").out).toContain(
    "skew (a cause that may be the verdict)",
  );
});
