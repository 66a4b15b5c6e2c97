import { longestExecutions } from "../queries/longest-executions.ts";
import { nestedExecutions } from "../queries/nested-executions.ts";
import type { Int, RunQuery } from "../queries/query.ts";
import { sqlExecutionJobs } from "../queries/sql-execution-jobs.ts";
import { sqlExecutionStages } from "../queries/sql-execution-stages.ts";
import { type SqlExecutionsRow, sqlExecutions } from "../queries/sql-executions.ts";
import { OrderedGroups } from "./ordered-groups.ts";

/** One SQL execution of the report. Exchanges and joins are those of the plan that ran. */
export interface SqlReport {
  executionId: Int;
  /** Itself for an outermost execution. */
  rootExecutionId: Int;
  description: string | null;
  /** running, completed or failed. */
  status: string;
  errorMessage: string | null;
  submittedMs: Int | null;
  completedMs: Int | null;
  durationMs: number | null;
  jobIds: Int[];
  /** Every stage its jobs list, skipped ones too. */
  stageIds: Int[];
  engine: string;
  planVersions: Int;
  /** null: not adaptive. */
  finalPlan: boolean | null;
  shuffleExchanges: Int;
  broadcastExchanges: Int;
  /** Among shuffleExchanges. */
  singlePartitionExchanges: Int;
  reusedExchanges: Int;
  cachedShuffleExchanges: Int;
  /** TakeOrderedAndProject, CollectLimit ...: shuffles that show no Exchange. */
  hiddenShuffles: Int;
  joins: Record<string, number>;
  initialJoins: Record<string, number>;
  /** What its shuffles moved, hidden ones too; null: not measured. */
  exchanged: {
    bytesWritten: Int | null;
    bytesRead: Int | null;
    rowsWritten: Int | null;
    rowsRead: Int | null;
    broadcastBytes: Int | null;
    /** Exchanges the plan could do without, as far as the plan alone tells. */
    avoidable: Int;
  };
  /** Executions that ran as part of this one. */
  nestedExecutionIds: Int[];
  aqe: { reads: Int; coalescedReads: Int; skewedReads: Int; localReads: Int; skewJoin: boolean };
}

/** The same without the ids that belong to it. */
export type SqlSummary = Omit<SqlReport, "jobIds" | "stageIds" | "nestedExecutionIds">;

/** The report's `sql[]`, by execution id. */
export function* sqlReport(run: RunQuery): Generator<SqlReport> {
  const jobs = new OrderedGroups(run.each(sqlExecutionJobs), (row) => [row.execution_id]);
  const stages = new OrderedGroups(run.each(sqlExecutionStages), (row) => [row.execution_id]);
  const nested = new OrderedGroups(run.each(nestedExecutions), (row) => [row.root_execution_id]);
  try {
    for (const row of run.each(sqlExecutions)) {
      const id = row.execution_id;
      yield {
        ...summarizeExecution(row),
        jobIds: jobs.take(id).map(({ job_id }) => job_id),
        stageIds: stages.take(id).map(({ stage_id }) => stage_id),
        nestedExecutionIds: nested.take(id).map(({ execution_id }) => execution_id),
      };
    }
  } finally {
    for (const groups of [jobs, stages, nested]) groups.close();
  }
}

/** What the printed formats list: the executions that took longest. */
export function summarizeLongest(run: RunQuery): SqlSummary[] {
  return run(longestExecutions).map(summarizeExecution);
}

function summarizeExecution(row: SqlExecutionsRow): SqlSummary {
  return {
    executionId: row.execution_id,
    rootExecutionId: row.root_execution_id,
    description: row.description,
    status: row.status,
    errorMessage: row.error_message === "" ? null : row.error_message,
    submittedMs: row.start_time_ms,
    completedMs: row.end_time_ms,
    durationMs: duration(row),
    engine: row.engine,
    planVersions: row.plan_versions,
    finalPlan: row.final_plan === null ? null : Number(row.final_plan) === 1,
    shuffleExchanges: row.shuffle_exchanges,
    broadcastExchanges: row.broadcast_exchanges,
    singlePartitionExchanges: row.single_partition_exchanges,
    reusedExchanges: row.reused_exchanges,
    cachedShuffleExchanges: row.cached_shuffle_exchanges,
    hiddenShuffles: row.hidden_shuffles,
    joins: JSON.parse(row.joins_json),
    initialJoins: JSON.parse(row.initial_joins_json),
    exchanged: {
      bytesWritten: row.exchange_bytes_written,
      bytesRead: row.exchange_bytes_read,
      rowsWritten: row.exchange_rows_written,
      rowsRead: row.exchange_rows_read,
      broadcastBytes: row.broadcast_bytes,
      avoidable: row.avoidable_exchanges,
    },
    aqe: {
      reads: row.aqe_reads,
      coalescedReads: row.aqe_coalesced_reads,
      skewedReads: row.aqe_skewed_reads,
      localReads: row.aqe_local_reads,
      skewJoin: Number(row.aqe_skew_joins) > 0,
    },
  };
}

/** A clock that was set back gives 0, an end or start that was not read null. */
function duration({ start_time_ms, end_time_ms }: SqlExecutionsRow): number | null {
  if (start_time_ms === null || end_time_ms === null) return null;
  return Math.max(0, Number(end_time_ms) - Number(start_time_ms));
}
