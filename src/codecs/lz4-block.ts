import { decodeBlock, xxhash32 } from "./block-decoders.ts";
import { type Block, type BlockFormat, decodeBlocks } from "./block-stream.ts";
import type { Codec } from "./codec.ts";

const MAGIC = new TextEncoder().encode("LZ4Block");
const HEADER_BYTES = 21;
const METHOD = { stored: 0x10, lz4: 0x20 } as const;
const CHECKSUM_SEED = 0x9747b28c;
/** lz4-java clears the four top bits of the checksum. */
const CHECKSUM_MASK = 0x0fffffff;
/** A byte of an LZ4 block adds 255 bytes at most: what claims to be packed tighter is damage. */
const MAX_RATIO = 255;

interface Lz4Block extends Block {
  stored: boolean;
  checksum: number;
}

const format: BlockFormat<Lz4Block> = {
  name: "lz4",
  readHeader,
  decode,
  checked: true,
  seek: (source) => source.seek(MAGIC),
  unfinished: (last) => (last.bytes > 0 ? "without its end mark: its writer was never closed" : undefined),
};

/**
 * lz4-java's LZ4BlockOutputStream, which Spark writes as `.lz4`; the lz4 tool cannot read it. A closed stream ends
 * with an empty block, and streams may be joined. A flush writes nothing: a killed driver's log lacks up to 32 KiB.
 */
export const lz4Block: Codec = {
  name: "lz4",
  suffixes: [".lz4"],
  matches: (head) => MAGIC.every((byte, at) => head[at] === byte),
  decode: (chunks) => decodeBlocks(chunks, format),
};

function readHeader(bytes: Uint8Array, start: number, end: number): Lz4Block | number | undefined {
  if (!MAGIC.every((byte, at) => start + at >= end || bytes[start + at] === byte)) return undefined;
  if (end - start < HEADER_BYTES) return HEADER_BYTES;
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, HEADER_BYTES);
  const method = view.getUint8(8) & 0xf0;
  const block: Lz4Block = {
    headerBytes: HEADER_BYTES,
    stored: method === METHOD.stored,
    payloadBytes: view.getInt32(9, true),
    bytes: view.getInt32(13, true),
    checksum: view.getUint32(17, true),
  };
  const maxBytes = 2 ** (10 + (view.getUint8(8) & 0x0f));
  const known = method === METHOD.stored || method === METHOD.lz4;
  return known && block.bytes <= maxBytes && isPossible(block) ? block : undefined;
}

function isPossible({ stored, payloadBytes, bytes, checksum }: Lz4Block): boolean {
  if (bytes === 0 || payloadBytes === 0) return stored && bytes === payloadBytes && checksum === 0;
  if (stored) return bytes > 0 && bytes === payloadBytes;
  return payloadBytes > 0 && payloadBytes < bytes && bytes <= MAX_RATIO * payloadBytes;
}

function decode(block: Lz4Block, input: Uint8Array, start: number, output: Uint8Array, to: number): boolean {
  if (block.bytes === 0) return true;
  const inputEnd = start + block.payloadBytes;
  const text = block.stored
    ? input.subarray(start, inputEnd)
    : decodeBlock("lz4", input, start, inputEnd, block.bytes);
  if (!text || (xxhash32(text, CHECKSUM_SEED) & CHECKSUM_MASK) !== block.checksum) return false;
  output.set(text, to);
  return true;
}
