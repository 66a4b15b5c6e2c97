import type { Check } from "../findings/checks.ts";
import type { CauseRuling, Diagnosis, Finding, Verdict } from "../findings/diagnose.ts";
import type { Int } from "../store/rows.ts";
import type { SqlLedger } from "./sql-ledger.ts";
import type { SqlReport, SqlSummary } from "./sql-report.ts";

export type { LedgerExchange, LedgerJoin, LedgerPlacement, LedgerSpill, SqlLedger } from "./sql-ledger.ts";

/** Raised when a fixed key changes its meaning. */
export const FORMAT_VERSION = 1;

/** An integer: a decimal string beyond 2^53 - 1 in JSON. */
export type ReportInt = Int | null;

/** Quantiles by Spark's rule over the successful tasks of a stage attempt. */
export interface Quantiles {
  min: ReportInt;
  p05: ReportInt;
  p25: ReportInt;
  p50: ReportInt;
  p75: ReportInt;
  p95: ReportInt;
  p99: ReportInt;
  max: ReportInt;
}

export interface ReportIssue {
  code: string;
  severity: string;
  count: number;
  part: number | null;
  line: number | null;
  byteOffset: number | null;
  message: string;
}

export interface ReportLog {
  path: string;
  layout: string;
  codec: string;
  parts: { path: string; codec: string; bytes: ReportInt; uncompressedBytes: ReportInt; lines: ReportInt }[];
  bytes: ReportInt;
  uncompressedBytes: ReportInt;
  lines: ReportInt;
  events: ReportInt;
  taskEnds: ReportInt;
  badLines: ReportInt;
  taskEndFallbacks: ReportInt;
  unknownEvents: Record<string, number>;
  slice: string | null;
  /** Of the first lines: copies of one log share it. */
  fingerprint: string | null;
  issues: ReportIssue[];
}

export interface ReportApplication {
  id: string | null;
  attemptId: string | null;
  name: string | null;
  sparkVersion: string | null;
  user: string | null;
  master: string | null;
  deployMode: string | null;
  vendor: string | null;
  startTimeMs: ReportInt;
  endTimeMs: ReportInt;
  /** Without an application end: up to the last event, and `complete` is false. */
  durationMs: ReportInt;
  complete: boolean;
  cores: { peak: number | null; atEnd: number | null };
  coreHours: number | null;
}

export interface ReportTotals {
  /** True where the log lost data: every count here is at least so large. */
  lowerBound: boolean;
  jobs: number;
  stages: number;
  stageAttempts: number;
  skippedStages: number;
  taskEnds: ReportInt;
  failedTasks: number;
  killedTasks: number;
  speculativeTasks: number;
  executorsAdded: number;
  executorsRemoved: number;
  executorsLost: number;
  sqlExecutions: number;
}

export interface ReportJob {
  jobId: ReportInt;
  status: string;
  submittedMs: ReportInt;
  completedMs: ReportInt;
  durationMs: ReportInt;
  stageIds: number[];
  sqlExecutionId: ReportInt;
  description: string | null;
  failure: string | null;
}

export interface ReportStage {
  stageId: number;
  stageAttemptId: number;
  name: string | null;
  status: string;
  jobIds: number[];
  submittedMs: ReportInt;
  completedMs: ReportInt;
  firstTaskLaunchedMs: ReportInt;
  durationMs: ReportInt;
  ownTimeMs: number | null;
  shareOfApplication: number | null;
  expectedTasks: ReportInt;
  /** True where tasks of a complete stage have no end in the log: every total is a lower bound. */
  lowerBound: boolean;
  tasks: number;
  taskEnds: number;
  succeeded: number;
  failed: number;
  killed: number;
  inputBytes: ReportInt;
  inputRecords: ReportInt;
  outputBytes: ReportInt;
  outputRecords: ReportInt;
  shuffleReadBytes: ReportInt;
  shuffleReadRecords: ReportInt;
  shuffleWriteBytes: ReportInt;
  shuffleWriteRecords: ReportInt;
  shuffleWriteOverInput: number | null;
  memoryBytesSpilled: ReportInt;
  diskBytesSpilled: ReportInt;
  spillingTasks: number;
  jvmGcTimeMs: ReportInt;
  executorRunTimeMs: ReportInt;
  executorCpuTimeNs: ReportInt;
  runTimeMs: Quantiles | null;
  metrics: Record<string, Quantiles>;
  skewRatio: number | null;
  failureReason: string | null;
}

/** The same without what only a list of all stages tells. */
export type StageSummary = Omit<ReportStage, "jobIds" | "metrics">;

export interface ReportExecutor {
  executorId: string;
  host: string | null;
  cores: ReportInt;
  addedMs: ReportInt;
  removedMs: ReportInt;
  removedReason: string | null;
  exitCode: ReportInt;
  removalDetail: string | null;
  removalClass: string | null;
  /** Abnormal and not at shutdown. */
  lost: boolean;
  completedTasks: number;
  failedTasks: number;
  killedTasks: number;
  totalDurationMs: ReportInt;
  totalGcTimeMs: ReportInt;
}

/**
 * jobs, stages, executors and sql may have a hundred thousand rows: they are read from the database each time they are gone
 * through, as long as it is open.
 */
export interface Report {
  formatVersion: number;
  log: ReportLog;
  application: ReportApplication;
  totals: ReportTotals;
  jobs: Iterable<ReportJob>;
  stages: Iterable<ReportStage>;
  executors: Iterable<ReportExecutor>;
  sql: Iterable<SqlReport>;
  /** Exchanges, joins, scans and spill of all plans; null: no SQL. */
  sqlLedger: SqlLedger | null;
  checks: Check[];
  causes: CauseRuling[];
  findings: Finding[];
  verdict: Verdict;
  /** Where the wall clock went, ms; the parts add up to totalMs. null: nothing could be measured. */
  wallClock: Diagnosis["wallClock"];
  coreHours: Diagnosis["coreHours"];
  /** In how many stages the causes were looked for. */
  judged: Diagnosis["judged"];
  /** Histogram of the tasks of the stage that the checks look at; null: it has none. */
  taskTimes: Diagnosis["taskTimes"];
  /** Settings that matter, each with its source. */
  configuration: Diagnosis["configuration"];
  /** What the printed formats list of stages and sql: the slowest stage attempts, the longest executions. */
  slowestStages: StageSummary[];
  longestExecutions: SqlSummary[];
}

/** A report that holds its lists itself and outlives its database. */
export interface WholeReport extends Report {
  jobs: ReportJob[];
  stages: ReportStage[];
  executors: ReportExecutor[];
  sql: SqlReport[];
}

export function wholeReport(report: Report): WholeReport {
  const { jobs, stages, executors, sql } = report;
  return { ...report, jobs: [...jobs], stages: [...stages], executors: [...executors], sql: [...sql] };
}
