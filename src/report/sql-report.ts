import type { Int, RunQuery } from "../queries/query.ts";
import { sqlExecutionJobs } from "../queries/sql-execution-jobs.ts";
import { sqlExecutionStages } from "../queries/sql-execution-stages.ts";
import { type SqlExecutionsRow, sqlExecutions } from "../queries/sql-executions.ts";

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

/** The report's `sql[]`, by execution id. */
export function sqlReport(run: RunQuery): SqlReport[] {
  const jobs = groupIds(run(sqlExecutionJobs).map((row) => [row.execution_id, row.job_id]));
  const stages = groupIds(run(sqlExecutionStages).map((row) => [row.execution_id, row.stage_id]));
  const executions = run(sqlExecutions);
  const inner = executions.filter((row) => row.root_execution_id !== row.execution_id);
  const nested = groupIds(inner.map((row) => [row.root_execution_id, row.execution_id]));
  return executions.map((row) => ({
    executionId: row.execution_id,
    rootExecutionId: row.root_execution_id,
    description: row.description,
    status: row.status,
    errorMessage: row.error_message === "" ? null : row.error_message,
    submittedMs: row.start_time_ms,
    completedMs: row.end_time_ms,
    durationMs: duration(row),
    jobIds: jobs.get(row.execution_id) ?? [],
    stageIds: stages.get(row.execution_id) ?? [],
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
    nestedExecutionIds: nested.get(row.execution_id) ?? [],
    aqe: {
      reads: row.aqe_reads,
      coalescedReads: row.aqe_coalesced_reads,
      skewedReads: row.aqe_skewed_reads,
      localReads: row.aqe_local_reads,
      skewJoin: Number(row.aqe_skew_joins) > 0,
    },
  }));
}

/** A clock that was set back gives 0, an end or start that was not read null. */
function duration({ start_time_ms, end_time_ms }: SqlExecutionsRow): number | null {
  if (start_time_ms === null || end_time_ms === null) return null;
  return Math.max(0, Number(end_time_ms) - Number(start_time_ms));
}

function groupIds(pairs: [Int, Int][]): Map<Int, Int[]> {
  const groups = new Map<Int, Int[]>();
  for (const [key, id] of pairs) {
    const group = groups.get(key);
    if (group) group.push(id);
    else groups.set(key, [id]);
  }
  return groups;
}
