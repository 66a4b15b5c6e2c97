import Database from "better-sqlite3";
import { beforeAll, expect, test } from "vitest";
import { QUERIES } from "../../src/queries/index.ts";
import { createSchema, type Db } from "../../src/store/open-store.ts";
import { queryRunner } from "../../src/store/run-query.ts";

const MAX = 2n ** 63n - 1n;
/** Of columns that queries and views take apart. */
const JSON_TEXTS: Record<string, string> = {
  metrics_json: `[[1, "spill size", "size"], [${MAX}, "records read", "sum"]]`,
  quantiles_json: `{"executor_run_time_ms": [${Array(9).fill(MAX).join()}]}`,
  totals_json: `{"executor_run_time_ms": ${MAX}}`,
};
let db: Db;

/** Two rows in every table, with the largest integer in every column that is no key. */
beforeAll(() => {
  db = new Database(":memory:");
  createSchema(db);
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  for (const table of tables) {
    const columns = db.pragma(`table_info(${table})`) as { name: string; type: string; pk: number }[];
    const insert = db.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${columns.map(() => "?").join(", ")})`);
    for (const row of [1n, 2n]) {
      insert.run(
        columns.map(({ name, type, pk }) => {
          if (name === "log_id") return 1n;
          // Ids that join tables stay small, so that the joins find something.
          const isKey = pk > 0 || /(^|_)id$/.test(name);
          if (type === "INTEGER") return isKey ? row : MAX;
          if (type === "REAL") return 1e300;
          return JSON_TEXTS[name] ?? (name.endsWith("_json") ? "[]" : `${row}`);
        }),
      );
    }
  }
});

test("every named query answers on values up to 2^63 - 1", () => {
  const run = queryRunner(db, 1);
  for (const query of QUERIES) expect(() => run(query), query.name).not.toThrow();
});

test("every view answers on values up to 2^63 - 1", () => {
  const views = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'view'").pluck().all();
  expect(views.length).toBeGreaterThanOrEqual(7);
  for (const view of views) expect(() => db.prepare(`SELECT * FROM ${view}`).all(), view).not.toThrow();
});
