import { defineEvent } from "./event.ts";
import { text } from "./json.ts";

export const logStart = defineEvent({
  events: ["SparkListenerLogStart"],
  ingest: (json, log) => log.application.logStart(text(json["Spark Version"])),
});
