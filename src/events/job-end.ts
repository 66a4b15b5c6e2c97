import { defineEvent } from "./event.ts";

export const jobEnd = defineEvent({
  events: ["SparkListenerJobEnd"],
  ingest: (json, log) => log.jobEnd(json),
});
