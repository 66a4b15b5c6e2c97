import { defineEvent } from "./event.ts";

export const driverAccumUpdates = defineEvent({
  events: ["org.apache.spark.sql.execution.ui.SparkListenerDriverAccumUpdates"],
  ingest: (json, log) => log.sql.driverAccumUpdates(json),
});
