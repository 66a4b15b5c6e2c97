import { defineEvent } from "./event.ts";

export const taskEnd = defineEvent({
  events: ["SparkListenerTaskEnd"],
  ingest: (json, log) => log.taskEnd(json),
});
