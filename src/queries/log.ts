import { defineQuery, type Int } from "./query.ts";

export interface LogSummaryRow {
  path: string;
  layout: string;
  codec: string;
  bytes: Int | null;
  uncompressed_bytes: Int;
  lines: Int;
  events: Int;
  task_ends: Int;
  bad_lines: Int;
  task_end_fallbacks: Int;
  first_time_ms: Int | null;
  last_time_ms: Int | null;
  slice: string | null;
  /** Of the first lines: copies of one log share it. */
  first_event_hash: string | null;
}

/** One row: the log itself. */
export const logSummary = defineQuery<LogSummaryRow>({
  name: "log",
  about: "One row: the log, its size, and how much of it could be read.",
  columns: [
    "path",
    "layout",
    "codec",
    "bytes",
    "uncompressed_bytes",
    "lines",
    "events",
    "task_ends",
    "bad_lines",
    "task_end_fallbacks",
    "first_time_ms",
    "last_time_ms",
    "slice",
    "first_event_hash",
  ],
  sql: /* sql */ `
    SELECT path, layout, codec, bytes, uncompressed_bytes, lines, events, task_ends, bad_lines, task_end_fallbacks,
      first_time_ms, last_time_ms, slice, first_event_hash
    FROM log
    WHERE log_id = $log_id
    ORDER BY log_id
  `,
});
