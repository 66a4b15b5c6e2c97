import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type BetterSqlite from "better-sqlite3";
import { UserError } from "../errors.ts";
import { Database } from "./sqlite.ts";

/** Raised with every change of schema.sql that an older reader would misread. */
export const SCHEMA_VERSION = 2;
/** "splg": marks a database as sparklog's in its header. */
const APPLICATION_ID = 0x73706c67;

export const SCRATCH_PAGE_SIZE = 8192;

export type Db = BetterSqlite.Database;

/** schema.sql stands beside package.json, two folders up from src/store and from dist/store. */
export function schemaSql(): string {
  return readFileSync(fileURLToPath(new URL("../../schema.sql", import.meta.url)), "utf8");
}

/** The tables of schema.sql, without its views: a scratch database is filled by machines only. */
export function createSchema(db: Db): void {
  db.exec(schemaSql());
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
  db.pragma(`application_id = ${APPLICATION_ID}`);
}

/**
 * A new database to load one log into. Nobody else reads it and a crash just leaves a file to delete, so it has no
 * journal and waits for no disk.
 */
export function createScratch(path: string): Db {
  const db = new Database(path);
  db.pragma(`page_size = ${SCRATCH_PAGE_SIZE}`);
  tuneScratch(db);
  createSchema(db);
  return db;
}

/** A database that createScratch made, after something else has written to its file. */
export function reopenScratch(path: string): Db {
  const db = new Database(path, { fileMustExist: true });
  tuneScratch(db);
  return db;
}

function tuneScratch(db: Db): void {
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  db.pragma("locking_mode = EXCLUSIVE");
  db.pragma("cache_size = -4000");
  db.pragma("temp_store = MEMORY");
}

/** Rows of an index that measure() looks at: enough to tell the order of size. */
const ROWS_MEASURED = 400;

/**
 * Lets SQLite look at a sample of every table. Without it SQLite takes each index for equally good, and a join over
 * 50,000 SQL executions reads a whole table for each of its rows.
 */
export function measure(db: Db): void {
  db.pragma(`analysis_limit = ${ROWS_MEASURED}`);
  db.exec("ANALYZE");
}

/**
 * An existing database, for reading.
 * @throws UserError where the file is no sparklog database or one of another version
 */
export function openForReading(path: string): Db {
  if (!existsSync(path))
    throw new UserError(`${path}: no such file`, "Give a database that sparklog ingest wrote.");
  let db: Db | undefined;
  try {
    db = new Database(path, { readonly: true, fileMustExist: true });
    checkVersion(db, path);
    return db;
  } catch (error) {
    db?.close();
    throw asUserError(error, path);
  }
}

/** @throws UserError as openForReading */
export function openTarget(path: string): Db {
  const isNew = !existsSync(path);
  let db: Db | undefined;
  try {
    db = new Database(path);
    if (isNew) createSchema(db);
    checkVersion(db, path);
    return db;
  } catch (error) {
    db?.close();
    throw asUserError(error, path);
  }
}

function checkVersion(db: Db, path: string): void {
  if (db.pragma("application_id", { simple: true }) !== APPLICATION_ID)
    throw new UserError(`${path} is a database, but not one that sparklog wrote`, "Give another path.");
  const version = db.pragma("user_version", { simple: true });
  if (version !== SCHEMA_VERSION)
    throw new UserError(
      `${path} has schema version ${String(version)}, this sparklog reads version ${SCHEMA_VERSION}`,
      "Read the log again with sparklog ingest, or use the sparklog version that wrote the database.",
    );
}

function asUserError(error: unknown, path: string): unknown {
  if (error instanceof UserError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!code.startsWith("SQLITE_")) return error;
  return new UserError(
    `${path}: ${(error as Error).message}`,
    "Check that the path is a sparklog database and readable.",
  );
}
