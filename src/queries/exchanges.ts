import { defineQuery, type Int } from "./query.ts";

export interface ExchangesRow {
  execution_id: Int;
  node_id: Int;
  /** shuffle, broadcast, or hidden: a shuffle without an Exchange node. */
  kind: string;
  scheme: string;
  keys: string;
  origin: string | null;
  configured_partitions: Int | null;
  /** As AQE made them; NULL without an AQE reader. */
  effective_partitions: Int | null;
  coalesced: Int;
  skew_split: Int;
  local_read: Int;
  /** Rows before compression. */
  data_bytes: Int | null;
  bytes_written: Int | null;
  rows_written: Int | null;
  bytes_read: Int | null;
  rows_read: Int | null;
  fetch_wait_ms: Int | null;
  /** Operators that read it; above 1 it is reused. */
  readers: Int;
  consumer_node_id: Int | null;
  consumer_kind: string | null;
  why: string;
  /** back-to-back, already-partitioned, duplicate-subtree; NULL: no sign of it. */
  avoidable: string | null;
  avoidable_why: string | null;
  in_cache: Int;
  in_subquery: Int;
}

/** One row an exchange of the plans that ran, hidden shuffles and cached plans among them, by execution and node. */
export const exchanges = defineQuery<ExchangesRow>({
  name: "exchanges",
  about:
    "One row an exchange of the plans that ran: what it moved, why it is there, whether it looks avoidable.",
  columns: [
    "execution_id",
    "node_id",
    "kind",
    "scheme",
    "keys",
    "origin",
    "configured_partitions",
    "effective_partitions",
    "coalesced",
    "skew_split",
    "local_read",
    "data_bytes",
    "bytes_written",
    "rows_written",
    "bytes_read",
    "rows_read",
    "fetch_wait_ms",
    "readers",
    "consumer_node_id",
    "consumer_kind",
    "why",
    "avoidable",
    "avoidable_why",
    "in_cache",
    "in_subquery",
  ],
  sql: /* sql */ `
    SELECT
      execution_id,
      node_id,
      kind,
      scheme,
      keys,
      origin,
      configured_partitions,
      effective_partitions,
      coalesced,
      skew_split,
      local_read,
      data_bytes,
      bytes_written,
      rows_written,
      bytes_read,
      rows_read,
      fetch_wait_ms,
      readers,
      consumer_node_id,
      consumer_kind,
      why,
      avoidable,
      avoidable_why,
      in_cache,
      in_subquery
    FROM sql_exchange
    WHERE log_id = $log_id
    ORDER BY execution_id, node_id
  `,
});
