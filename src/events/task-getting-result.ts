import { defineEvent } from "./event.ts";

export const taskGettingResult = defineEvent({
  events: ["SparkListenerTaskGettingResult"],
  ingest: (json, log) => log.taskGettingResult(json),
});
