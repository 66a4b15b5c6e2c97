import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { TaskPageWriter } from "../../src/store/task-page-writer.ts";
import { BATCH_ROWS, TASK_COLUMNS, TaskBatch } from "../../src/tasks/task-batch.ts";
import { WriteError, writeAll } from "../../src/write-all.ts";

const folder = mkdtempSync(join(tmpdir(), "sparklog-pages-"));
afterAll(() => rmSync(folder, { recursive: true }));

const schema = readFileSync(join(import.meta.dirname, "../../schema.sql"), "utf8");
const createTable = /CREATE TABLE task_data \([^;]+;/.exec(schema)?.[0] ?? "";
let files = 0;

/** A database with task_data between other tables, as SQLite leaves it. */
function emptyDatabase(pageSize: number, fill = ""): { path: string; rootPage: number } {
  const path = join(folder, `${files++}.db`);
  const db = new Database(path);
  db.pragma("synchronous = OFF");
  db.pragma(`page_size = ${pageSize}`);
  db.pragma("journal_mode = OFF");
  db.exec(
    `CREATE TABLE before (a TEXT); ${createTable} CREATE TABLE after (b TEXT); INSERT INTO after VALUES ('kept'); ${fill}`,
  );
  const rootPage = db
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'task_data'")
    .pluck()
    .get() as number;
  db.close();
  return { path, rootPage };
}

/** Value of a column in a row, over all widths that SQLite has for an integer; NaN now and then. */
function valueAt(row: number, column: number): number {
  if (column === 2) return row;
  const mixed = Math.imul(row + 1, 2654435761) ^ Math.imul(column + 7, 40503);
  const width = (mixed >>> 5) % 9;
  if (width === 0 && column > 3 && column !== 13) return Number.NaN;
  return Math.floor((mixed >>> 0) * 2 ** (width * 5 - 32)) * (width === 7 ? -1 : 1) + 0;
}

function write(path: string, rootPage: number, pageSize: number, rows: number, value = valueAt): void {
  const writer = new TaskPageWriter(pageSize, 1, `${path}-pages`);
  const batch = new TaskBatch();
  batch.clear();
  for (let row = 0; row < rows; row++) {
    for (const [column] of TASK_COLUMNS.entries())
      (batch.columns[column] as Float64Array)[batch.rows] = value(row, column);
    batch.endRow();
    if (batch.full || row === rows - 1) {
      writer.tasks(batch);
      batch.clear();
    }
  }
  expect(writer.rows).toBe(rows);
  writer.finish(path, rootPage);
  expect(existsSync(`${path}-pages`)).toBe(false);
}

function check(path: string, rows: number, value = valueAt): void {
  const db = new Database(path);
  db.pragma("synchronous = OFF");
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  expect(db.prepare("SELECT b FROM after").pluck().get()).toBe("kept");
  expect(db.prepare("SELECT COUNT(*), MAX(rowid), MIN(rowid) FROM task_data").raw().get()).toEqual([
    rows,
    rows || null,
    rows ? 1 : null,
  ]);
  const at = db.prepare(`SELECT log_id, ${TASK_COLUMNS.join()} FROM task_data WHERE rowid = ?`).raw();
  const step = Math.max(1, Math.floor(rows / 500));
  for (let row = 0; row < rows; row += step) {
    const expected = TASK_COLUMNS.map((_, column) => value(row, column)).map((one) =>
      Number.isNaN(one) ? null : one,
    );
    expect(at.get(row + 1)).toEqual([1, ...expected]);
  }
  // What SQLite itself does with the table afterwards.
  db.exec("CREATE INDEX one ON task_data (stage_id, task_id)");
  db.exec("DELETE FROM task_data WHERE rowid % 3 = 0");
  db.exec("INSERT INTO before VALUES ('more')");
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  db.exec("VACUUM");
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  expect(db.prepare("SELECT COUNT(*) FROM task_data").pluck().get()).toBe(rows - Math.floor(rows / 3));
  db.close();
}

for (const pageSize of [512, 1024, 4096, 8192, 32768, 65536]) {
  test.each([0, 1, 2, 20, 5000])(`a table of %i rows in pages of ${pageSize} bytes is sound`, (rows) => {
    const { path, rootPage } = emptyDatabase(pageSize);
    write(path, rootPage, pageSize, rows);
    check(path, rows);
  });
}

test("every number of rows up to some pages is sound", () => {
  for (let rows = 0; rows < 60; rows++) {
    const { path, rootPage } = emptyDatabase(512);
    write(path, rootPage, 512, rows);
    check(path, rows);
  }
});

test("265,000 rows are sound, and take no more room than SQLite's own", () => {
  const { path, rootPage } = emptyDatabase(8192);
  // Values as tasks have them: many zeros, a few large ones.
  const value = (row: number, column: number): number =>
    column === 2 ? row : column % 3 === 0 ? 0 : column === 7 ? 1.75e12 + row : row * column;
  write(path, rootPage, 8192, 265_000, value);
  const size = statSync(path).size;
  const db = new Database(path);
  db.pragma("synchronous = OFF");
  db.exec("VACUUM");
  db.close();
  expect(size).toBeLessThan(1.01 * statSync(path).size);
  const second = emptyDatabase(8192);
  write(second.path, second.rootPage, 8192, 265_000, value);
  check(second.path, 265_000, value);
});

test("tables with pages, free pages and indexes around stay whole", () => {
  const fill = `
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO before SELECT hex(randomblob(200)) FROM n;
    CREATE INDEX other ON before (a);
    DELETE FROM before WHERE rowid % 2 = 0 OR rowid > 1000;`;
  const { path, rootPage } = emptyDatabase(4096, fill);
  write(path, rootPage, 4096, 5000);
  check(path, 5000);
});

test("integers beyond 2^53 are stored exactly", () => {
  const { path, rootPage } = emptyDatabase(4096);
  const batch = new TaskBatch();
  batch.clear();
  const exact = [2n ** 63n - 1n, 2n ** 53n + 1n, -(2n ** 63n)];
  const column = TASK_COLUMNS.indexOf("result_size_bytes");
  for (const [row, big] of exact.entries()) {
    for (const values of batch.columns) values[row] = 1;
    batch.big.set(column * BATCH_ROWS + row, big);
    (batch.columns[column] as Float64Array)[row] = Number(big);
    batch.endRow();
  }
  const writer = new TaskPageWriter(4096, 1, `${path}-pages`);
  writer.tasks(batch);
  writer.finish(path, rootPage);
  const db = new Database(path);
  db.pragma("synchronous = OFF");
  expect(db.prepare("SELECT result_size_bytes FROM task_data").safeIntegers().pluck().all()).toEqual(exact);
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  db.close();
});

test("every integer comes back, in the width SQLite would give it", () => {
  const column = TASK_COLUMNS.indexOf("result_size_bytes");
  const edges = [0, 8, 16, 24, 32, 48, 53].flatMap((bits) => [
    2 ** bits,
    2 ** bits - 1,
    2 ** bits / 2,
    2 ** bits / 2 - 1,
  ]);
  const values = fc.array(
    fc.oneof(
      fc.maxSafeInteger(),
      fc.integer(),
      fc.constantFrom(...edges.map(Math.floor).flatMap((edge) => [edge, -edge])),
    ),
    { minLength: 1, maxLength: 50 },
  );
  fc.assert(
    fc.property(values, (list) => {
      const safe = list.filter(Number.isSafeInteger).map((value) => value + 0);
      const { path, rootPage } = emptyDatabase(1024);
      write(path, rootPage, 1024, safe.length, (row, at) => (at === column ? (safe[row] ?? 0) : 5));
      const db = new Database(path);
      db.pragma("synchronous = OFF");
      expect(db.prepare("SELECT result_size_bytes FROM task_data").pluck().all()).toEqual(safe);
      const ours = statSync(path).size;
      // SQLite's own records of the same rows take the same room.
      db.exec("VACUUM");
      expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
      db.close();
      expect(ours).toBeLessThanOrEqual(statSync(path).size + 1024);
      rmSync(path);
    }),
    { numRuns: 100 },
  );
});

test("the page that SQLite locks, 1 GiB into the file, is left unused", () => {
  const pageSize = 65536;
  const { path, rootPage } = emptyDatabase(pageSize);
  // A database that already ends just before: sparse, its middle never touched.
  const pages = 2 ** 30 / pageSize - 3;
  const file = openSync(path, "r+");
  ftruncateSync(file, pages * pageSize);
  closeSync(file);
  patchPageCount(path, pages);
  write(path, rootPage, pageSize, 8000);
  const db = new Database(path, { readonly: true });
  const counted = db.pragma("page_count", { simple: true }) as number;
  expect(counted).toBeGreaterThan(2 ** 30 / pageSize + 4);
  expect(db.prepare("SELECT COUNT(*), SUM(task_id) FROM task_data").raw().get()).toEqual([
    8000,
    (8000 * 7999) / 2,
  ]);
  // The sparse pages belong to nothing, which is all that may be wrong.
  const found = db.pragma("integrity_check(1000000)") as { integrity_check: string }[];
  const trouble = found.flatMap((row) => row.integrity_check.split("\n"));
  expect(trouble.filter((line) => !/^(Page \d+(: |\.\.\d+ )?(is )?never used|\*\*\*)/.test(line))).toEqual(
    [],
  );
  expect(trouble.join("\n")).not.toContain(`Page ${2 ** 30 / pageSize + 1}`);
  db.close();
});

/** Past SQLite, as a file that has had these pages. */
function patchPageCount(path: string, pages: number): void {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(pages);
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, 4, 28);
  closeSync(file);
}

test("a table that is not empty is refused and stays as it is", () => {
  const { path, rootPage } = emptyDatabase(4096);
  write(path, rootPage, 4096, 20);
  const before = readFileSync(path);
  expect(() => write(path, rootPage, 4096, 20)).toThrow("not empty");
  expect(readFileSync(path).equals(before)).toBe(true);
});

test("a database of another page size, with write-ahead logging or with a pointer map is refused", () => {
  const other = emptyDatabase(8192);
  expect(() => write(other.path, other.rootPage, 4096, 20)).toThrow("do not fit");
  const wal = emptyDatabase(4096);
  const db = new Database(wal.path);
  db.pragma("journal_mode = WAL");
  db.exec("INSERT INTO before VALUES ('x')");
  db.close();
  expect(() => write(wal.path, wal.rootPage, 4096, 20)).toThrow("do not fit");
});

test("discarded pages leave no file", () => {
  const { path } = emptyDatabase(512);
  const writer = new TaskPageWriter(512, 1, `${path}-pages`);
  const batch = new TaskBatch();
  batch.clear();
  for (let row = 0; row < BATCH_ROWS; row++) batch.endRow();
  for (let count = 0; count < 20; count++) writer.tasks(batch);
  expect(existsSync(`${path}-pages`)).toBe(true);
  writer.discard();
  expect(existsSync(`${path}-pages`)).toBe(false);
});

test("a file that cannot be written is told apart from a log that cannot be read", () => {
  const file = openSync(join(folder, "read-only"), "w");
  closeSync(file);
  const readOnly = openSync(join(folder, "read-only"), "r");
  expect(() => writeAll(readOnly, Buffer.from("x"), 0)).toThrow(WriteError);
  closeSync(readOnly);
});
