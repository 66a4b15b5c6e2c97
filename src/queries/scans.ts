import { defineQuery, type Int } from "./query.ts";

export interface ScansRow {
  execution_id: Int;
  node_id: Int;
  relation: string;
  format: string | null;
  location: string | null;
  partition_filters: string | null;
  pushed_filters: string | null;
  data_filters: string | null;
  /** 1: the table has partition columns; NULL: the plan does not say. */
  partitioned: Int | null;
  files_read: Int | null;
  bytes_read: Int | null;
  partitions_read: Int | null;
  output_rows: Int | null;
  /** Listing files, on the driver. */
  metadata_time_ms: Int | null;
  scan_time_ms: Int | null;
  in_cache: Int;
  in_subquery: Int;
}

/** One row a scan of the plans that ran, by execution and node. */
export const scans = defineQuery<ScansRow>({
  name: "scans",
  about: "One row a scan of the plans that ran: filters, files, rows and times.",
  columns: [
    "execution_id",
    "node_id",
    "relation",
    "format",
    "location",
    "partition_filters",
    "pushed_filters",
    "data_filters",
    "partitioned",
    "files_read",
    "bytes_read",
    "partitions_read",
    "output_rows",
    "metadata_time_ms",
    "scan_time_ms",
    "in_cache",
    "in_subquery",
  ],
  sql: /* sql */ `
    SELECT
      execution_id,
      node_id,
      relation,
      format,
      location,
      partition_filters,
      pushed_filters,
      data_filters,
      partitioned,
      files_read,
      bytes_read,
      partitions_read,
      output_rows,
      metadata_time_ms,
      scan_time_ms,
      in_cache,
      in_subquery
    FROM sql_scan
    WHERE log_id = $log_id
    ORDER BY execution_id, node_id
  `,
});
