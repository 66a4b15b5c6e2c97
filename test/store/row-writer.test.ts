import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { createSchema } from "../../src/store/open-store.ts";
import { RowWriter } from "../../src/store/row-writer.ts";

test("text that comes as bytes is text in the database, whatever becomes of the bytes", () => {
  const db = new Database(":memory:");
  createSchema(db);
  const rows = new RowWriter(db, 1);
  const bytes = Buffer.from('{"nodeName":"Scan é 漢"}');
  rows.insert("sql_plan", { plan_id: 0, tree_json: bytes, description: "first" });
  bytes.fill(0);
  rows.insert("sql_plan", { plan_id: 1, tree_json: "{}", description: null });
  rows.flush();
  expect(db.prepare("SELECT plan_id, typeof(tree_json) AS type, tree_json FROM sql_plan").all()).toEqual([
    { plan_id: 0, type: "text", tree_json: '{"nodeName":"Scan é 漢"}' },
    { plan_id: 1, type: "text", tree_json: "{}" },
  ]);
});
