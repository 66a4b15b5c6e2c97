import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { generateLog } from "../../benchmarks/generate/log.ts";
import { PROFILES } from "../../benchmarks/generate/profiles.ts";
import { type IngestOptions, ingestLog } from "../../src/ingest/ingest-log.ts";
import { findEventLogs } from "../../src/input/find-event-logs.ts";
import { ScratchStore } from "../../src/store/scratch-store.ts";
import { WriteError } from "../../src/write-all.ts";

const folder = mkdtempSync(join(tmpdir(), "sparklog-same-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

/** Every row of every table, after loading a log in one of the ways there are. */
async function tables(path: string, options: IngestOptions): Promise<Record<string, string[]>> {
  const { logs } = await findEventLogs(path);
  const store = new ScratchStore(join(folder, `${files++}.db`), options.taskWriting);
  try {
    await ingestLog(logs[0]!, store, options);
    expect(store.db.pragma("integrity_check", { simple: true })).toBe("ok");
    const names = store.db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all() as string[];
    // log_string numbers texts in the order they are met; the view task spells them out.
    const compared = [...names.filter((name) => name !== "log_string" && name !== "task_data"), "task"];
    return Object.fromEntries(
      compared.map((name) => {
        const rows = store.db.prepare(`SELECT * FROM ${name}`).safeIntegers().all() as Record<
          string,
          unknown
        >[];
        // Only the scanner counts lines that it left.
        for (const row of rows) delete row.task_end_fallbacks;
        return [
          name,
          rows.map((row) =>
            JSON.stringify(row, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
          ),
        ];
      }),
    );
  } finally {
    store.close();
  }
}

/** A generated log with what a real one may have besides: repeated lines, lost lines, odd values. */
function writeLogFile(profile: string): string {
  const lines = Buffer.concat([...generateLog({ profile, bytes: 2e6, seed: 11 })])
    .toString()
    .trimEnd()
    .split("\n");
  const path = join(folder, `${profile}.log`);
  const kept = lines.flatMap((line, index) => {
    if (index % 97 === 0) return [line, line];
    if (index % 89 === 0) return [];
    if (index % 83 === 0) return [line.replace('"Result Size":', '"Result Size":-')];
    if (index % 79 === 0)
      return [line.replace(/"Executor CPU Time":\d+/, '"Executor CPU Time":9007199254740993')];
    if (index % 73 === 0) return [line.replace('"Speculative":false', '"Speculative" : true')];
    return [line];
  });
  writeFileSync(path, `${kept.join("\n")}\n`);
  return path;
}

test.each(PROFILES.map((profile) => profile.name))(
  "a %s log gives the same database by scanner or JSON parser, by pages or statements",
  async (profile) => {
    const path = writeLogFile(profile);
    const plain = await tables(path, { taskReading: "json", taskWriting: "statements" });
    expect(plain.task?.length).toBeGreaterThan(20);
    expect(await tables(path, {})).toEqual(plain);
    expect(await tables(path, { taskReading: "json" })).toEqual(plain);
    expect(await tables(path, { taskWriting: "statements" })).toEqual(plain);
  },
);

test("a full disk under the task pages ends the run; it is no bad line of the log", async () => {
  const path = writeLogFile("failures");
  const { logs } = await findEventLogs(path);
  const store = new ScratchStore(join(folder, `${files++}.db`));
  const full = new WriteError(new Error("ENOSPC: no space left on device, write"));
  store.tasks.tasks = () => {
    throw full;
  };
  await expect(ingestLog(logs[0]!, store, {})).rejects.toBe(full);
  store.close();
});
