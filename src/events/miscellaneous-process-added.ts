import { defineEvent } from "./event.ts";

export const miscellaneousProcessAdded = defineEvent({
  events: [
    "org.apache.spark.scheduler.SparkListenerMiscellaneousProcessAdded",
    "SparkListenerMiscellaneousProcessAdded",
  ],
  ingest: (json, log) => log.application.process(json),
});
