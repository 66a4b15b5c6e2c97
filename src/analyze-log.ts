import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { EmptyLogError, UserError } from "./errors.ts";
import type { Limits } from "./findings/limits.ts";
import { type IngestOptions, ingestLog, startReadingLog } from "./ingest/ingest-log.ts";
import type { EventLog } from "./input/event-log.ts";
import { findEventLogs } from "./input/find-event-logs.ts";
import type { PlanView } from "./plan/plan-view.ts";
import { logIssues } from "./queries/issues.ts";
import { logSummary } from "./queries/log.ts";
import type { RunQuery } from "./queries/query.ts";
import type { Reading } from "./reading/read-log.ts";
import { buildReport } from "./report/build-report.ts";
import { loadPlan } from "./report/load-plan.ts";
import { type Report, type WholeReport, wholeReport } from "./report/report.ts";
import { withSmallHeap } from "./small-heap.ts";
import { isDatabaseFile } from "./store/database-file.ts";
import { joinDatabase } from "./store/join-database.ts";
import { type Db, openForReading, openTarget } from "./store/open-store.ts";
import { stageTasksReader } from "./store/read-stage-tasks.ts";
import { logIds, queryRunner } from "./store/run-query.ts";
import { SCRATCH_LOG_ID, ScratchStore } from "./store/scratch-store.ts";

export interface AnalyzeOptions extends IngestOptions {
  /** Keep the database here (it is made, or the log is added to it). */
  db?: string;
  /** Which log of a database that holds several; by default the only one. */
  logId?: number;
  /** Limits of the diagnosis; by default those of src/findings/limits.ts. */
  limits?: Limits;
}

/**
 * The report of a log: a file, a rolling directory, `-`, or a database that ingest wrote.
 * @throws UserError where there is nothing to read
 */
export function analyzeLog(path: string, options: AnalyzeOptions = {}): Promise<WholeReport> {
  return withReport(path, options, wholeReport);
}

/**
 * The same for a reader that goes through the report's lists once and need not hold them.
 * @param use called while the database is open
 * @throws UserError as analyzeLog
 */
export async function withReport<T>(
  path: string,
  options: AnalyzeOptions,
  use: (report: Report) => T,
): Promise<T> {
  const { limits } = options;
  if (isDatabaseFile(path)) return reportOfDatabase(path, options.logId, limits, use);
  const log = await findOneLog(path);
  if (options.db !== undefined) {
    const logId = await ingestInto(log, options.db, options);
    return reportOfDatabase(options.db, logId, limits, use);
  }
  return withScratch(log, options, tmpdir(), (db) => reportOf(db, SCRATCH_LOG_ID, limits, use));
}

/**
 * One version of the plan of an SQL execution; by default the plan that ran.
 * @throws UserError where there is no such log, execution or version
 */
export async function analyzePlan(
  path: string,
  executionId: number,
  version: number | undefined,
  options: AnalyzeOptions = {},
): Promise<PlanView> {
  const load = (db: Db, logId: number) => loadPlan(queryRunner(db, logId), executionId, version);
  if (!isDatabaseFile(path)) {
    return withScratch(await findOneLog(path), options, tmpdir(), (db) => load(db, SCRATCH_LOG_ID));
  }
  const db = openForReading(path);
  try {
    return load(db, chooseLog(db, path, options.logId));
  } finally {
    db.close();
  }
}

/** The report of a log that was found already, without keeping a database. */
export async function withReportOf<T>(log: EventLog, use: (report: Report) => T): Promise<T> {
  return withScratch(log, {}, tmpdir(), (db) => reportOf(db, SCRATCH_LOG_ID, undefined, use));
}

function reportOfDatabase<T>(
  path: string,
  logId: number | undefined,
  limits: Limits | undefined,
  use: (report: Report) => T,
): T {
  const db = openForReading(path);
  try {
    return reportOf(db, chooseLog(db, path, logId), limits, use);
  } finally {
    db.close();
  }
}

function reportOf<T>(db: Db, logId: number, limits: Limits | undefined, use: (report: Report) => T): T {
  const tasks = stageTasksReader(db, logId);
  try {
    return withSmallHeap(() => use(buildReport(queryRunner(db, logId), tasks.load, limits)));
  } finally {
    tasks.close();
  }
}

/** @throws UserError where the choice is not clear */
export function chooseLog(db: Db, path: string, wanted: number | undefined): number {
  const ids = logIds(db);
  const [only] = ids;
  if (wanted !== undefined && ids.includes(wanted)) return wanted;
  if (wanted === undefined && ids.length === 1 && only !== undefined) return only;
  if (ids.length === 0)
    throw new UserError(`${path} holds no log`, "Fill it with sparklog ingest LOG --db FILE.");
  throw new UserError(
    wanted === undefined ? `${path} holds ${ids.length} logs` : `${path} holds no log ${wanted}`,
    `Choose one with --log N (N: ${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ", ..." : ""}); sparklog query ${path} "SELECT log_id, path FROM log" lists them.`,
  );
}

async function findOneLog(path: string): Promise<EventLog> {
  const { logs } = await findEventLogs(path);
  const [log] = logs;
  if (!log)
    throw new UserError(`${path}: no event log found`, "Give an event log file or a rolling log's folder.");
  if (logs.length > 1)
    throw new UserError(
      `${path} holds ${logs.length} event logs`,
      `Name one of them, for example ${log.path}, or read them all with sparklog ingest ${path} --db FILE.`,
    );
  return log;
}

/**
 * Reads a log into a database. The load itself goes to a scratch database beside it, which then becomes the target
 * (if it is new) or joins it in one transaction: a killed run leaves the target as it was.
 * @returns the log's id in the database
 */
export async function ingestInto(log: EventLog, target: string, options: IngestOptions): Promise<number> {
  return withScratch(log, options, dirname(target), (db, scratchPath) => {
    db.close();
    if (!existsSync(target)) {
      renameSync(scratchPath, target);
      return SCRATCH_LOG_ID;
    }
    const targetDb = openTarget(target);
    try {
      return joinDatabase(targetDb, scratchPath);
    } finally {
      targetDb.close();
    }
  });
}

/** Scratch folders in use: an interrupted run removes them. */
const scratchFolders = new Set<string>();

/** Removes what a run that is being interrupted would leave behind. */
export function removeScratch(): void {
  for (const folder of scratchFolders) rmSync(folder, { recursive: true, force: true });
  scratchFolders.clear();
}

async function withScratch<T>(
  log: EventLog,
  options: IngestOptions,
  folder: string,
  use: (db: Db, path: string) => T,
): Promise<T> {
  const scratchFolder = makeScratchFolder(folder);
  scratchFolders.add(scratchFolder);
  const path = join(scratchFolder, "scratch.db");
  try {
    const reading = startReadingLog(log, options);
    const store = openStore(path, options, reading);
    try {
      await ingestLog(log, store, options, reading);
      refuseWithoutEvents(log, queryRunner(store.db, SCRATCH_LOG_ID));
      return use(store.db, path);
    } finally {
      store.close();
    }
  } finally {
    rmSync(scratchFolder, { recursive: true, force: true });
    scratchFolders.delete(scratchFolder);
  }
}

function openStore(path: string, options: IngestOptions, reading: Reading): ScratchStore {
  try {
    return new ScratchStore(path, options.taskWriting);
  } catch (error) {
    reading.close();
    throw error;
  }
}

/** A report of nothing would look like one of an application that did nothing. @throws UserError */
function refuseWithoutEvents(log: EventLog, run: RunQuery): void {
  const [row] = run(logSummary);
  if (!row || Number(row.events) > 0) return;
  const damage = run(logIssues).find(
    ({ code }) => code === "damaged-block" || code === "unreadable-part" || code === "truncated",
  );
  if (damage)
    throw new UserError(`${log.path}: nothing of it could be read: ${damage.message}`, "Copy the log again.");
  if (Number(row.lines) > 0)
    throw new UserError(
      `${log.path} is no event log: none of its ${row.lines} lines holds an event`,
      "Give a file that Spark wrote with spark.eventLog.enabled=true.",
    );
  throw new EmptyLogError(
    `${log.path} holds no event yet`,
    "The application has just begun, or its driver was killed before it first wrote; copy the log again if it still runs.",
  );
}

function makeScratchFolder(folder: string): string {
  try {
    return mkdtempSync(join(folder === "" ? "." : folder, ".sparklog-"));
  } catch (error) {
    throw new UserError(
      `${folder}: cannot be written to (${(error as Error).message})`,
      "Choose another folder.",
    );
  }
}
