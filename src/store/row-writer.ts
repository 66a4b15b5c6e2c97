import type { Statement } from "better-sqlite3";
import type { Db } from "./open-store.ts";
import type { RowSink, TableName, Tables } from "./rows.ts";

/** Values bound by one multi-row statement at most; SQLite allows 32,766. */
const MAX_VALUES = 4096;
/** Rows per statement: beyond 10 nothing is gained, and the statements of all tables would hold 17 MB at 50. */
const MAX_ROWS = 16;
/** Characters of text a buffer may hold before it is written out. */
const MAX_TEXT = 1 << 18;

/** Columns whose text may come as bytes: SQLite takes bytes over without two copies more. */
const UTF8_COLUMNS = new Set(["tree_json"]);

type Value = number | bigint | string | Uint8Array | null;

interface TableBuffer {
  columns: string[];
  isInteger: boolean[];
  rowsPerStatement: number;
  values: Value[];
  rows: number;
  textLength: number;
  one: Statement;
  many: Statement;
}

/** Writes rows of one log into a database, many a statement. flush() before anything reads. */
export class RowWriter implements RowSink {
  #db: Db;
  readonly #logId: number;
  readonly #buffers = new Map<TableName, TableBuffer>();

  constructor(db: Db, logId: number) {
    this.#db = db;
    this.#logId = logId;
  }

  insert<T extends TableName>(table: T, row: Tables[T]): void {
    const buffer = this.#buffers.get(table) ?? this.#open(table);
    const values = row as unknown as Record<string, unknown>;
    for (let at = 0; at < buffer.columns.length; at++) {
      const name = buffer.columns[at] ?? "";
      const value = name === "log_id" ? this.#logId : bindable(values[name], buffer.isInteger[at] ?? false);
      if (typeof value === "string") buffer.textLength += value.length;
      // The bytes are somebody else's: they are good now only.
      else if (value instanceof Uint8Array) buffer.textLength = Number.POSITIVE_INFINITY;
      buffer.values.push(value);
    }
    buffer.rows++;
    if (buffer.rows === buffer.rowsPerStatement || buffer.textLength > MAX_TEXT) this.#write(buffer);
  }

  flush(): void {
    for (const buffer of this.#buffers.values()) this.#write(buffer);
  }

  /** Goes on in another connection to the same database. */
  moveTo(db: Db): void {
    this.flush();
    this.#buffers.clear();
    this.#db = db;
  }

  #write(buffer: TableBuffer): void {
    if (buffer.rows === buffer.rowsPerStatement) buffer.many.run(buffer.values);
    else {
      const width = buffer.columns.length;
      for (let row = 0; row < buffer.rows; row++)
        buffer.one.run(buffer.values.slice(row * width, (row + 1) * width));
    }
    buffer.values.length = 0;
    buffer.rows = 0;
    buffer.textLength = 0;
  }

  #open(table: TableName): TableBuffer {
    const info = this.#db.pragma(`table_info(${table})`) as { name: string; type: string }[];
    const columns = info.map((column) => column.name);
    const rowsPerStatement = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_VALUES / columns.length)));
    const places = columns.map((name) => (UTF8_COLUMNS.has(name) ? "CAST(? AS TEXT)" : "?"));
    const row = `(${places.join(", ")})`;
    const insert = (rows: number) =>
      this.#db.prepare(
        `INSERT OR REPLACE INTO ${table} (${columns.join(", ")}) VALUES ${Array(rows).fill(row).join(", ")}`,
      );
    const buffer: TableBuffer = {
      columns,
      isInteger: info.map((column) => column.type === "INTEGER"),
      rowsPerStatement,
      values: [],
      rows: 0,
      textLength: 0,
      one: insert(1),
      many: insert(rowsPerStatement),
    };
    this.#buffers.set(table, buffer);
    return buffer;
  }
}

/** A STRICT integer column refuses fractions, and SQLite knows no NaN: both become NULL. */
function bindable(value: unknown, isInteger: boolean): Value {
  if (typeof value === "string" || typeof value === "bigint" || value instanceof Uint8Array) return value;
  if (typeof value !== "number" || Number.isNaN(value)) return null;
  return isInteger && !Number.isInteger(value) ? null : value;
}
