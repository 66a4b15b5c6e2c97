import { constants, gunzipSync } from "node:zlib";
import { run as runZstdCodec } from "zstd-codec/lib/module.js";

/**
 * An account of its own of what a stream of each codec can give: for each place in the stored bytes where more text
 * becomes whole, how many bytes of text there are. It shares no code with the decoders under test.
 */
export interface Reachable {
  stored: number;
  text: number;
}

type Walk = (stored: Buffer) => Reachable[] | Promise<Reachable[]>;

export const blockWalks: Record<string, Walk> = {
  none: (stored) =>
    Array.from({ length: stored.length + 1 }, (_, length) => ({ stored: length, text: length })),
  gzip: walkGzip,
  zstd: walkZstd,
  lz4: (stored) =>
    stored[0] === 0x04
      ? walkLz4Frames(stored)
      : walkBlocks(stored, (at) => ({
          next: at + 21 + stored.readInt32LE(at + 9),
          text: stored.readInt32LE(at + 13),
        })),
  snappy: (stored) =>
    walkBlocks(stored, (at) => {
      if (stored[at] === 0x82) return { next: at + 16, text: 0 };
      return { next: at + 4 + stored.readInt32BE(at), text: varint(stored, at + 4) };
    }),
  lzf: (stored) =>
    walkBlocks(stored, (at) => {
      const length = stored.readUInt16BE(at + 3);
      return stored[at + 2] === 0
        ? { next: at + 5 + length, text: length }
        : { next: at + 7 + length, text: stored.readUInt16BE(at + 5) };
    }),
};

/** How much text a stream that ends at `length` must give. */
export function textBefore(walk: Reachable[], length: number): number {
  return walk.findLast((place) => place.stored <= length)?.text ?? 0;
}

function walkBlocks(stored: Buffer, read: (at: number) => { next: number; text: number }): Reachable[] {
  const places: Reachable[] = [];
  let text = 0;
  for (let at = 0; at < stored.length; ) {
    const block = read(at);
    text += block.text;
    at = block.next;
    places.push({ stored: at, text });
  }
  return places;
}

/** Frames of one block each, with their content's size in the header. */
function walkLz4Frames(stored: Buffer): Reachable[] {
  const places: Reachable[] = [];
  let text = 0;
  for (let at = 0; at < stored.length; ) {
    const flags = stored[at + 4] ?? 0;
    const end = at + 15 + 4 + (stored.readUInt32LE(at + 15) & 0x7fffffff) + (flags & 0x10 ? 4 : 0);
    text += Number(stored.readBigUInt64LE(at + 6));
    places.push({ stored: end, text });
    at = end + 4 + (flags & 0x04 ? 4 : 0); // behind the end mark and the content's checksum
    places.push({ stored: at, text });
  }
  return places;
}

function walkGzip(stored: Buffer): Reachable[] {
  return Array.from({ length: stored.length + 1 }, (_, length) => {
    try {
      const text = gunzipSync(stored.subarray(0, length), { finishFlush: constants.Z_SYNC_FLUSH });
      return { stored: length, text: text.length };
    } catch {
      return { stored: length, text: 0 }; // cut inside a member's header
    }
  }).map((place, at, all) => ({
    ...place,
    text: Math.max(place.text, ...all.slice(0, at).map((before) => before.text)),
  }));
}

async function walkZstd(stored: Buffer): Promise<Reachable[]> {
  const { binding } = await new Promise<{ binding: Parameters<Parameters<typeof runZstdCodec>[0]>[0] }>(
    (ready) => {
      runZstdCodec((module) => ready({ binding: module })); // wrapped: the module is a thenable that never settles
    },
  );
  const stream = new binding.ZstdDecompressStreamBinding();
  stream.begin();
  let text = 0;
  let fed = 0;
  return zstdBlockEnds(stored).map((end) => {
    stream.transform(stored.subarray(fed, end), (bytes) => {
      text += bytes.length;
    });
    fed = end;
    return { stored: end, text };
  });
}

/** Frames as zstd-jni writes them at level 1: no dictionary. */
function zstdBlockEnds(stored: Buffer): number[] {
  const ends: number[] = [];
  for (let at = 0; at < stored.length; ) {
    const descriptor = stored[at + 4] ?? 0;
    const single = (descriptor & 0x20) !== 0;
    const sizeBytes = [single ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
    at += 5 + (single ? 0 : 1) + sizeBytes;
    for (let last = false; !last; ) {
      const header = stored.readUIntLE(at, 3);
      last = (header & 1) === 1;
      at += 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3);
      ends.push(at);
    }
    if (descriptor & 4) at += 4;
  }
  return ends;
}

function varint(bytes: Buffer, start: number): number {
  let value = 0;
  for (let at = start, scale = 1; ; at++, scale *= 128) {
    value += ((bytes[at] ?? 0) & 127) * scale;
    if ((bytes[at] ?? 0) < 128) return value;
  }
}
