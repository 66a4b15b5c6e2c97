import { isTrouble } from "../codecs/codec.ts";
import { unpack } from "../codecs/unpack.ts";

/** How far into a file's text an event is looked for. */
const FOLDER_BYTES = 256 * 1024;

/** An event is an object whose first key is Event; the name is that of a listener event or a class. */
const EVENT = /\{\s*"Event"\s*:\s*"[\w.$]+"/;

export type Content = "events" | "other" | "unreadable" | "empty";

/**
 * Looks into the first text of a file. "unreadable": packed, but nothing of it can be unpacked.
 */
export async function sniff(stored: AsyncIterable<Uint8Array>, bytes = FOLDER_BYTES): Promise<Content> {
  const { codecs, text } = await unpack(stored);
  let seen = "";
  for await (const item of text) {
    if (isTrouble(item)) continue;
    // The marks are ASCII: latin1 shows them whatever the encoding of the rest.
    const more = Buffer.from(item.buffer, item.byteOffset, Math.min(item.byteLength, bytes)).toString(
      "latin1",
    );
    seen += more;
    if (EVENT.test(seen)) return "events";
    if (seen.length >= bytes) return "other";
  }
  if (seen.length > 0) return "other";
  return codecs.length > 0 ? "unreadable" : "empty";
}
