import { diagnose } from "../findings/diagnose.ts";
import { DEFAULT_LIMITS, type Limits } from "../findings/limits.ts";
import { loadFacts } from "../findings/load-facts.ts";
import { applicationSummary } from "../queries/application.ts";
import { executors } from "../queries/executors.ts";
import { logIssues } from "../queries/issues.ts";
import { jobStages } from "../queries/job-stages.ts";
import { jobs } from "../queries/jobs.ts";
import { logSummary } from "../queries/log.ts";
import { logParts } from "../queries/log-parts.ts";
import type { RunQuery } from "../queries/query.ts";
import { stageQuantiles } from "../queries/stage-quantiles.ts";
import type { LoadStageTasks } from "../queries/stage-tasks.ts";
import { stages } from "../queries/stages.ts";
import { unknownEvents } from "../queries/unknown-events.ts";
import { maskDeep } from "./mask.ts";
import type { Report, ReportApplication, ReportLog, ReportTotals } from "./report.ts";
import { FORMAT_VERSION } from "./report.ts";
import { applicationCores, executorTotals, reportExecutors } from "./report-executors.ts";
import { reportJobs } from "./report-jobs.ts";
import { hasRun, reportStages } from "./report-stages.ts";
import { sqlLedger } from "./sql-ledger.ts";
import { sqlReport } from "./sql-report.ts";

/** Makes the report of one log from its database. Secrets are masked: a report travels, the database stays. */
export function buildReport(
  run: RunQuery,
  loadStageTasks: LoadStageTasks,
  limits: Limits = DEFAULT_LIMITS,
): Report {
  const log = reportLog(run);
  const application = reportApplication(run);
  const sql = sqlReport(run);
  const report: Report = {
    formatVersion: FORMAT_VERSION,
    log,
    application,
    totals: reportTotals(run, sql.length),
    jobs: reportJobs(run(jobs), run(jobStages)),
    stages: reportStages(
      run(stages),
      run(stageQuantiles),
      run(jobStages),
      application.durationMs === null ? null : Number(application.durationMs),
    ),
    executors: reportExecutors(run(executors)),
    sql,
    sqlLedger: sqlLedger(run),
    ...diagnose(loadFacts(run, loadStageTasks, limits), { limits }),
  };
  return maskDeep(report);
}

function reportLog(run: RunQuery): ReportLog {
  const [row] = run(logSummary);
  if (!row) throw new Error("the database has no row for this log");
  return {
    path: row.path,
    layout: row.layout,
    codec: row.codec,
    parts: run(logParts).map((part) => ({
      path: part.path,
      codec: part.codec,
      bytes: part.bytes,
      uncompressedBytes: part.uncompressed_bytes,
      lines: part.lines,
    })),
    bytes: row.bytes,
    uncompressedBytes: row.uncompressed_bytes,
    lines: row.lines,
    events: row.events,
    taskEnds: row.task_ends,
    badLines: row.bad_lines,
    taskEndFallbacks: row.task_end_fallbacks,
    unknownEvents: Object.fromEntries(run(unknownEvents).map(({ event, lines }) => [event, Number(lines)])),
    slice: row.slice,
    fingerprint: row.first_event_hash,
    issues: run(logIssues).map((issue) => ({
      code: issue.code,
      severity: issue.severity,
      count: Number(issue.count),
      part: issue.part === null ? null : Number(issue.part),
      line: issue.line === null ? null : Number(issue.line),
      byteOffset: issue.byte_offset === null ? null : Number(issue.byte_offset),
      message: issue.message,
    })),
  };
}

function reportApplication(run: RunQuery): ReportApplication {
  const [row] = run(applicationSummary);
  const [log] = run(logSummary);
  if (!row || !log) throw new Error("the database has no application for this log");
  const end = row.end_time_ms ?? log.last_time_ms;
  return {
    id: row.application_id,
    attemptId: row.attempt_id,
    name: row.name,
    sparkVersion: row.spark_version,
    user: row.user,
    master: row.master,
    deployMode: row.deploy_mode,
    vendor: row.vendor,
    startTimeMs: row.start_time_ms,
    endTimeMs: row.end_time_ms,
    durationMs:
      row.start_time_ms === null || end === null
        ? null
        : Math.max(0, Number(end) - Number(row.start_time_ms)),
    complete: row.end_time_ms !== null,
    ...applicationCores(run(executors), log, row),
  };
}

function reportTotals(run: RunQuery, sqlExecutions: number): ReportTotals {
  const rows = run(stages);
  const ran = rows.filter((row) => hasRun(row.status));
  const sum = (name: "failed" | "killed" | "speculative") =>
    rows.reduce((total, row) => total + Number(row[name]), 0);
  return {
    lowerBound: run(logIssues).some(
      (issue) => issue.severity !== "info" && issue.code !== "incomplete-application",
    ),
    jobs: run(jobs).length,
    stages: new Set(ran.map((row) => Number(row.stage_id))).size,
    stageAttempts: ran.length,
    skippedStages: rows.filter((row) => row.status === "skipped").length,
    taskEnds: run(logSummary)[0]?.task_ends ?? null,
    failedTasks: sum("failed"),
    killedTasks: sum("killed"),
    speculativeTasks: sum("speculative"),
    ...executorTotals(run(executors)),
    sqlExecutions,
  };
}
