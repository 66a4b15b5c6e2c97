import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { analyzeLog, ingestInto } from "../../src/analyze-log.ts";
import { findEventLogs } from "../../src/input/find-event-logs.ts";
import { createSchema, openForReading, SCHEMA_VERSION, schemaSql } from "../../src/store/open-store.ts";
import { RowWriter } from "../../src/store/row-writer.ts";
import { runSql } from "../../src/store/run-query.ts";
import { scratchFolder } from "../helpers/ingested.ts";
import { LogBuilder } from "../helpers/log-builder.ts";

function twoTasks(name: string): LogBuilder {
  const log = new LogBuilder().start({ "spark.app.name": name }).job(0, [0]).stageSubmitted(0);
  log.task({ run: 100 }).task({ run: 300 }).stageCompleted(0).jobEnd(0).end();
  return log;
}

async function ingest(folder: string, name: string, target: string): Promise<number> {
  const path = join(folder, name);
  writeFileSync(path, twoTasks(name).text());
  const [log] = (await findEventLogs(path)).logs;
  if (!log) throw new Error("no log");
  return ingestInto(log, target, {});
}

test("row types and the schema name the same tables and columns", () => {
  const db = new Database(":memory:");
  createSchema(db);
  const source = readFileSync(new URL("../../src/store/rows.ts", import.meta.url), "utf8");
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  for (const table of tables) {
    const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map((column) => column.name);
    const type = new RegExp(`  ${table}: (\\w+);`).exec(source)?.[1];
    const body = new RegExp(`export interface ${type} \\{([^}]*)\\}`).exec(source)?.[1] ?? "";
    const fields = [...body.matchAll(/^ {2}(\w+): /gm)].map((match) => match[1]);
    expect([table, ...fields]).toEqual([table, ...columns.filter((name) => name !== "log_id")]);
  }
});

test("every table is STRICT and begins with log_id", () => {
  const statements = schemaSql().match(/CREATE TABLE[\s\S]*?;\n/g) ?? [];
  expect(statements.length).toBeGreaterThan(30);
  for (const statement of statements)
    expect(statement).toMatch(/^CREATE TABLE \w+ \(\n {2}log_id INTEGER[\s\S]*\) STRICT/);
});

test("a second log joins a database whole, with its own ids and the same numbers", async () => {
  const folder = scratchFolder();
  const target = join(folder, "week.db");
  expect([await ingest(folder, "app-1", target), await ingest(folder, "app-2", target)]).toEqual([1, 2]);
  const [first, second] = [await analyzeLog(target, { logId: 1 }), await analyzeLog(target, { logId: 2 })];
  expect({ ...second, log: null }).toEqual({ ...first, log: null });
  const db = openForReading(target);
  const { rows } = runSql(
    db,
    "SELECT log_id, first_task_rowid, last_task_rowid FROM stage ORDER BY log_id",
    null,
  );
  expect([...rows]).toEqual([
    [1, 1, 2],
    [2, 3, 4],
  ]);
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  db.close();
});

test("nothing but the database is left behind", async () => {
  const folder = scratchFolder();
  await ingest(folder, "app-1", join(folder, "week.db"));
  expect(readdirSync(folder).sort()).toEqual(["app-1", "week.db"]);
});

test("a failed load leaves the target as it was", async () => {
  const folder = scratchFolder();
  const target = join(folder, "week.db");
  await ingest(folder, "app-1", target);
  const before = readFileSync(target);
  const broken = (await findEventLogs(join(folder, "app-1"))).logs.map((log) => ({
    ...log,
    get parts(): never {
      throw new Error("unplugged");
    },
  }));
  await expect(ingestInto(broken[0] as never, target, {})).rejects.toThrow("unplugged");
  expect(readFileSync(target).equals(before)).toBe(true);
  expect(existsSync(`${target}-journal`)).toBe(false);
});

test("a database of another version, or of another program, is refused with a way out", () => {
  const folder = scratchFolder();
  const other = new Database(join(folder, "other.db"));
  other.exec("CREATE TABLE t (a)");
  other.close();
  expect(() => openForReading(join(folder, "other.db"))).toThrow(/not one that sparklog wrote/);
  const newer = new Database(join(folder, "newer.db"));
  createSchema(newer);
  newer.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
  newer.close();
  expect(() => openForReading(join(folder, "newer.db"))).toThrow(`schema version ${SCHEMA_VERSION + 1}`);
  writeFileSync(join(folder, "text.db"), "hello, this is no database at all");
  expect(() => openForReading(join(folder, "text.db"))).toThrow(/not a database/);
});

test("a later row with the same key replaces the first, whatever the batch", () => {
  const db = new Database(":memory:");
  createSchema(db);
  const writer = new RowWriter(db, 1);
  for (let round = 0; round < 3; round++)
    for (let id = 0; id < 70; id++)
      writer.insert("unknown_event", { event: `e${id}`, lines: round * 1000 + id });
  writer.flush();
  const { rows } = runSql(db, "SELECT COUNT(*), MIN(lines), MAX(lines) FROM unknown_event", null);
  expect([...rows]).toEqual([[70, 2000, 2069]]);
});

test("SQL that writes is refused", async () => {
  const folder = scratchFolder();
  await ingest(folder, "app-1", join(folder, "a.db"));
  const db = openForReading(join(folder, "a.db"));
  for (const sql of [
    "DELETE FROM log",
    "DROP TABLE log",
    "UPDATE log SET path = ''",
    "SELECT 1; SELECT 2",
    "nonsense",
  ])
    expect(() => runSql(db, sql, null)).toThrow();
  db.close();
});

test("what fails while rows are read is the user's to put right", () => {
  const db = new Database(":memory:");
  const { columns, rows } = runSql(
    db,
    "SELECT ABS(column1) AS n FROM (VALUES (-1), (-9223372036854775807 - 1))",
    null,
  );
  expect(columns).toEqual(["n"]);
  const read = rows[Symbol.iterator]();
  expect(read.next().value).toEqual([1]);
  expect(() => read.next()).toThrow("SQL: integer overflow");
  // Nothing stays open.
  db.exec("CREATE TABLE t (a)");
  db.close();
});
