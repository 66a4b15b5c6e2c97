import { xxhash32 } from "./block-decoders.ts";
import { type ByteSource, openSource } from "./byte-source.ts";
import type { Codec, Decoded, Trouble } from "./codec.ts";
import { decodeLz4 } from "./lz4-decode.ts";

const MAGIC = Uint8Array.of(0x04, 0x22, 0x4d, 0x18);
const FLAG = {
  independent: 0x20,
  blockChecksum: 0x10,
  contentSize: 0x08,
  contentChecksum: 0x04,
  dictionary: 0x01,
};
const VERSION_BITS = 0xc0;
const VERSION = 0x40;
/** Magic, flags, block size, and the checksum of the header. */
const SHORTEST_HEADER_BYTES = 7;
const STORED_BIT = 0x80000000;
/** Blocks that lean on others reach back this far. */
const HISTORY_BYTES = 64 * 1024;
const CHECKSUM_BYTES = 4;

/** The frames of the lz4 tool. Spark never writes them; its own `.lz4` is another format. */
export const lz4Frame: Codec = {
  name: "lz4",
  suffixes: [],
  matches: (head) => MAGIC.every((byte, at) => head[at] === byte),
  decode: (chunks) => openSource(chunks, frames),
};

interface FrameHeader {
  bytes: number;
  independent: boolean;
  maxBlockBytes: number;
  blockChecksum: boolean;
  contentChecksum: boolean;
}

async function* frames(source: ByteSource): AsyncGenerator<Decoded> {
  while (await source.fill(1)) {
    const start = source.position;
    await source.fill(SHORTEST_HEADER_BYTES + 12);
    const header = readHeader(source.bytes.subarray(source.start, source.end));
    if (header === "cut") {
      yield cut(source);
      return;
    }
    if (header) {
      source.consume(header.bytes);
      const end = yield* blocks(source, header, start);
      if (end === "cut") return;
      if (end === "whole") continue;
    } else {
      yield damage(start, `bytes at ${start} begin no lz4 frame`);
    }
    await source.skip(1);
    if (!(await source.seek(MAGIC))) return;
  }
}

type BlockEnd = "more" | "whole" | "cut" | "damaged";

async function* blocks(
  source: ByteSource,
  header: FrameHeader,
  start: number,
): AsyncGenerator<Decoded, BlockEnd> {
  const text: BlockText = { bytes: new Uint8Array(HISTORY_BYTES + header.maxBlockBytes), history: 0 };
  let end: BlockEnd = "more";
  while (end === "more") end = yield* block(source, header, start, text);
  return end;
}

/** Room for a block's text behind what it may reach back to. */
interface BlockText {
  bytes: Uint8Array;
  history: number;
}

/** One block, or a frame's end mark. Behind a damaged block those are good that lean on none. */
async function* block(
  source: ByteSource,
  header: FrameHeader,
  start: number,
  text: BlockText,
): AsyncGenerator<Decoded, BlockEnd> {
  if (!(await source.fill(4))) return yield* cutOff(source);
  const at = source.position;
  const size = new DataView(source.bytes.buffer, source.bytes.byteOffset + source.start).getUint32(0, true);
  source.consume(4);
  if (size === 0) return yield* frameEnd(source, header);
  const stored = size % STORED_BIT;
  const length = stored + (header.blockChecksum ? CHECKSUM_BYTES : 0);
  const possible = stored <= header.maxBlockBytes;
  if (possible && !(await source.fill(length))) return yield* cutOff(source);
  const written = possible ? decodeBlock(source, header, size, text.bytes, text.history) : -1;
  if (written < 0) yield damage(at, `lz4 frame at byte ${start} has a damaged block at byte ${at}`);
  if (written < 0 && !(header.independent && possible)) return "damaged";
  source.consume(length);
  if (written > 0) yield text.bytes.subarray(text.history, text.history + written);
  text.history = header.independent ? 0 : keepHistory(text.bytes, text.history + written);
  return "more";
}

/** Gives the bytes written behind the history, or -1. */
function decodeBlock(
  source: ByteSource,
  header: FrameHeader,
  size: number,
  output: Uint8Array,
  history: number,
): number {
  const { bytes, start } = source;
  const end = start + (size % STORED_BIT);
  if (header.blockChecksum) {
    const wanted = new DataView(bytes.buffer, bytes.byteOffset + end).getUint32(0, true);
    if (xxhash32(bytes.subarray(start, end), 0) !== wanted) return -1;
  }
  if (size < STORED_BIT)
    return decodeLz4(bytes, start, end, output, 0, history, history + header.maxBlockBytes);
  output.set(bytes.subarray(start, end), history);
  return end - start;
}

/** Moves the last bytes of the output to its beginning. Gives their number. */
function keepHistory(output: Uint8Array, end: number): number {
  const kept = Math.min(end, HISTORY_BYTES);
  output.copyWithin(0, end - kept, end);
  return kept;
}

/** The checksum of all content is passed over: it would come after the lines were used. */
async function* frameEnd(source: ByteSource, header: FrameHeader): AsyncGenerator<Decoded, "whole" | "cut"> {
  if (!header.contentChecksum || (await source.skip(CHECKSUM_BYTES))) return "whole";
  return yield* cutOff(source);
}

/** Undefined: no frame begins here. */
function readHeader(head: Uint8Array): FrameHeader | "cut" | undefined {
  if (!MAGIC.every((byte, at) => at >= head.length || head[at] === byte)) return undefined;
  const flags = head[4] ?? 0;
  const bytes =
    SHORTEST_HEADER_BYTES + (flags & FLAG.contentSize ? 8 : 0) + (flags & FLAG.dictionary ? 4 : 0);
  if (head.length < bytes) return "cut";
  const sizeCode = ((head[5] ?? 0) >> 4) & 7;
  const checksum = (xxhash32(head.subarray(4, bytes - 1), 0) >> 8) & 0xff;
  const known = (flags & VERSION_BITS) === VERSION && sizeCode >= 4 && checksum === head[bytes - 1];
  if (!known || flags & FLAG.dictionary) return undefined;
  return {
    bytes,
    independent: (flags & FLAG.independent) !== 0,
    maxBlockBytes: 2 ** (8 + 2 * sizeCode),
    blockChecksum: (flags & FLAG.blockChecksum) !== 0,
    contentChecksum: (flags & FLAG.contentChecksum) !== 0,
  };
}

function* cutOff(source: ByteSource): Generator<Decoded, "cut"> {
  yield cut(source);
  return "cut";
}

function cut(source: ByteSource): Trouble {
  const byteOffset = source.position + source.available;
  return {
    code: "truncated",
    byteOffset,
    message: `lz4 frame is unfinished: the file ends at byte ${byteOffset}`,
  };
}

function damage(byteOffset: number, message: string): Trouble {
  return { code: "damaged-block", byteOffset, message };
}
