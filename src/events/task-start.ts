import { defineEvent } from "./event.ts";

export const taskStart = defineEvent({
  events: ["SparkListenerTaskStart"],
  ingest: (json, log) => log.taskStart(json),
});
