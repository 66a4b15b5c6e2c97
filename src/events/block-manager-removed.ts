import { defineEvent } from "./event.ts";

export const blockManagerRemoved = defineEvent({
  events: ["SparkListenerBlockManagerRemoved"],
  ingest: (json, log) => log.executors.blockManagerRemoved(json),
});
