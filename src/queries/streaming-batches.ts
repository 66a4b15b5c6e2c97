import { defineQuery, type Int } from "./query.ts";

export interface StreamingBatchesRow {
  run_id: string;
  batch_id: Int;
  trigger_time_ms: Int | null;
  batch_duration_ms: Int | null;
  input_rows: Int | null;
  input_rows_per_second: number | null;
  processed_rows_per_second: number | null;
  watermark_ms: Int | null;
  max_event_time_ms: Int | null;
  /** State rows after the batch, over its stateful operators. */
  rows_total: Int | null;
  rows_dropped_by_watermark: Int | null;
  memory_used_bytes: Int | null;
  state_store: string | null;
}

/** One row a micro-batch with the sums over its stateful operators, in order. */
export const streamingBatches = defineQuery<StreamingBatchesRow>({
  name: "streaming-batches",
  about: "One row a micro-batch, in order.",
  columns: [
    "run_id",
    "batch_id",
    "trigger_time_ms",
    "batch_duration_ms",
    "input_rows",
    "input_rows_per_second",
    "processed_rows_per_second",
    "watermark_ms",
    "max_event_time_ms",
    "rows_total",
    "rows_dropped_by_watermark",
    "memory_used_bytes",
    "state_store",
  ],
  sql: /* sql */ `
    SELECT
      p.run_id,
      p.batch_id,
      p.trigger_time_ms,
      p.batch_duration_ms,
      p.input_rows,
      p.input_rows_per_second,
      p.processed_rows_per_second,
      p.watermark_ms,
      p.max_event_time_ms,
      SUM(o.rows_total) AS rows_total,
      SUM(o.rows_dropped_by_watermark) AS rows_dropped_by_watermark,
      SUM(o.memory_used_bytes) AS memory_used_bytes,
      MAX(o.state_store) AS state_store
    FROM streaming_progress AS p
    LEFT JOIN streaming_state_operator AS o ON o.log_id = p.log_id AND o.run_id = p.run_id AND o.batch_id = p.batch_id
    WHERE p.log_id = $log_id
    GROUP BY p.run_id, p.batch_id
    ORDER BY p.trigger_time_ms, p.run_id, p.batch_id
  `,
});
