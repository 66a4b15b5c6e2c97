import type { EventLog } from "../input/event-log.ts";
import type { PartSummary } from "./line-handler.ts";
import { PARCEL_BYTES, Parcel } from "./parcel.ts";
import { type ParcelSink, ParcelWriter, type ReadingFacts } from "./parcel-writer.ts";
import { readInThread } from "./read-in-thread.ts";
import { readParts } from "./read-parts.ts";

export interface ReadOptions {
  /** Task lines become rows; false: every line goes on as a line. */
  scan: boolean;
  /** Where to read: "auto" (by size and cores) unless told otherwise. */
  thread?: "auto" | "own" | "same";
}

/** What is known of a log when all of it is read. */
export interface LogReading extends ReadingFacts {
  parts: PartSummary[];
}

/** A log that is about to be read. */
export interface Reading {
  /**
   * Hands the log on in parcels, each used again after `into` returns. Call it once, before the next turn of the event loop.
   *
   * @throws UserError where the log is one part of which nothing can be read
   */
  take(into: (parcel: Parcel) => void): Promise<LogReading>;
  /** Gives it up untaken. */
  close(): void;
}

/**
 * Begins to read, unpack and split a log. A log of some size is read by a thread of its own, so that a second core works
 * while its parcels are taken; it starts at once.
 */
export function startReading(log: EventLog, options: ReadOptions): Reading {
  return readInThread(log, options) ?? readHere(log, options.scan);
}

function readHere(log: EventLog, scan: boolean): Reading {
  return {
    async take(into) {
      const sink: ParcelSink = {
        send(parcel) {
          into(parcel);
          parcel.clear();
          return parcel;
        },
        hold: (buffer, start, end) => buffer.subarray(start, end),
        // Nobody works beside it.
        isIdle: () => false,
      };
      const writer = new ParcelWriter(new Parcel(new ArrayBuffer(PARCEL_BYTES)), sink, scan);
      const parts = await readParts(log.parts, writer, writer);
      return { parts, ...writer.finish() };
    },
    close: () => undefined,
  };
}
