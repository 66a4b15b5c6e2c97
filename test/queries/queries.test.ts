import { readdirSync, readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { QUERIES } from "../../src/queries/index.ts";

const database = new Database(":memory:");
database.exec(readFileSync(new URL("../../schema.sql", import.meta.url), "utf8"));

test.each(QUERIES.map((query) => [query.name, query] as const))(
  "%s answers with the columns it declares",
  (_, query) => {
    const statement = database.prepare(query.sql);
    expect(statement.columns().map((column) => column.name)).toEqual([...query.columns]);
    expect(statement.all({ log_id: 1 })).toEqual([]);
    if (query.name !== "application-facts") expect(query.sql).toContain("ORDER BY");
  },
);

test("every file of the folder is registered", () => {
  const folder = new URL("../../src/queries/", import.meta.url);
  const files = readdirSync(folder).filter(
    (file) => !["query.ts", "index.ts", "stage-tasks.ts"].includes(file),
  );
  const named = files.map(
    (file) => /^ {2}name: "(.*)",$/m.exec(readFileSync(new URL(file, folder), "utf8"))?.[1],
  );
  expect(QUERIES.map((query) => query.name).sort()).toEqual(named.sort());
});
