import { decodeBlock } from "./block-decoders.ts";
import { type Block, type BlockFormat, decodeBlocks } from "./block-stream.ts";
import type { ByteSource } from "./byte-source.ts";
import type { Codec } from "./codec.ts";

const MAGIC = Uint8Array.of(0x5a, 0x56);
const TYPE = { stored: 0, compressed: 1 } as const;
const STORED_HEADER_BYTES = 5;
const COMPRESSED_HEADER_BYTES = 7;
/** Three bytes copy 264 at most: what claims to be packed tighter is damage. */
const MAX_RATIO = 88;

interface LzfChunk extends Block {
  stored: boolean;
}

const format: BlockFormat<LzfChunk> = { name: "lzf", readHeader, decode, checked: false, seek };

/**
 * compress-lzf's chunks, which Spark writes as `.lzf`, one by one or (4.1+) by several threads. No header, no
 * checksum, no end mark: streams may be joined.
 */
export const lzf: Codec = {
  name: "lzf",
  suffixes: [".lzf"],
  matches: (head) => MAGIC.every((byte, at) => head[at] === byte) && (head[2] ?? 0) <= TYPE.compressed,
  decode: (chunks) => decodeBlocks(chunks, format),
};

function readHeader(bytes: Uint8Array, start: number, end: number): LzfChunk | number | undefined {
  if (!MAGIC.every((byte, at) => start + at >= end || bytes[start + at] === byte)) return undefined;
  const type = bytes[start + 2];
  if (end - start < STORED_HEADER_BYTES) return STORED_HEADER_BYTES;
  const payloadBytes = bigEndian(bytes, start + 3);
  if (type === TYPE.stored) {
    return { headerBytes: STORED_HEADER_BYTES, payloadBytes, bytes: payloadBytes, stored: true };
  }
  if (type !== TYPE.compressed) return undefined;
  if (end - start < COMPRESSED_HEADER_BYTES) return COMPRESSED_HEADER_BYTES;
  const size = bigEndian(bytes, start + STORED_HEADER_BYTES);
  if (size > MAX_RATIO * payloadBytes) return undefined;
  return { headerBytes: COMPRESSED_HEADER_BYTES, payloadBytes, bytes: size, stored: false };
}

function decode(chunk: LzfChunk, input: Uint8Array, start: number, output: Uint8Array, to: number): boolean {
  const inputEnd = start + chunk.payloadBytes;
  const text = chunk.stored
    ? input.subarray(start, inputEnd)
    : decodeBlock("lzf", input, start, inputEnd, chunk.bytes);
  if (text) output.set(text, to);
  return text !== undefined;
}

/** Two letters are no proof: a chunk counts once it decodes and another one, or the end, follows it. */
async function seek(source: ByteSource): Promise<boolean> {
  const trial = new Uint8Array(2 ** 16);
  while (await source.seek(MAGIC)) {
    await source.fill(COMPRESSED_HEADER_BYTES);
    const chunk = readHeader(source.bytes, source.start, source.end);
    if (typeof chunk === "object" && (await isChunk(chunk, source, trial))) return true;
    source.consume(1);
  }
  return false;
}

async function isChunk(chunk: LzfChunk, source: ByteSource, trial: Uint8Array): Promise<boolean> {
  const length = chunk.headerBytes + chunk.payloadBytes;
  await source.fill(length + MAGIC.length);
  if (source.available < length) return false;
  const next = source.bytes.subarray(source.start + length, source.end);
  if (!MAGIC.every((byte, at) => at >= next.length || next[at] === byte)) return false;
  return decode(chunk, source.bytes, source.start + chunk.headerBytes, trial, 0);
}

function bigEndian(bytes: Uint8Array, at: number): number {
  return 256 * (bytes[at] ?? 0) + (bytes[at + 1] ?? 0);
}
