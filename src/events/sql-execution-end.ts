import { defineEvent } from "./event.ts";

export const sqlExecutionEnd = defineEvent({
  events: ["org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd"],
  ingest(json, log) {
    log.flushTasks();
    log.sql.executionEnd(json);
  },
});
