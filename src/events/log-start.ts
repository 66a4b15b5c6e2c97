import { text } from "../json.ts";
import { defineEvent } from "./event.ts";

export const logStart = defineEvent({
  events: ["SparkListenerLogStart"],
  ingest: (json, log) => log.application.logStart(text(json["Spark Version"])),
});
