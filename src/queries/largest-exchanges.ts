import { type ExchangesRow, exchanges } from "./exchanges.ts";
import { defineQuery } from "./query.ts";

/** The 5,000 exchanges that wrote most. A report reads these and not all, so that it stays small. */
export const largestExchanges = defineQuery<ExchangesRow>({
  ...exchanges,
  name: "largest-exchanges",
  about: "The 5,000 exchanges that wrote most.",
  sql: exchanges.sql.replace(
    "ORDER BY execution_id, node_id",
    "ORDER BY COALESCE(bytes_written, data_bytes, -1) DESC, execution_id, node_id LIMIT 5000",
  ),
});
