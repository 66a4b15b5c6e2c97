import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { generateLog, writeLog } from "../../benchmarks/generate/log.ts";
import { PROFILES } from "../../benchmarks/generate/profiles.ts";

const folder = mkdtempSync(join(tmpdir(), "sparklog-generate-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Event {
  Event: string;
  "Task Info"?: { "Task ID": number; "Launch Time": number; "Finish Time": number };
}

function events(profile: string, seed = 1): Event[] {
  const text = Buffer.concat([...generateLog({ profile, bytes: 1e6, seed })]).toString();
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const kind = (list: Event[], name: string): Event[] =>
  list.filter((event) => event.Event === `SparkListener${name}`);

test.each(PROFILES.map((profile) => profile.name))("a generated %s log is a whole application", (profile) => {
  const all = events(profile);
  expect(all[0]?.Event).toBe("SparkListenerLogStart");
  expect(all.at(-1)?.Event).toBe("SparkListenerApplicationEnd");
  const started = kind(all, "TaskStart").map((event) => event["Task Info"]?.["Task ID"]);
  const ended = kind(all, "TaskEnd").map((event) => event["Task Info"]?.["Task ID"]);
  expect(ended.length).toBeGreaterThan(10);
  expect(ended.toSorted()).toEqual(started.toSorted());
  expect(kind(all, "StageSubmitted").length).toBe(kind(all, "StageCompleted").length);
  for (const { "Task Info": task } of kind(all, "TaskEnd")) {
    expect(task?.["Finish Time"]).toBeGreaterThanOrEqual(task?.["Launch Time"] ?? Number.NaN);
  }
});

test("the same seed makes the same log, another seed another", () => {
  const text = (seed: number): string =>
    Buffer.concat([...generateLog({ profile: "failures", bytes: 1e6, seed })]).toString();
  expect(text(7)).toBe(text(7));
  expect(text(7)).not.toBe(text(8));
});

test("a log is written compressed with the same text", async () => {
  const options = { profile: "jobs", bytes: 1e6, seed: 1 };
  const bytes = await writeLog(join(folder, "log.gz"), options, "gzip");
  const text = gunzipSync(readFileSync(join(folder, "log.gz")));
  expect(text.length).toBe(bytes);
  expect(text.equals(Buffer.concat([...generateLog(options)]))).toBe(true);
});

test("the command writes a log of at least the size asked for", () => {
  const out = join(folder, "log");
  execFileSync(process.execPath, [
    "--import",
    "tsx",
    "benchmarks/generate-log.ts",
    "--profile",
    "jobs",
    "--bytes",
    "1e6",
    out,
  ]);
  expect(readFileSync(out).length).toBeGreaterThanOrEqual(1e6);
});
