import { defineEvent } from "./event.ts";

export const unpersistRdd = defineEvent({
  events: ["SparkListenerUnpersistRDD"],
  ingest: (json, log) => log.storage.unpersisted(json),
});
