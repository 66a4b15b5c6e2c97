import { defineEvent } from "./event.ts";

export const stageSubmitted = defineEvent({
  events: ["SparkListenerStageSubmitted"],
  ingest: (json, log) => log.stageSubmitted(json),
});
