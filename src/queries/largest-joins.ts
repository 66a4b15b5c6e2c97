import { type JoinsRow, joins } from "./joins.ts";
import { defineQuery } from "./query.ts";

/** The 5,000 joins with the largest sides. A report reads these and not all, so that it stays small. */
export const largestJoins = defineQuery<JoinsRow>({
  ...joins,
  name: "largest-joins",
  about: "The 5,000 joins with the largest sides.",
  sql: joins.sql.replace(
    "ORDER BY execution_id, node_id",
    "ORDER BY COALESCE(left_bytes, 0) + COALESCE(right_bytes, 0) DESC, COALESCE(output_rows, -1) DESC, execution_id, node_id LIMIT 5000",
  ),
});
