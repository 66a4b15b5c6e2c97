import { defineEvent } from "./event.ts";

export const blockManagerAdded = defineEvent({
  events: ["SparkListenerBlockManagerAdded"],
  ingest: (json, log) => log.executors.blockManagerAdded(json),
});
