import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { analyzeLog, ingestInto } from "../../src/analyze-log.ts";
import type { SliceRequest } from "../../src/ingest/slice.ts";
import { findEventLogs } from "../../src/input/find-event-logs.ts";
import type { SqlValue } from "../../src/queries/query.ts";
import type { WholeReport } from "../../src/report/report.ts";
import { openForReading } from "../../src/store/open-store.ts";
import type { LogBuilder } from "./log-builder.ts";

/** A folder that is gone when the test ends. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sparklog-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Ingested {
  report: WholeReport;
  /** Rows of an SQL query as objects. */
  rows(sql: string): Record<string, SqlValue>[];
}

/** Writes a built log to a file and reads it the way the command does. @returns the database's path */
export async function ingestedFile(log: LogBuilder | string, slice?: SliceRequest): Promise<string> {
  const folder = scratchFolder();
  const path = join(folder, "app-20250101000000-0001");
  writeFileSync(path, typeof log === "string" ? log : log.text());
  const database = join(folder, "log.db");
  const [found] = (await findEventLogs(path)).logs;
  if (!found) throw new Error("no log found");
  await ingestInto(found, database, slice ? { slice } : {});
  return database;
}

/** The same, with its report and a way to ask. */
export async function ingested(log: LogBuilder | string, slice?: SliceRequest): Promise<Ingested> {
  const database = await ingestedFile(log, slice);
  const db = openForReading(database);
  onTestFinished(() => {
    db.close();
  });
  return {
    report: await analyzeLog(database),
    rows: (sql) => db.prepare<[], Record<string, SqlValue>>(sql).all(),
  };
}
