import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import { findEventLogs } from "../../src/input/find-event-logs.ts";

const EVENTS = '{"Event":"SparkListenerLogStart","Spark Version":"3.5.1"}\n';
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sparklog-input-"));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

/** Writes files under the root; a path that ends with a slash is an empty folder. */
function write(files: Record<string, string | Buffer>): void {
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path);
    mkdirSync(path.endsWith("/") ? full : dirname(full), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(full, content);
  }
}

/** The logs found, as path (below the root), layout and part names. */
async function found(path = ""): Promise<string[]> {
  const { logs } = await findEventLogs(join(root, path));
  return logs.map((log) => {
    const names = log.parts.map((part) => part.name).join(" ");
    return `${log.path.slice(root.length + 1)} ${log.layout}: ${names}`;
  });
}

async function only(path = "") {
  const { logs } = await findEventLogs(join(root, path));
  expect(logs).toHaveLength(1);
  return logs[0]!;
}

describe("a rolling log", () => {
  test("is read in the order of its numbers, not of its names", async () => {
    const rolls = Object.fromEntries(
      [1, 2, 9, 10, 11, 3, 4, 5, 6, 7, 8].map((n) => [`r/events_${n}_app-1`, EVENTS]),
    );
    write({ ...rolls, "r/appstatus_app-1": "", "r/_SUCCESS": "", "r/.events_1_app-1.crc": "x" });
    const log = await only("r");
    expect(log.parts.map((part) => Number(part.name.split("_")[1]))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
    expect(log).toMatchObject({ layout: "rolling", inProgress: false, issues: [] });
  });

  test("with a missing file names the gap and counts its files", async () => {
    write({ "r/events_1_app-1": EVENTS, "r/events_4_app-1": EVENTS, "r/appstatus_app-1.inprogress": "" });
    const log = await only("r");
    expect(log.inProgress).toBe(true);
    expect(log.issues).toMatchObject([
      {
        code: "missing-roll",
        count: 2,
        part: 1,
        message: "events_2 to events_3 are missing before events_4_app-1",
      },
    ]);
  });

  test("without its first file says that its head is missing", async () => {
    write({ "r/events_3_app-1": EVENTS, "r/appstatus_app-1": "" });
    expect((await only("r")).issues).toMatchObject([{ code: "missing-head", count: 2 }]);
  });

  test("begins with its last compacted file; what that replaces is left out", async () => {
    write({
      "r/events_1_app-1.zstd.compact": EVENTS,
      "r/events_2_app-1.zstd": EVENTS,
      "r/events_3_app-1.zstd": EVENTS,
      "r/events_3_app-1.zstd.compact": EVENTS,
      "r/events_4_app-1.zstd": EVENTS,
      "r/events_4_app-1.zstd.compact.inprogress": "",
      "r/appstatus_app-1": "",
    });
    const log = await only("r");
    expect(log.parts.map((part) => [part.name, part.compacted])).toEqual([
      ["events_3_app-1.zstd.compact", true],
      ["events_4_app-1.zstd", false],
    ]);
    expect(log.issues).toMatchObject([{ code: "compacted", severity: "data-loss" }]);
  });

  test("with one number in two files keeps the larger and names the other", async () => {
    write({ "r/events_1_app-1": EVENTS, "r/events_1_app-1.lz4": "", "r/appstatus_app-1": "" });
    const log = await only("r");
    expect(log.parts.map((part) => part.name)).toEqual(["events_1_app-1"]);
    expect(log.issues).toMatchObject([
      { code: "duplicate-part", message: expect.stringContaining("events_1_app-1.lz4") },
    ]);
  });

  test.each([
    ["events_3_app-1", "missing-head", 2],
    ["events_3_app-1.compact", "compacted", 1],
  ])("of which only %s is given says what is missing", async (name, code, count) => {
    write({ [name]: EVENTS });
    expect((await only(name)).issues).toMatchObject([{ code, count }]);
  });

  test("of which only the status file is there has no parts", async () => {
    write({ "r/appstatus_application_17_0001_2.inprogress": "" });
    expect(await only("r")).toMatchObject({
      parts: [],
      inProgress: true,
      applicationId: "application_17_0001",
      attemptId: "2",
    });
  });

  test("without a status file is read, and its end is not known from names", async () => {
    write({ "r/events_1_app-1": EVENTS });
    expect(await only("r")).toMatchObject({ inProgress: null, parts: [{ name: "events_1_app-1" }] });
  });

  test("whose files lie beside another's is kept apart from it", async () => {
    write({ "r/events_1_app-1": EVENTS, "r/events_1_app-2": EVENTS, "r/events_2_app-2": EVENTS });
    expect(await found("r")).toEqual([
      "r/app-1 rolling: events_1_app-1",
      "r/app-2 rolling: events_1_app-2 events_2_app-2",
    ]);
  });
});

test("a Databricks folder is read by hour, the file without a date last", async () => {
  write({
    "c/eventlog": EVENTS,
    "c/eventlog-2025-01-01--01-00.gz": gzipSync(EVENTS),
    "c/eventlog-2025-01-01--00-00.gz": gzipSync(EVENTS),
  });
  expect(await found("c")).toEqual([
    "c databricks: eventlog-2025-01-01--00-00.gz eventlog-2025-01-01--01-00.gz eventlog",
  ]);
});

test("a Spark 1.0 to 1.2 folder tells version and end by its markers", async () => {
  write({
    "app-20140101000000-0001/EVENT_LOG_1": EVENTS,
    "app-20140101000000-0001/SPARK_VERSION_1.2.1": "",
    "app-20140101000000-0001/APPLICATION_COMPLETE": "",
  });
  expect(await only("app-20140101000000-0001")).toMatchObject({
    layout: "spark-1",
    sparkVersion: "1.2.1",
    inProgress: false,
    applicationId: "app-20140101000000-0001",
  });
});

test("a folder is searched to its leaves; markers, checksums and other files are counted, not listed", async () => {
  write({
    application_1735689600000_0001_1: EVENTS,
    "application_1735689600000_0001_2.inprogress": EVENTS,
    "week/team a/no-name": gzipSync(EVENTS),
    "week/eventlog_v2_app-1/events_1_app-1": EVENTS,
    _SUCCESS: "",
    ".hidden.crc": "x",
    "driver.log": "25/01/01 INFO SparkContext",
    "export.json": '[{"id":1}]',
    "steps/stderr.gz": gzipSync("25/01/01 INFO Executor"),
  });
  expect(await found()).toEqual([
    "application_1735689600000_0001_1 single: application_1735689600000_0001_1",
    "application_1735689600000_0001_2.inprogress single: application_1735689600000_0001_2.inprogress",
    "week/eventlog_v2_app-1 rolling: events_1_app-1",
    "week/team a/no-name single: no-name",
  ]);
  expect((await findEventLogs(root)).ignored).toBe(5);
});

test("an empty file that is named like a log is listed", async () => {
  write({ "logs/application_1735689600000_0005": "", "logs/empty": "" });
  expect(await found("logs")).toEqual([
    "logs/application_1735689600000_0005 single: application_1735689600000_0005",
  ]);
});

test.each([
  ["nowhere", "no such file or folder"],
  ["empty", "it is empty"],
  ["noise", "2 files are something else"],
])("%s is explained", async (path, message) => {
  write({ "empty/": "", "noise/readme.md": "hello", "noise/_SUCCESS": "" });
  const error = await findEventLogs(join(root, path)).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(UserError);
  expect(error).toMatchObject({
    message: expect.stringContaining(message),
    hint: expect.any(String),
    exitCode: 2,
  });
});

test.each([
  ["a.bz2", "BZh91AY&SY", "is bzip2, which is not read", "bzip2 -dc"],
  ["a.xz", "\xfd7zXZ\0rest", "is xz, which is not read", "xz -dc"],
  ["a.lz4", "\x02!L\x18rest", "is LZ4 legacy frame, which is not read", "lz4 -dc"],
  ["a.snappy", "\xff\x06\0\0sNaPpY", "is snappy framing format, which is not read", "snzip"],
  ["a.tar", `${"log".padEnd(257, "\0")}ustar`, "is tar, which is not read", "tar -xf"],
  ["a.gz", gzipSync("BZh91AY&SY").toString("latin1"), "is bzip2, which is not read", "bzip2 -dc"],
  ["notes.txt", "hello", 'is no Spark event log: it begins with "hello"', "spark.eventLog.enabled"],
  ["picture.png", "\x89PNG\r\n\x1a\n", "is no Spark event log: it is binary", "spark.eventLog.enabled"],
])("%s is named for what it is, with what to do", async (name, content, message, hint) => {
  write({ [name]: Buffer.from(content, "latin1") });
  const error = await findEventLogs(join(root, name)).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(UserError);
  expect(error).toMatchObject({
    message: `${join(root, name)} ${message}`,
    hint: expect.stringContaining(hint),
  });
});

test("a log whose first lines are damaged is still one", async () => {
  write({ "app-1": `{"Ev\0\0\xff\nrubbish\n${EVENTS}` });
  expect(await found("app-1")).toEqual(["app-1 single: app-1"]);
});

test("links are followed once, also where they lead in a circle or nowhere", async () => {
  write({ "logs/week/app-1": EVENTS });
  symlinkSync(join(root, "logs"), join(root, "logs/week/again"));
  symlinkSync(join(root, "gone"), join(root, "logs/broken"));
  symlinkSync(join(root, "logs/week/app-1"), join(root, "logs/linked"));
  expect(await found("logs")).toEqual(["logs/linked single: linked", "logs/week/app-1 single: app-1"]);
});

test("a damaged log in a folder is listed by its name, a damaged file of another name is not", async () => {
  const damaged = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), Buffer.alloc(50, 0xff)]);
  write({
    "logs/application_1_0006.zstd": damaged,
    "logs/data.zst": damaged,
    "logs/application_1_0007.zip": "PK\x03\x04",
    "logs/application_1_0008": "\0\0\0",
  });
  expect(await found("logs")).toEqual([
    "logs/application_1_0006.zstd single: application_1_0006.zstd",
    "logs/application_1_0007.zip single: application_1_0007.zip",
    "logs/application_1_0008 single: application_1_0008",
  ]);
});
