import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import { findEventLogs } from "../../src/input/find-event-logs.ts";
import { randomSource } from "../helpers/random-source.ts";
import { readLines, readOnly } from "../helpers/read-lines.ts";
import { buildZip, type ZipMember } from "../helpers/zip-builder.ts";

const FIXTURES = new URL("../fixtures/codecs/", import.meta.url);
const plain = readFileSync(new URL("plain", FIXTURES), "utf8").trimEnd().split("\n");
const served = readFileSync(new URL("history-server.zip", FIXTURES));
const EVENT = '{"Event":"SparkListenerLogStart","Spark Version":"3.5.1"}';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "sparklog-zip-"));
});
afterAll(() => {
  rmSync(root, { recursive: true });
});

function write(name: string, bytes: Uint8Array): string {
  const path = join(root, name);
  writeFileSync(path, bytes);
  return path;
}

function member(name: string, text = `${EVENT}\n`, claimed: ZipMember["claimed"] = {}): ZipMember {
  return { name, content: Buffer.from(text), claimed };
}

describe("a zip from the History Server", () => {
  test("is read as the rolling log it holds", async () => {
    const { logs } = await findEventLogs(write("served.zip", served));
    expect(logs).toMatchObject([
      {
        path: join(root, "served.zip"),
        layout: "zip",
        inProgress: false,
        applicationId: "application_1735689600000_0042",
      },
    ]);
    const { lines, issues, codecs } = await readLines(logs[0]!);
    expect(lines).toEqual(plain);
    expect(issues).toEqual([]);
    expect(codecs).toEqual(["zstd", "zstd"]);
  });

  test.each([
    [2500, 5],
    [30_000, 35],
    [served.length - 600, 69],
  ])("cut at byte %i gives the %i lines of the blocks before", async (length, wanted) => {
    const { lines, issues } = await readOnly(write("cut.zip", served.subarray(0, length)));
    expect(lines.length).toBeGreaterThanOrEqual(wanted);
    expect(lines.slice(0, -1)).toEqual(plain.slice(0, lines.length - 1));
    expect(issues.map((issue) => issue.code)).toContain("truncated");
  });
});

test("a zip with several logs gives each of them, and counts what is none", async () => {
  const path = write(
    "several.zip",
    buildZip([
      member("application_1_0001"),
      member("week/application_1_0002.inprogress"),
      member("week/notes.txt", "hello"),
      member("__MACOSX/week/application_1_0002"),
    ]),
  );
  const { logs, ignored } = await findEventLogs(path);
  expect(logs.map((log) => [log.path.slice(root.length + 1), log.layout, log.inProgress])).toEqual([
    ["several.zip/application_1_0001", "zip", null],
    ["several.zip/week/application_1_0002.inprogress", "zip", true],
  ]);
  expect(ignored).toBe(2);
});

test("names in a zip lead nowhere outside it", async () => {
  const { logs } = await findEventLogs(
    write(
      "paths.zip",
      buildZip([member("../../../etc/application_1_1"), member("/abs\\..\\application_1_2")]),
    ),
  );
  expect(logs.map((log) => log.path)).toEqual([
    join(root, "paths.zip/abs/application_1_2"),
    join(root, "paths.zip/etc/application_1_1"),
  ]);
});

test.each([
  ["a wrong checksum", { crc: 1 }],
  ["a wrong size", { bytes: 7 }],
])("an entry with %s is read, and its lines are called doubtful", async (_what, claimed) => {
  const { lines, issues } = await readOnly(
    write("lying.zip", buildZip([member("application_1_1", `${EVENT}\n`, claimed)])),
  );
  expect(lines).toEqual([EVENT]);
  expect(issues).toMatchObject([{ code: "damaged-block", message: expect.stringContaining("checksum") }]);
});

test("an encrypted entry is named as such", async () => {
  const path = write("secret.zip", buildZip([member("application_1_1", EVENT, { flags: 1 })]));
  await expect(readOnly(path)).rejects.toThrow("application_1_1 in");
  await expect(readOnly(path)).rejects.toThrow("encrypted");
});

test("a zip without a single header is the user's to put right", async () => {
  await expect(
    findEventLogs(write("broken.zip", Buffer.from("PK\x03\x04 and nothing more"))),
  ).rejects.toThrow("no file can be read");
});

test("changed at random 1000 times, a zip gives lines or a reason, and never lines that were not in it", async () => {
  const random = randomSource("zips");
  const stored = buildZip([
    member("eventlog_v2_app-1/events_1_app-1", `${EVENT}\n`),
    member("eventlog_v2_app-1/events_2_app-1", `${EVENT}\n`.repeat(30)),
    member("eventlog_v2_app-1/appstatus_app-1", ""),
  ]);
  for (let turn = 0; turn < 1000; turn++) {
    const bytes = Buffer.from(stored);
    for (let changes = random(4); changes >= 0; changes--) bytes[random(bytes.length)] = random(256);
    const path = write(
      "fuzzed.zip",
      bytes.subarray(0, random(10) === 0 ? random(bytes.length) : bytes.length),
    );
    const read = await readAll(path).catch((error: unknown) => error);
    if (read instanceof UserError) continue;
    if (!Array.isArray(read)) throw read;
    // A checksum comes behind the lines: what it does not hold for was handed on, but is called doubtful.
    if (!read.includes("damaged-block"))
      expect(read.filter((line) => line === EVENT).length).toBeLessThanOrEqual(31);
  }
});

/** All lines, and the codes of all issues. */
async function readAll(path: string): Promise<string[]> {
  const { logs } = await findEventLogs(path);
  const seen: string[] = [];
  for (const log of logs) {
    const { lines, issues } = await readLines(log);
    seen.push(...lines, ...issues.map((issue) => issue.code));
  }
  return seen;
}
