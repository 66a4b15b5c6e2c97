import type { Decoded } from "../codecs/codec.ts";
import type { Issue } from "../issues.ts";
import type { PartPlace } from "./part-place.ts";

/** One file (or zip entry, or stream) of an event log. Nothing is read before open(). */
export interface Part {
  /** As shown to the user. */
  path: string;
  /** File name without folders: hints only. */
  name: string;
  /** Stored size; null where it is not known (stdin, pipes). */
  bytes: number | null;
  /** True for a History Server .compact file. */
  compacted: boolean;
  /** True if open() already undid a zip entry's packing. */
  zipped: boolean;
  /** Where another thread can open it; null where only open() can (standard input). */
  place: PartPlace | null;
  /**
   * Stored bytes in chunks whose memory may be reused, and troubles of the zip they lie in. Rejects where the file
   * cannot be read.
   */
  open(): AsyncIterable<Decoded>;
}

export type Layout = "single" | "rolling" | "databricks" | "spark-1" | "zip" | "stdin";

/** One application attempt's log: its parts in reading order, and what names and folders tell. */
export interface EventLog {
  path: string;
  layout: Layout;
  /** Empty where only a status file was found. */
  parts: Part[];
  /** From .inprogress or appstatus names; null where nothing tells. */
  inProgress: boolean | null;
  /** From names only: used where the log itself does not say. */
  applicationId: string | null;
  attemptId: string | null;
  sparkVersion: string | null;
  /** Trouble seen while looking at names: missing or duplicate parts, compaction. */
  issues: Issue[];
}

/** What a path holds. */
export interface FoundLogs {
  /** Sorted by path. */
  logs: EventLog[];
  /** Files that are no event logs: checksums, markers, container logs, tables. */
  ignored: number;
}
