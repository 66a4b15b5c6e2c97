import { defineEvent } from "./event.ts";

export const applicationEnd = defineEvent({
  events: ["SparkListenerApplicationEnd"],
  ingest: (json, log) => log.application.end(json),
});
