import { defineEvent } from "./event.ts";

export const executorAdded = defineEvent({
  events: ["SparkListenerExecutorAdded"],
  ingest: (json, log) => log.executors.added(json),
});
