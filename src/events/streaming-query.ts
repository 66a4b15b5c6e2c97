import { defineEvent } from "./event.ts";

const LISTENER = "org.apache.spark.sql.streaming.StreamingQueryListener$";

export const streamingQueryStarted = defineEvent({
  events: [`${LISTENER}QueryStartedEvent`],
  ingest: (json, log) => log.streaming.started(json),
});

export const streamingQueryProgress = defineEvent({
  events: [`${LISTENER}QueryProgressEvent`],
  ingest: (json, log) => log.streaming.progress(json),
});

export const streamingQueryTerminated = defineEvent({
  events: [`${LISTENER}QueryTerminatedEvent`],
  ingest: (json, log) => log.streaming.terminated(json),
});
