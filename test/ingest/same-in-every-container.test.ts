import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ingestLog } from "../../src/ingest/ingest-log.ts";
import { findEventLogs } from "../../src/input/find-event-logs.ts";
import { ScratchStore } from "../../src/store/scratch-store.ts";

/** The same log in each container, written by Spark's own Java libraries: see the folder's README. */
const FIXTURES = fileURLToPath(new URL("../fixtures/codecs/", import.meta.url));
const CONTAINERS = readdirSync(FIXTURES).filter((name) => /\.(lz4|snappy|lzf|zstd|gz|zip)$/.test(name));
/** Tables that name the file, its parts, its codec and offsets. */
const ABOUT_THE_FILE = new Set(["log", "log_part", "ingest_issue"]);

const folder = mkdtempSync(join(tmpdir(), "sparklog-containers-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

/** Every row of every table but those about the file, as text; and the codes of the issues. */
async function dump(path: string): Promise<{ tables: string; issues: string[]; codec: unknown }> {
  const { logs } = await findEventLogs(path);
  expect(logs).toHaveLength(1);
  const store = new ScratchStore(join(folder, `${files++}.db`));
  try {
    await ingestLog(logs[0]!, store, {});
    const rows = (sql: string) => store.db.prepare(sql).safeIntegers().raw().all() as unknown[][];
    const names = rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
      .flat()
      .map(String);
    const tables = names
      .filter((name) => !ABOUT_THE_FILE.has(name))
      .map((name) => [name, rows(`SELECT * FROM ${name}`)]);
    return {
      tables: JSON.stringify(tables, (_, value) => {
        if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
        return typeof value === "bigint" ? `${value}` : value;
      }),
      issues: rows("SELECT code FROM ingest_issue").flat().map(String),
      codec: rows("SELECT codec FROM log")[0]?.[0],
    };
  } finally {
    store.close();
  }
}

let plain: string;
beforeAll(async () => {
  const { tables, issues } = await dump(join(FIXTURES, "plain"));
  expect(issues).toEqual([]);
  expect(tables).toContain("codecs é 日本");
  plain = tables;
});

describe.each(CONTAINERS)("%s gives the same tables, byte by byte,", (name) => {
  test("under its own name", async () => {
    const { tables, issues } = await dump(join(FIXTURES, name));
    expect(tables === plain).toBe(true);
    expect(issues).toEqual([]);
  });

  test("under the name of another codec", async () => {
    const own = name.split(".").at(-1);
    const path = join(folder, `application_1735689600000_0042.${own === "lz4" ? "zstd" : "lz4"}`);
    writeFileSync(path, readFileSync(join(FIXTURES, name)));
    const { tables, issues } = await dump(path);
    expect(tables === plain).toBe(true);
    expect(issues).toEqual(own === "zip" ? [] : ["codec-mismatch"]);
  });

  // A zip is read as a file only.
  test.skipIf(name.endsWith(".zip"))("without a suffix, packed once more by a shipper", async () => {
    const path = join(folder, "backup");
    writeFileSync(path, gzipSync(readFileSync(join(FIXTURES, name))));
    const { tables, codec } = await dump(path);
    expect(tables === plain).toBe(true);
    expect(codec).toBe("mixed");
  });
});
