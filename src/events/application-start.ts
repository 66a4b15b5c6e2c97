import { defineEvent } from "./event.ts";

export const applicationStart = defineEvent({
  events: ["SparkListenerApplicationStart"],
  ingest: (json, log) => log.application.start(json),
});
