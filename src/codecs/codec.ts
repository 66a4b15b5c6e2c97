import type { IssueCode } from "../issues.ts";

/**
 * A break in a decoded stream, yielded in its place among the bytes. What was decoded before it is whole;
 * bytes after it (if any) begin at an unknown position of a line.
 */
export interface Trouble {
  code: Extract<IssueCode, "truncated" | "damaged-block">;
  /** In the stored part: where the damage or the end was met. */
  byteOffset: number;
  /** One line for a reader: what, in plain words. */
  message: string;
}

export type Decoded = Uint8Array | Trouble;

/** A container or compression format: its name, how to know it, how to undo it. */
export interface Codec {
  /** As in the report's log.codec. */
  name: "none" | "zstd" | "lz4" | "snappy" | "lzf" | "gzip";
  /** File name suffixes that hint at it. Content decides; a suffix that disagrees is reported. */
  suffixes: string[];
  /** True if these first bytes (at least 16, or the whole file if shorter) begin such a stream. */
  matches(head: Uint8Array): boolean;
  /**
   * Undo it, streaming. Chunks may be cut anywhere. A yielded buffer may be reused after the next step.
   * Never throws for bad data: it yields a Trouble and goes on at the next good block where the framing
   * allows it, or ends.
   */
  decode(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Decoded>;
}

export function isTrouble(decoded: Decoded): decoded is Trouble {
  return !(decoded instanceof Uint8Array);
}
