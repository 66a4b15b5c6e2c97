import { defineQuery, type Int } from "./query.ts";

export interface LogPartsRow {
  part: Int;
  path: string;
  codec: string;
  bytes: Int | null;
  uncompressed_bytes: Int;
  lines: Int;
}

/** One row a file of the log, in reading order. */
export const logParts = defineQuery<LogPartsRow>({
  name: "log-parts",
  about: "One row a file of the log, in reading order.",
  columns: ["part", "path", "codec", "bytes", "uncompressed_bytes", "lines"],
  sql: /* sql */ `
    SELECT part, path, codec, bytes, uncompressed_bytes, lines
    FROM log_part
    WHERE log_id = $log_id
    ORDER BY part
  `,
});
