import type { EventLog } from "../input/event-log.ts";
import type { IssueLog } from "../issues.ts";

/** Where the reader stands. One object, changed in place: copy what you keep. */
export interface LineCursor {
  /** Index of the part. */
  part: number;
  /** 1 is the first line of the part. */
  line: number;
  /** Of the line's first byte in the part's text. */
  byteOffset: number;
}

export interface LineHandler {
  /** One line without its line end: buffer[start..end). The buffer is reused after return. Never blank. */
  line(buffer: Buffer, start: number, end: number, cursor: Readonly<LineCursor>): void;
  /** A line too long for JSON.parse, read in a stream: the object without its oversized values. */
  hugeLine(event: unknown, droppedKeys: string[], bytes: number, cursor: Readonly<LineCursor>): void;
}

/** One row of log_part without its number. */
export interface PartSummary {
  path: string;
  codec: string;
  bytes: number | null;
  uncompressed_bytes: number;
  lines: number;
}

/** Reads every part of a log in order and hands its lines on; trouble goes to issues and reading goes on. */
export type ReadLog = (log: EventLog, handler: LineHandler, issues: IssueLog) => Promise<PartSummary[]>;
