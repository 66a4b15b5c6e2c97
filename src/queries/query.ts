export type { Int } from "../json.ts";

/** A value as SQLite gives it: integers beyond 2^53 come as bigint. */
export type SqlValue = number | bigint | string | null;

/**
 * A question to the database: SQL with one parameter, $log_id, and the type of its rows. Each has a name under
 * which `sparklog query DB NAME` runs it.
 */
export interface Query<Row> {
  name: string;
  /** One sentence: grain and order. Shown by `sparklog query --list`. */
  about: string;
  /** Column names in order; a test holds them to what SQLite answers. */
  columns: readonly (keyof Row & string)[];
  sql: string;
}

export function defineQuery<Row>(query: Query<Row>): Query<Row> {
  return query;
}

/** The same question with a further condition. */
export function narrow<Row>(query: Query<Row>, condition: string): Query<Row> {
  const end = query.sql.lastIndexOf("ORDER BY");
  return { ...query, sql: `${query.sql.slice(0, end)}AND ${condition}\n    ${query.sql.slice(end)}` };
}

/** A row with its integers as plain numbers, rounded above 2^53. */
export type Plain<Row> = { [Column in keyof Row]: Exclude<Row[Column], bigint> };

/** Runs queries for one log. The store provides it; nothing above the store sees SQLite. */
export interface RunQuery {
  /** All rows; asked again, the same rows without another run. For what stays small however large the log is. */
  <Row>(query: Query<Row>): Row[];
  /** The rows one at a time, kept nowhere: for what grows with the log. */
  each<Row>(query: Query<Row>): Iterable<Row>;
  /** The same for those who weigh and do not count: without exact integers it is several times faster. */
  rounded<Row>(query: Query<Row>): Iterable<Plain<Row>>;
}
