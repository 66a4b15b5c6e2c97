import { type PlacementsRow, placements } from "./placements.ts";
import { defineQuery } from "./query.ts";

/** The 5,000 operators at a costly place with most rows. A report reads these and not all, so that it stays small. */
export const largestPlacements = defineQuery<PlacementsRow>({
  ...placements,
  name: "largest-placements",
  about: "The 5,000 operators at a costly place with most rows.",
  sql: placements.sql.replace(
    "ORDER BY execution_id, node_id",
    "ORDER BY COALESCE(rows_in, -1) DESC, execution_id, node_id LIMIT 5000",
  ),
});
