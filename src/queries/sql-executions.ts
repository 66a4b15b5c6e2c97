import { defineQuery, type Int } from "./query.ts";

export interface SqlExecutionsRow {
  execution_id: Int;
  root_execution_id: Int;
  description: string | null;
  status: string;
  error_message: string | null;
  start_time_ms: Int | null;
  end_time_ms: Int | null;
  engine: string;
  plan_versions: Int;
  /** 1: isFinalPlan=true, 0: adaptive but not final, NULL: not adaptive. */
  final_plan: Int | null;
  shuffle_exchanges: Int;
  broadcast_exchanges: Int;
  single_partition_exchanges: Int;
  reused_exchanges: Int;
  cached_shuffle_exchanges: Int;
  hidden_shuffles: Int;
  /** {"SortMergeJoin": 1} by Spark's kind. */
  joins_json: string;
  initial_joins_json: string;
  aqe_reads: Int;
  aqe_coalesced_reads: Int;
  aqe_skewed_reads: Int;
  aqe_local_reads: Int;
  aqe_skew_joins: Int;
  /** Over its shuffles, hidden ones too; NULL: none was measured. */
  exchange_bytes_written: Int | null;
  exchange_bytes_read: Int | null;
  exchange_rows_written: Int | null;
  exchange_rows_read: Int | null;
  broadcast_bytes: Int | null;
  avoidable_exchanges: Int;
}

/** One row an SQL execution with what its plan holds, by id. The numbers are those of the plan that ran. */
export const sqlExecutions = defineQuery<SqlExecutionsRow>({
  name: "sql-executions",
  about: "One row an SQL execution: exchanges, joins and AQE reads of the plan that ran, by id.",
  columns: [
    "execution_id",
    "root_execution_id",
    "description",
    "status",
    "error_message",
    "start_time_ms",
    "end_time_ms",
    "engine",
    "plan_versions",
    "final_plan",
    "shuffle_exchanges",
    "broadcast_exchanges",
    "single_partition_exchanges",
    "reused_exchanges",
    "cached_shuffle_exchanges",
    "hidden_shuffles",
    "joins_json",
    "initial_joins_json",
    "aqe_reads",
    "aqe_coalesced_reads",
    "aqe_skewed_reads",
    "aqe_local_reads",
    "aqe_skew_joins",
    "exchange_bytes_written",
    "exchange_bytes_read",
    "exchange_rows_written",
    "exchange_rows_read",
    "broadcast_bytes",
    "avoidable_exchanges",
  ],
  sql: /* sql */ `
    SELECT
      execution_id,
      root_execution_id,
      description,
      status,
      error_message,
      start_time_ms,
      end_time_ms,
      engine,
      plan_versions,
      final_plan,
      shuffle_exchanges,
      broadcast_exchanges,
      single_partition_exchanges,
      reused_exchanges,
      cached_shuffle_exchanges,
      hidden_shuffles,
      joins_json,
      initial_joins_json,
      aqe_reads,
      aqe_coalesced_reads,
      aqe_skewed_reads,
      aqe_local_reads,
      aqe_skew_joins,
      exchange_bytes_written,
      exchange_bytes_read,
      exchange_rows_written,
      exchange_rows_read,
      broadcast_bytes,
      avoidable_exchanges
    FROM sql_execution
    WHERE log_id = $log_id
    ORDER BY execution_id
  `,
});
