import { defineQuery, type Int } from "./query.ts";

export interface PlacementsRow {
  execution_id: Int;
  node_id: Int;
  kind: string;
  detail: string;
  below_node_id: Int | null;
  rows_in: Int | null;
  rows_out: Int | null;
  bytes: Int | null;
  time_ms: Int | null;
}

/** One row an operator whose place or presence costs rows, bytes or time: late filters, Python boundaries, Expand, Generate, windows over all rows. */
export const placements = defineQuery<PlacementsRow>({
  name: "placements",
  about: "One row an operator whose place or presence costs rows, bytes or time.",
  columns: [
    "execution_id",
    "node_id",
    "kind",
    "detail",
    "below_node_id",
    "rows_in",
    "rows_out",
    "bytes",
    "time_ms",
  ],
  sql: /* sql */ `
    SELECT
      execution_id,
      node_id,
      kind,
      detail,
      below_node_id,
      rows_in,
      rows_out,
      bytes,
      time_ms
    FROM sql_placement
    WHERE log_id = $log_id
    ORDER BY execution_id, node_id
  `,
});
