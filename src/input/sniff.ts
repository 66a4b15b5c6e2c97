import { type Decoded, isTrouble } from "../codecs/codec.ts";
import type { ForeignFormat } from "../codecs/foreign.ts";
import { unpack } from "../codecs/unpack.ts";

/**
 * An event is an object whose first key is Event, of whatever name. Where a shipper moved the key, Spark's own names
 * tell.
 */
const EVENT = /\{\s*"Event"\s*:\s*"[\w.$]|"Event"\s*:\s*"(?:SparkListener|org\.apache\.spark\.)/;
const SHOWN_CHARS = 40;
/** A log that was cut inside its first key is still one. */
const SHORTEST = '{"Event":"';

/** What the first text of a file shows. */
export interface Content {
  /** "damaged": packed, but nothing of it can be unpacked. */
  kind: "events" | "other" | "foreign" | "damaged" | "empty";
  foreign: ForeignFormat | undefined;
  /** The first characters, for a message. */
  beginning: string;
}

/** Looks for an event in the first `bytes` of a file's text. */
export async function sniff(stored: AsyncIterable<Decoded>, bytes: number): Promise<Content> {
  const { codecs, foreign, text } = await unpack(stored);
  let seen = "";
  let beginning = "";
  let length = 0;
  for await (const item of text) {
    if (foreign) return { kind: "foreign", foreign, beginning };
    if (isTrouble(item)) continue;
    // What is looked for is ASCII, so latin1 shows it whatever the encoding.
    const piece = Buffer.from(item.buffer, item.byteOffset, Math.min(item.byteLength, bytes)).toString(
      "latin1",
    );
    beginning ||= piece.slice(0, SHOWN_CHARS);
    seen = seen.slice(-200) + piece; // the mark may span pieces
    length += piece.length;
    if (EVENT.test(seen)) return { kind: "events", foreign, beginning };
    if (length >= bytes) break;
  }
  if (length > 0 && SHORTEST.startsWith(beginning)) return { kind: "events", foreign, beginning };
  const kind = length > 0 ? "other" : codecs.length > 0 ? "damaged" : "empty";
  return { kind, foreign, beginning };
}
