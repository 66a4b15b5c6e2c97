import { text } from "../json.ts";
import { defineEvent } from "./event.ts";

/** Stands for LogStart at the head of every piece of a Databricks log. */
export const databricksMetadata = defineEvent({
  events: ["DBCEventLoggingListenerMetadata"],
  ingest(json, log) {
    log.application.vendor("databricks");
    log.application.logStart(text(json["Spark Version"]));
  },
});
