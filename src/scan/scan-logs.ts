import { withReportOf } from "../analyze-log.ts";
import { EmptyLogError, UserError } from "../errors.ts";
import type { EventLog } from "../input/event-log.ts";
import { findEventLogs } from "../input/find-event-logs.ts";
import type { Report, ReportInt } from "../report/report.ts";

export type ScanStatus = "ok" | "ok-incomplete" | "skipped-empty" | "failed" | "duplicate";

/** What became of one log: every log found has a row. */
export interface ScanRow {
  path: string;
  status: ScanStatus;
  /** Why it is not "ok". */
  reason: string | null;
  applicationId: string | null;
  attemptId: string | null;
  applicationName: string | null;
  startTimeMs: ReportInt;
  durationMs: ReportInt;
  coreHours: number | null;
  verdict: { cause: string; title: string } | null;
}

export interface ScanReport {
  formatVersion: number;
  logs: ScanRow[];
  /** Files that are no event logs. */
  ignored: number;
}

/**
 * Reads every log under some paths, one after the other, each on its own: a log that cannot be read is a row, never
 * the end. Copies of one log (same application, attempt and first lines) are read once.
 * @throws UserError where no path holds a log
 */
export async function scanLogs(
  paths: readonly string[],
  onLog?: (path: string) => void,
): Promise<ScanReport> {
  const report: ScanReport = { formatVersion: 1, logs: [], ignored: 0 };
  const seen = new Map<string, string>();
  for (const path of paths) {
    const found = await findEventLogs(path);
    report.ignored += found.ignored;
    for (const log of found.logs) {
      onLog?.(log.path);
      report.logs.push(await scanOne(log, seen));
    }
  }
  return report;
}

async function scanOne(log: EventLog, seen: Map<string, string>): Promise<ScanRow> {
  try {
    return await withReportOf(log, (report) => rowOf(log.path, report, seen));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const status = error instanceof EmptyLogError ? "skipped-empty" : "failed";
    return { ...NOTHING, path: log.path, status, reason: error.message };
  }
}

const NOTHING = {
  applicationId: null,
  attemptId: null,
  applicationName: null,
  startTimeMs: null,
  durationMs: null,
  coreHours: null,
  verdict: null,
};

function rowOf(path: string, { application, log, verdict }: Report, seen: Map<string, string>): ScanRow {
  const key = JSON.stringify([application.id, application.attemptId, log.fingerprint]);
  const original = seen.get(key);
  if (original === undefined) seen.set(key, path);
  const lost = log.issues.find((issue) => issue.severity !== "info");
  return {
    path,
    status: original !== undefined ? "duplicate" : application.complete ? "ok" : "ok-incomplete",
    reason: original !== undefined ? `the same log as ${original}` : (lost?.message ?? null),
    applicationId: application.id,
    attemptId: application.attemptId,
    applicationName: application.name,
    startTimeMs: application.startTimeMs,
    durationMs: application.durationMs,
    coreHours: application.coreHours,
    verdict: { cause: verdict.cause, title: verdict.title },
  };
}
