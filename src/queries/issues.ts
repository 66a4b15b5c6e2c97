import { defineQuery, type Int } from "./query.ts";

export interface LogIssuesRow {
  code: string;
  severity: string;
  count: Int;
  part: Int | null;
  line: Int | null;
  byte_offset: Int | null;
  message: string;
}

/** One row a kind of trouble with the data, the worst first. */
export const logIssues = defineQuery<LogIssuesRow>({
  name: "issues",
  about: "One row a kind of trouble with the data, the worst first.",
  columns: ["code", "severity", "count", "part", "line", "byte_offset", "message"],
  sql: /* sql */ `
    SELECT code, severity, count, part, line, byte_offset, message
    FROM ingest_issue
    WHERE log_id = $log_id
    ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'data-loss' THEN 1 ELSE 2 END, rowid
  `,
});
