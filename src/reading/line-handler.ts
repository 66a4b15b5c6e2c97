import type { LineCursor } from "./parcel.ts";

export interface LineHandler {
  /** One line without its line end: buffer[start..end). The buffer is reused after return. Never blank. */
  line(buffer: Buffer, start: number, end: number, cursor: Readonly<LineCursor>): void;
  /**
   * A line too long for JSON.parse, read in a stream: the event without its oversized values, whose paths are named
   * (`sparkPlanInfo`, `Task Info.Accumulables`). `event` is undefined if the line is no whole JSON object.
   */
  hugeLine(event: unknown, droppedKeys: string[], bytes: number, cursor: Readonly<LineCursor>): void;
}

/** One row of log_part without its number. */
export interface PartSummary {
  path: string;
  /** none zstd lz4 snappy lzf gzip zip; mixed where one lies within another. */
  codec: string;
  bytes: number | null;
  uncompressed_bytes: number;
  /** Line ends, and a last line without one. */
  lines: number;
}
