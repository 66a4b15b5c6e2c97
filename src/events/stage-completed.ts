import { defineEvent } from "./event.ts";

export const stageCompleted = defineEvent({
  events: ["SparkListenerStageCompleted"],
  ingest(json, log) {
    log.stageCompleted(json);
  },
});
