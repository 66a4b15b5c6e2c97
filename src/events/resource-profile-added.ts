import { defineEvent } from "./event.ts";

export const resourceProfileAdded = defineEvent({
  events: ["SparkListenerResourceProfileAdded"],
  ingest: (json, log) => log.application.resourceProfile(json),
});
