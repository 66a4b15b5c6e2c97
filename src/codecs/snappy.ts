import { decodeBlock } from "./block-decoders.ts";
import { type Block, type BlockFormat, decodeBlocks } from "./block-stream.ts";
import type { ByteSource } from "./byte-source.ts";
import type { Codec } from "./codec.ts";
import { readSnappySize } from "./snappy-size.ts";

const MAGIC = Uint8Array.of(0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00);
/** The magic number and two version numbers. */
const STREAM_HEADER_BYTES = 16;
const LENGTH_BYTES = 4;
/** A raw block's own size field. */
const MAX_SIZE_BYTES = 5;
/** Spark's blocks are 32 KiB (spark.io.compression.snappy.blockSize); what is a thousand times larger is damage. */
const MAX_BLOCK_BYTES = 32 * 1024 * 1024;
/** After damage, a block is taken for one if it is not larger than any Spark writes by default, and decodes. */
const MAX_SOUGHT_BYTES = 64 * 1024;

interface SnappyBlock extends Block {
  /** Of the elements behind the block's own size, from the end of the header. */
  elementsAt: number;
}

const format: BlockFormat<SnappyBlock> = { name: "snappy", readHeader, decode, checked: false, seek };

/**
 * snappy-java's SnappyOutputStream, which Spark writes as `.snappy`: not the snappy framing format. Blocks have a
 * length and no checksum; there is no end mark. Joined streams bring another header.
 */
export const snappy: Codec = {
  name: "snappy",
  suffixes: [".snappy"],
  matches: (head) => MAGIC.every((byte, at) => head[at] === byte),
  decode: (chunks) => decodeBlocks(chunks, format),
};

function readHeader(bytes: Uint8Array, start: number, end: number): SnappyBlock | number | undefined {
  if (end - start < LENGTH_BYTES) return LENGTH_BYTES;
  if (MAGIC.every((byte, at) => start + at >= end || bytes[start + at] === byte)) {
    if (end - start < STREAM_HEADER_BYTES) return STREAM_HEADER_BYTES;
    return { headerBytes: STREAM_HEADER_BYTES, payloadBytes: 0, bytes: 0, elementsAt: 0 };
  }
  const payloadBytes = new DataView(bytes.buffer, bytes.byteOffset + start, LENGTH_BYTES).getInt32(0);
  if (payloadBytes <= 0 || payloadBytes > MAX_BLOCK_BYTES) return undefined;
  const from = start + LENGTH_BYTES;
  const sizeBytes = Math.min(payloadBytes, MAX_SIZE_BYTES);
  if (end - from < sizeBytes) return LENGTH_BYTES + sizeBytes;
  const size = readSnappySize(bytes, from, from + payloadBytes);
  if (!size || size.size > MAX_BLOCK_BYTES) return undefined;
  return { headerBytes: LENGTH_BYTES, payloadBytes, bytes: size.size, elementsAt: size.at - from };
}

function decode(
  block: SnappyBlock,
  input: Uint8Array,
  start: number,
  output: Uint8Array,
  to: number,
): boolean {
  if (block.payloadBytes === 0) return true;
  const text = decodeBlock(
    "snappy",
    input,
    start + block.elementsAt,
    start + block.payloadBytes,
    block.bytes,
  );
  if (text) output.set(text, to);
  return text !== undefined;
}

/**
 * No mark says where a block begins: each byte is tried, until a block of a usual size decodes as a whole and another
 * header, or the end, stands behind it.
 */
async function seek(source: ByteSource): Promise<boolean> {
  const trial = new Uint8Array(MAX_SOUGHT_BYTES);
  while (await source.fill(LENGTH_BYTES)) {
    const block = await fullHeader(source, 0);
    if (block && (await isBlock(block, source, trial))) return true;
    source.consume(1);
  }
  source.consume(source.available);
  return false;
}

async function isBlock(block: SnappyBlock, source: ByteSource, trial: Uint8Array): Promise<boolean> {
  if (block.bytes > MAX_SOUGHT_BYTES || block.payloadBytes > MAX_SOUGHT_BYTES) return false;
  if (block.bytes === 0 && block.payloadBytes > 0) return false; // any run of zeros looks like one
  const length = block.headerBytes + block.payloadBytes;
  if (!(await source.fill(length))) return false;
  if (!decode(block, source.bytes, source.start + block.headerBytes, trial, 0)) return false;
  return !(await source.fill(length + 1)) || (await fullHeader(source, length)) !== undefined;
}

/** The header `offset` bytes on; undefined where none stands, or the stream ends inside it. */
async function fullHeader(source: ByteSource, offset: number): Promise<SnappyBlock | undefined> {
  let header = readHeader(source.bytes, source.start + offset, source.end);
  while (typeof header === "number") {
    if (!(await source.fill(offset + header))) return undefined;
    header = readHeader(source.bytes, source.start + offset, source.end);
  }
  return header;
}
