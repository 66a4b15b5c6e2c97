import { defineQuery, type Int } from "./query.ts";

export interface IssueCountsRow {
  code: string;
  severity: string;
  count: Int;
}

/** One row a kind of trouble with the data, most frequent first. */
export const issueCounts = defineQuery<IssueCountsRow>({
  name: "issue-counts",
  about: "One row a kind of trouble with the data, most frequent first.",
  columns: ["code", "severity", "count"],
  sql: /* sql */ `
    SELECT code, severity, SUM(count) AS count
    FROM ingest_issue
    WHERE log_id = $log_id
    GROUP BY code, severity
    ORDER BY count DESC, code
  `,
});
