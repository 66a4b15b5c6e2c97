import type { EventLog } from "../input/event-log.ts";
import type { PartSummary } from "./line-handler.ts";
import { PARCEL_BYTES, Parcel } from "./parcel.ts";
import { ParcelWriter, type ReadingFacts } from "./parcel-writer.ts";
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

/**
 * Reads, unpacks and splits a log and hands it on in parcels, each used again after take returns. A log of some size is
 * read by a thread of its own, so that a second core works while take does.
 *
 * @throws UserError where the log is one part of which nothing can be read
 */
export async function readLog(
  log: EventLog,
  options: ReadOptions,
  take: (parcel: Parcel) => void,
): Promise<LogReading> {
  return (await readInThread(log, options, take)) ?? readHere(log, options.scan, take);
}

async function readHere(log: EventLog, scan: boolean, take: (parcel: Parcel) => void): Promise<LogReading> {
  const send = (parcel: Parcel): Parcel => {
    take(parcel);
    parcel.clear();
    return parcel;
  };
  const writer = new ParcelWriter(new Parcel(new ArrayBuffer(PARCEL_BYTES)), send, scan);
  const parts = await readParts(log.parts, writer, writer);
  return { parts, ...writer.finish() };
}
