import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import type { RunQuery } from "../../src/queries/query.ts";
import { queryRunner } from "../../src/store/run-query.ts";
import type { MemoryRows } from "./replay-sql.ts";

/** Puts rows into a database in memory and returns what asks it, as the store does. */
export function databaseOf(rows: MemoryRows, more: Record<string, object[]> = {}): RunQuery {
  const database = new Database(":memory:");
  database.exec(readFileSync(new URL("../../schema.sql", import.meta.url), "utf8"));
  for (const [table, list] of [...rows.tables, ...Object.entries(more)]) {
    for (const row of list) {
      const columns = ["log_id", ...Object.keys(row)];
      const places = columns.map(() => "?").join(", ");
      const insert = database.prepare(
        `INSERT OR REPLACE INTO ${table} (${columns.join(", ")}) VALUES (${places})`,
      );
      insert.run(1, ...Object.values(row));
    }
  }
  return queryRunner(database, 1);
}
