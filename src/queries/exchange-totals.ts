import { defineQuery, type Int } from "./query.ts";

export interface ExchangeTotalsRow {
  kind: string;
  /** Into one partition, but for broadcasts from executors. */
  single: Int;
  in_cache: Int;
  exchanges: Int;
  reused_reads: Int;
  avoidable: Int;
  /** Sums in two halves, high * 2^32 + low: SQLite's SUM fails beyond 2^63. NULL: no exchange was measured. */
  bytes_written_high: Int | null;
  bytes_written_low: Int | null;
  bytes_read_high: Int | null;
  bytes_read_low: Int | null;
  rows_written_high: Int | null;
  rows_written_low: Int | null;
  rows_read_high: Int | null;
  rows_read_low: Int | null;
  data_bytes_high: Int | null;
  data_bytes_low: Int | null;
}

const MEASURES = ["bytes_written", "bytes_read", "rows_written", "rows_read", "data_bytes"] as const;

/** Counts and sums of all exchanges by kind: at most a dozen rows however many executions there are. */
export const exchangeTotals = defineQuery<ExchangeTotalsRow>({
  name: "exchange-totals",
  about: "One row a kind of exchange with counts and sums over all plans that ran.",
  columns: [
    "kind",
    "single",
    "in_cache",
    "exchanges",
    "reused_reads",
    "avoidable",
    "bytes_written_high",
    "bytes_written_low",
    "bytes_read_high",
    "bytes_read_low",
    "rows_written_high",
    "rows_written_low",
    "rows_read_high",
    "rows_read_low",
    "data_bytes_high",
    "data_bytes_low",
  ],
  sql: /* sql */ `
    SELECT
      kind,
      scheme = 'single' AND IFNULL(origin, '') <> 'EXECUTOR_BROADCAST' AS single,
      in_cache,
      COUNT(*) AS exchanges,
      SUM(CASE WHEN kind = 'hidden' THEN 0 ELSE MAX(0, readers - 1) END) AS reused_reads,
      COUNT(avoidable) AS avoidable,
      ${MEASURES.map((name) => `SUM(${name} >> 32) AS ${name}_high, SUM(${name} & 4294967295) AS ${name}_low`).join(", ")}
    FROM sql_exchange
    WHERE log_id = $log_id
    GROUP BY 1, 2, 3
    ORDER BY 1, 2, 3
  `,
});
