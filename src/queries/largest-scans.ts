import { defineQuery } from "./query.ts";
import { type ScansRow, scans } from "./scans.ts";

/** The 5,000 scans that read most. A report reads these and not all, so that it stays small. */
export const largestScans = defineQuery<ScansRow>({
  ...scans,
  name: "largest-scans",
  about: "The 5,000 scans that read most.",
  sql: scans.sql.replace(
    "ORDER BY execution_id, node_id",
    "ORDER BY COALESCE(bytes_read, output_rows, -1) DESC, execution_id, node_id LIMIT 5000",
  ),
});
