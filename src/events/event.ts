import type { Json } from "../json.ts";
import type { LogModel } from "../model/log-model.ts";

/** What one kind of event does to the model of its log. */
export interface EventHandler {
  /** Values of "Event" that mean it: names changed between versions. */
  events: readonly string[];
  ingest(json: Json, log: LogModel): void;
}

export function defineEvent(handler: EventHandler): EventHandler {
  return handler;
}
