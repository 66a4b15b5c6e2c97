import { defineEvent } from "./event.ts";

export const sqlAdaptiveExecutionUpdate = defineEvent({
  events: ["org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate"],
  ingest(json, log) {
    log.flushTasks();
    log.sql.adaptiveExecutionUpdate(json);
  },
});
