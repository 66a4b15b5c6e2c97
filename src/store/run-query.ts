import { UserError } from "../errors.ts";
import type { Query, RunQuery, SqlValue } from "../queries/query.ts";
import type { Db } from "./open-store.ts";

/** Rows of a query as arrays of its columns. */
function rawRows(db: Db, sql: string, logId: number): SqlValue[][] {
  const statement = db.prepare<{ log_id: number }, SqlValue[]>(sql).raw(true).safeIntegers(true);
  return statement.all({ log_id: logId });
}

/** Integers come as numbers, and as bigint only beyond 2^53. */
function narrowed(value: SqlValue): SqlValue {
  return typeof value === "bigint" && value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER
    ? Number(value)
    : value;
}

/** Runs queries for one log; each query once, however often it is asked. */
export function queryRunner(db: Db, logId: number): RunQuery {
  const answers = new Map<Query<unknown>, unknown[]>();
  return <Row>(query: Query<Row>): Row[] => {
    const known = answers.get(query as Query<unknown>);
    if (known) return known as Row[];
    const rows = rawRows(db, query.sql, logId).map(
      (values) =>
        Object.fromEntries(query.columns.map((name, at) => [name, narrowed(values[at] ?? null)])) as Row,
    );
    answers.set(query as Query<unknown>, rows);
    return rows;
  };
}

/** Ids of the logs in a database, in the order they were read. */
export function logIds(db: Db): number[] {
  return db.prepare<[], number>("SELECT log_id FROM log ORDER BY log_id").pluck().all();
}

export interface SqlAnswer {
  columns: string[];
  rows: SqlValue[][];
}

/**
 * Runs a user's SQL on a database opened read-only.
 * @throws UserError where it is no single statement that reads
 */
export function runSql(db: Db, sql: string, logId: number | null): SqlAnswer {
  try {
    const statement = db.prepare<unknown[], SqlValue[]>(sql);
    if (!statement.reader) throw new UserError("this statement returns no rows", "Give a SELECT.");
    statement.raw(true).safeIntegers(true);
    const rows = logId === null ? statement.all() : statement.all({ log_id: logId });
    return {
      columns: statement.columns().map((column) => column.name),
      rows: rows.map((row) => row.map(narrowed)),
    };
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`SQL: ${(error as Error).message}`, "schema.sql describes the tables.");
  }
}
