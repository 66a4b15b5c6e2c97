import { defineEvent } from "./event.ts";

export const environmentUpdate = defineEvent({
  events: ["SparkListenerEnvironmentUpdate"],
  ingest: (json, log) => log.application.environment(json),
});
