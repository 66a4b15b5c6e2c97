import { defineEvent } from "./event.ts";

export const blockUpdated = defineEvent({
  events: ["SparkListenerBlockUpdated"],
  ingest: (json, log) => log.storage.blockUpdated(json),
});
