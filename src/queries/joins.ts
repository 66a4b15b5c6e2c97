import { defineQuery, type Int } from "./query.ts";

export interface JoinsRow {
  execution_id: Int;
  node_id: Int;
  kind: string;
  join_type: string | null;
  build_side: string | null;
  left_keys: string;
  right_keys: string;
  left_exchange_node_id: Int | null;
  /** Rows before compression; NULL: not measured. */
  left_bytes: Int | null;
  left_rows: Int | null;
  right_exchange_node_id: Int | null;
  right_bytes: Int | null;
  right_rows: Int | null;
  output_rows: Int | null;
  build_time_ms: Int | null;
  spill_bytes: Int | null;
  skew: Int;
  /** Kind in the first plan, where AQE changed it. */
  changed_from: string | null;
  in_cache: Int;
  in_subquery: Int;
}

/** One row a join of the plans that ran, by execution and node. Sizes are of the exchange that brings the side. */
export const joins = defineQuery<JoinsRow>({
  name: "joins",
  about: "One row a join of the plans that ran, with the measured size of both sides.",
  columns: [
    "execution_id",
    "node_id",
    "kind",
    "join_type",
    "build_side",
    "left_keys",
    "right_keys",
    "left_exchange_node_id",
    "left_bytes",
    "left_rows",
    "right_exchange_node_id",
    "right_bytes",
    "right_rows",
    "output_rows",
    "build_time_ms",
    "spill_bytes",
    "skew",
    "changed_from",
    "in_cache",
    "in_subquery",
  ],
  sql: /* sql */ `
    SELECT
      execution_id,
      node_id,
      kind,
      join_type,
      build_side,
      left_keys,
      right_keys,
      left_exchange_node_id,
      left_bytes,
      left_rows,
      right_exchange_node_id,
      right_bytes,
      right_rows,
      output_rows,
      build_time_ms,
      spill_bytes,
      skew,
      changed_from,
      in_cache,
      in_subquery
    FROM sql_join
    WHERE log_id = $log_id
    ORDER BY execution_id, node_id
  `,
});
