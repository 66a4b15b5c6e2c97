import { defineEvent } from "./event.ts";

export const sqlExecutionStart = defineEvent({
  events: ["org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart"],
  ingest: (json, log) => log.sql.executionStart(json),
});
