import { diagnose } from "../findings/diagnose.ts";
import { DEFAULT_LIMITS, type Limits } from "../findings/limits.ts";
import { loadFacts } from "../findings/load-facts.ts";
import { applicationSummary } from "../queries/application.ts";
import { applicationCounts } from "../queries/application-counts.ts";
import { executors } from "../queries/executors.ts";
import { logIssues } from "../queries/issues.ts";
import { logSummary } from "../queries/log.ts";
import { logParts } from "../queries/log-parts.ts";
import type { RunQuery } from "../queries/query.ts";
import type { LoadStageTasks } from "../queries/stage-tasks.ts";
import { unknownEvents } from "../queries/unknown-events.ts";
import { maskDeep } from "./mask.ts";
import type { Report, ReportApplication, ReportLog, ReportTotals } from "./report.ts";
import { FORMAT_VERSION } from "./report.ts";
import { applicationCores, executorTotals, reportExecutors } from "./report-executors.ts";
import { reportJobs } from "./report-jobs.ts";
import { reportStages, summarizeSlowest } from "./report-stages.ts";
import { sqlLedger } from "./sql-ledger.ts";
import { sqlReport, summarizeLongest } from "./sql-report.ts";

/** Makes the report of one log from its database. Secrets are masked: a report travels, the database stays. */
export function buildReport(
  run: RunQuery,
  loadStageTasks: LoadStageTasks,
  limits: Limits = DEFAULT_LIMITS,
): Report {
  const application = reportApplication(run);
  const applicationMs = application.durationMs === null ? null : Number(application.durationMs);
  return {
    ...maskDeep({
      formatVersion: FORMAT_VERSION,
      log: reportLog(run),
      application,
      totals: reportTotals(run),
    }),
    jobs: masked(() => reportJobs(run)),
    stages: masked(() => reportStages(run, applicationMs)),
    executors: masked(() => reportExecutors(run.each(executors))),
    sql: masked(() => sqlReport(run)),
    ...maskDeep({
      sqlLedger: sqlLedger(run),
      ...diagnose(loadFacts(run, loadStageTasks, limits), { limits }),
      slowestStages: summarizeSlowest(run, applicationMs),
      longestExecutions: summarizeLongest(run),
    }),
  };
}

/** A list that is made anew, and masked row by row, each time it is gone through. */
function masked<Row>(rows: () => Iterable<Row>): Iterable<Row> {
  return {
    *[Symbol.iterator]() {
      for (const row of rows()) yield maskDeep(row);
    },
  };
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
    ...applicationCores(run.each(executors), log, row),
  };
}

function reportTotals(run: RunQuery): ReportTotals {
  const [counts] = run(applicationCounts);
  if (!counts) throw new Error("the database has no row for this log");
  return {
    lowerBound: run(logIssues).some(
      (issue) => issue.severity !== "info" && issue.code !== "incomplete-application",
    ),
    jobs: Number(counts.jobs),
    stages: Number(counts.stages),
    stageAttempts: Number(counts.stage_attempts),
    skippedStages: Number(counts.skipped_stages),
    taskEnds: run(logSummary)[0]?.task_ends ?? null,
    failedTasks: counts.failed_tasks,
    killedTasks: counts.killed_tasks,
    speculativeTasks: counts.speculative_tasks,
    ...executorTotals(run.each(executors)),
    sqlExecutions: Number(counts.sql_executions),
  };
}
