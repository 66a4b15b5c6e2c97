import { UserError } from "../errors.ts";
import type { Plain, Query, RunQuery, SqlValue } from "../queries/query.ts";
import type { Db } from "./open-store.ts";

/** Integers come as numbers, and as bigint only beyond 2^53. */
function narrowed(value: SqlValue): SqlValue {
  return typeof value === "bigint" && value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER
    ? Number(value)
    : value;
}

/** Runs queries for one log; `run(query)` runs each once, however often it is asked. */
export function queryRunner(db: Db, logId: number): RunQuery {
  const answers = new Map<Query<unknown>, unknown[]>();
  const run = <Row>(query: Query<Row>): Row[] => {
    const known = answers.get(query as Query<unknown>);
    if (known) return known as Row[];
    const rows = [...exactRows(db, query, logId)];
    answers.set(query as Query<unknown>, rows);
    return rows;
  };
  return Object.assign(run, {
    each: <Row>(query: Query<Row>) => exactRows(db, query, logId),
    rounded: <Row>(query: Query<Row>) => roundedRows(db, query, logId),
  });
}

function* exactRows<Row>(db: Db, query: Query<Row>, logId: number): Generator<Row> {
  const empty = emptyRow(query);
  const statement = db.prepare<{ log_id: number }, SqlValue[]>(query.sql).raw(true).safeIntegers(true);
  for (const values of statement.iterate({ log_id: logId })) {
    const row = { ...empty };
    for (const [at, name] of query.columns.entries()) row[name] = narrowed(values[at] ?? null);
    yield row as Row;
  }
}

function* roundedRows<Row>(db: Db, query: Query<Row>, logId: number): Generator<Plain<Row>> {
  const empty = emptyRow(query);
  const statement = db.prepare<{ log_id: number }, SqlValue[]>(query.sql).raw(true);
  for (const values of statement.iterate({ log_id: logId })) {
    const row = { ...empty };
    for (const [at, name] of query.columns.entries()) row[name] = values[at] ?? null;
    yield row as Plain<Row>;
  }
}

/** Copies of one object with all columns stay compact; objects that grow by 50 columns take five times the memory. */
function emptyRow<Row>(query: Query<Row>): Record<string, SqlValue> {
  return Object.fromEntries(query.columns.map((name) => [name, null]));
}

/** Ids of the logs in a database, in the order they were read. */
export function logIds(db: Db): number[] {
  return db.prepare<[], number>("SELECT log_id FROM log ORDER BY log_id").pluck().all();
}

export interface SqlAnswer {
  columns: string[];
  /** Read while they are gone through, once; the database stays open until then. */
  rows: Iterable<SqlValue[]>;
}

/**
 * Runs a user's SQL on a database opened read-only.
 * @throws UserError where it is no single statement that reads; going through the rows throws one where reading fails
 */
export function runSql(db: Db, sql: string, logId: number | null): SqlAnswer {
  return asUser(() => {
    const statement = db.prepare<unknown[], SqlValue[]>(sql);
    if (!statement.reader) throw new UserError("this statement returns no rows", "Give a SELECT.");
    statement.raw(true).safeIntegers(true);
    const parameters = logId === null ? [] : [{ log_id: logId }];
    const columns = statement.columns().map((column) => column.name);
    return { columns, rows: narrowedRows(statement.iterate(...parameters)) };
  });
}

function* narrowedRows(rows: IterableIterator<SqlValue[]>): Generator<SqlValue[]> {
  try {
    for (let next = asUser(() => rows.next()); !next.done; next = asUser(() => rows.next()))
      yield next.value.map(narrowed);
  } finally {
    rows.return?.();
  }
}

/** What SQLite has to say about the SQL is the user's to know. */
function asUser<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`SQL: ${(error as Error).message}`, "schema.sql describes the tables.");
  }
}
