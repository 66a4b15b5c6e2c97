import { EVENT_HANDLERS } from "../events/index.ts";
import type { Json } from "../json.ts";
import type { LogModel } from "../model/log-model.ts";

/** Names of unknown events kept apart; a log that invents more of them is hostile. */
const MAX_UNKNOWN_NAMES = 1000;
const OTHERS = "(further names)";

const HANDLERS = new Map(
  EVENT_HANDLERS.flatMap((handler) => handler.events.map((event) => [event, handler] as const)),
);

/** Gives each event to its handler. Unknown names are counted, never fatal. */
export class Dispatcher {
  readonly #log: LogModel;
  readonly unknownEvents = new Map<string, number>();

  constructor(log: LogModel) {
    this.#log = log;
  }

  dispatch(name: string, json: Json): void {
    const handler = HANDLERS.get(name);
    if (handler) handler.ingest(json, this.#log);
    else this.#countUnknown(name);
  }

  #countUnknown(name: string): void {
    const short = name.length > 300 ? `${name.slice(0, 300)}...` : name;
    const key = this.unknownEvents.has(short) || this.unknownEvents.size < MAX_UNKNOWN_NAMES ? short : OTHERS;
    this.unknownEvents.set(key, (this.unknownEvents.get(key) ?? 0) + 1);
  }
}
