import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateLog } from "../../benchmarks/generate/log.ts";
import type * as Input from "../../src/input/find-event-logs.ts";
import type { Parcel } from "../../src/reading/parcel.ts";
import type * as Reading from "../../src/reading/read-log.ts";

/** Threads start from built files only: `npm run build` before. */
async function built<T>(path: string): Promise<T> {
  return (await import(new URL(`../../dist/${path}`, import.meta.url).href)) as T;
}

const folder = mkdtempSync(join(tmpdir(), "sparklog-thread-"));
let findEventLogs: typeof Input.findEventLogs;
let startReading: typeof Reading.startReading;
beforeAll(async () => {
  ({ findEventLogs } = await built<typeof Input>("input/find-event-logs.js"));
  ({ startReading } = await built<typeof Reading>("reading/read-log.js"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Everything in a parcel, in order. */
function itemsOf(parcel: Parcel): unknown[] {
  const items: unknown[] = [];
  const cursor = { part: 0, line: 0, byteOffset: 0, terminated: true };
  let [start, end, line, other] = [0, 0, 0, 0];
  const row = (batch: Parcel["ends"], at: number) => [
    batch.columns.map((column) => column[at]),
    [...batch.accumulatorIds.subarray(batch.accumulatorStart[at], batch.accumulatorStart[at + 1])],
    [...batch.accumulatorUpdates.subarray(batch.accumulatorStart[at], batch.accumulatorStart[at + 1])],
  ];
  for (let item = 0; item < parcel.items; item++) {
    const kind = parcel.kind(item);
    if (kind === 0) items.push(row(parcel.starts, start++)[0]);
    else if (kind === 1) items.push(row(parcel.ends, end++));
    else if (kind === 2) {
      parcel.readCursor(line, cursor);
      items.push([
        parcel.text.toString("utf8", parcel.textEnd(line - 1), parcel.textEnd(line++)),
        { ...cursor },
      ]);
    } else {
      const what = parcel.others[other++];
      items.push(what?.kind === "long-line" ? [Buffer.from(what.bytes).toString(), what.cursor] : what);
    }
  }
  return items;
}

async function read(path: string, thread: "own" | "same", scan = true) {
  const [log] = (await findEventLogs(path)).logs;
  if (!log) throw new Error(`no log at ${path}`);
  // Where a parcel ends is a matter of time: one goes off early where nobody works.
  const items: unknown[] = [];
  const texts: string[] = [];
  let parcels = 0;
  const reading = await startReading(log, { scan, thread }).take((parcel) => {
    parcels++;
    texts.push(...parcel.texts);
    for (const item of itemsOf(parcel)) items.push(item);
  });
  return { parcels, content: { items, texts, reading } };
}

function write(name: string, ...pieces: Uint8Array[]): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat(pieces));
  return path;
}

describe("a thread of its own hands on the same", () => {
  const tasks = Buffer.concat([...generateLog({ profile: "tasks", bytes: 12e6, seed: 3 })]);

  test("of tasks and other lines", async () => {
    const path = write("tasks", tasks);
    const own = await read(path, "own");
    expect(own.parcels).toBeGreaterThan(3);
    expect(own.content.reading.peaks.length).toBeGreaterThan(0);
    expect(own.content).toEqual((await read(path, "same")).content);
  });

  test("of lines alone, where nothing is scanned", async () => {
    const path = write("lines", tasks.subarray(0, 3e6));
    const own = await read(path, "own", false);
    expect(own.content).toEqual((await read(path, "same", false)).content);
  });

  test("of lines that fill no parcel, of one too long to parse, and of damage", async () => {
    const long = Buffer.from(`{"Event":"Long","text":"${"é".repeat(600_000)}"}\n`);
    const huge = Buffer.from(`{"Event":"Huge","text":"${"x".repeat(17 * 2 ** 20)}","b":1}\n`);
    const packed = gzipSync(Buffer.concat([tasks.subarray(0, 1e6), long, huge, tasks.subarray(0, 1e6)]));
    const path = write("damaged.gz", packed.subarray(0, packed.length - 1000));
    const own = await read(path, "own");
    const text = JSON.stringify(own.content);
    for (const part of ["é".repeat(600_000), '"kind":"huge-line"', '"truncated"'])
      expect(text).toContain(part);
    expect(own.content).toEqual((await read(path, "same")).content);
  });
});

test("what fails in the thread fails here: the user's fault with its hint, the taker's own unchanged", async () => {
  const path = write("foreign", Buffer.from("PAR1 is no event log at all, but a table"));
  const [log] = (await findEventLogs(write("log", Buffer.from('{"Event":"SparkListenerLogStart"}\n')))).logs;
  const [part] = log!.parts;
  const foreign = { ...log!, parts: [{ ...part!, place: { kind: "file" as const, path } }] };
  await expect(
    startReading(foreign, { scan: true, thread: "own" }).take(() => undefined),
  ).rejects.toMatchObject({
    name: "UserError",
    message: expect.stringContaining("which is not read"),
    hint: expect.any(String),
  });
  const full = new Error("disk full");
  const taking = startReading(log!, { scan: true, thread: "own" }).take(() => {
    throw full;
  });
  await expect(taking).rejects.toBe(full);
});
