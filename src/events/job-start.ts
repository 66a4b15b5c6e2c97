import { defineEvent } from "./event.ts";

export const jobStart = defineEvent({
  events: ["SparkListenerJobStart"],
  ingest: (json, log) => log.jobStart(json),
});
