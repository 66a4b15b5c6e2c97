import { defineEvent } from "./event.ts";

export const sqlAdaptiveMetricUpdates = defineEvent({
  events: ["org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveSQLMetricUpdates"],
  ingest(json, log) {
    log.flushTasks();
    log.sql.adaptiveMetricUpdates(json);
  },
});
