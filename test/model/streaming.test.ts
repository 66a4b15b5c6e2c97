import { expect, test } from "vitest";
import { ingested } from "../helpers/ingested.ts";
import { type Fields, LogBuilder } from "../helpers/log-builder.ts";

const LISTENER = "org.apache.spark.sql.streaming.StreamingQueryListener$";

function progress(batchId: number, rows: number, fields: Fields = {}): Fields {
  return {
    progress: {
      id: "q",
      runId: "r",
      name: "orders",
      timestamp: "2025-01-01T00:01:00.000Z",
      batchId,
      batchDuration: 1500,
      durationMs: { triggerExecution: 1500, addBatch: 1000 },
      eventTime: { watermark: "1970-01-01T00:00:00.000Z" },
      stateOperators: [{ operatorName: "stateStoreSave", numRowsTotal: 10, numRowsDroppedByWatermark: 3 }],
      sources: [{ description: "KafkaV2[Subscribe[t]]", numInputRows: rows, inputRowsPerSecond: "NaN" }],
      sink: { description: "console", numOutputRows: -1 },
      ...fields,
    },
  };
}

test("a batch is kept with its rows, state and dropped rows; an unset watermark and NaN are unknown", async () => {
  const log = new LogBuilder().start().event(`${LISTENER}QueryProgressEvent`, progress(4, 20));
  const { rows } = await ingested(log.end());
  expect(
    rows(
      "SELECT batch_id, input_rows, input_rows_per_second, watermark_ms, output_rows FROM streaming_progress",
    ),
  ).toEqual([
    { batch_id: 4, input_rows: 20, input_rows_per_second: null, watermark_ms: null, output_rows: null },
  ]);
  expect(rows("SELECT rows_total, rows_dropped_by_watermark FROM streaming_state_operator")).toEqual([
    { rows_total: 10, rows_dropped_by_watermark: 3 },
  ]);
});

test("an idle repeat of a batch does not replace the batch", async () => {
  const log = new LogBuilder().start();
  for (const rows of [20, 0]) log.event(`${LISTENER}QueryProgressEvent`, progress(4, rows));
  const { rows } = await ingested(log.end());
  expect(rows("SELECT input_rows FROM streaming_progress")).toEqual([{ input_rows: 20 }]);
});

test("a query ends with its last batch, and its exception is kept", async () => {
  const log = new LogBuilder().start();
  log.event(`${LISTENER}QueryStartedEvent`, {
    id: "q",
    runId: "r",
    name: "orders",
    timestamp: "2025-01-01T00:00:05Z",
  });
  log.event(`${LISTENER}QueryProgressEvent`, progress(1, 1));
  log.event(`${LISTENER}QueryTerminatedEvent`, { id: "q", runId: "r", exception: "boom" });
  const { rows } = await ingested(log.end());
  expect(
    rows("SELECT name, terminated, exception, end_time_ms - start_time_ms AS ms FROM streaming_query"),
  ).toEqual([{ name: "orders", terminated: 1, exception: "boom", ms: 56_500 }]);
});
