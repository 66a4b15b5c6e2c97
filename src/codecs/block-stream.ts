import { BlockOutput } from "./block-output.ts";
import { type ByteSource, openSource } from "./byte-source.ts";
import type { Decoded, Trouble } from "./codec.ts";

/** What the header of a block says. */
export interface Block {
  headerBytes: number;
  /** Of the payload behind the header. */
  payloadBytes: number;
  /** Decoded; 0 for headers of streams and end marks. */
  bytes: number;
}

/** A format that is a run of blocks, each decodable by itself. */
export interface BlockFormat<B extends Block> {
  name: string;
  /**
   * Reads the header at bytes[start..end). A number: so many bytes are needed to tell. Undefined: no encoder wrote
   * this. Sizes are checked here against what their payload can hold, before anything is allocated for them.
   */
  readHeader(bytes: Uint8Array, start: number, end: number): B | number | undefined;
  /** Decodes input[start..start + payloadBytes) to output[to..to + bytes). False: damaged. */
  decode(block: B, input: Uint8Array, start: number, output: Uint8Array, to: number): boolean;
  /** True if decode() is held to a checksum. Else a block counts as whole only if another header or the end follows. */
  checked: boolean;
  /** Moves on to where another block may begin. False: there is none. */
  seek(source: ByteSource): Promise<boolean>;
  /** Said where a stream ends behind this block and should not; undefined if that is a good end. */
  unfinished?(last: B): string | undefined;
}

type Fault = "cut" | "none" | "damaged" | "unfollowed";

const FAULTS: Record<Fault, string> = {
  cut: "has a wrong length and was left out",
  none: "has a damaged header and was left out",
  damaged: "is damaged and was left out",
  unfollowed: "is not followed by another: bytes are missing or too many near its end",
};

/** Decodes a run of blocks. A damaged one is named and left out, and the next good one is sought. */
export function decodeBlocks<B extends Block>(
  chunks: AsyncIterable<Uint8Array>,
  format: BlockFormat<B>,
): AsyncGenerator<Decoded> {
  return openSource(chunks, (source) => readBlocks(source, format));
}

async function* readBlocks<B extends Block>(
  source: ByteSource,
  format: BlockFormat<B>,
): AsyncGenerator<Decoded> {
  const output = new BlockOutput();
  let last: B | undefined;
  while (await source.fill(1)) {
    const result = await readBlock(source, format, output);
    if (typeof result === "object") {
      last = result;
      continue;
    }
    yield* output.take();
    if (result === "full") continue;
    last = undefined;
    if (!(yield* recover(source, format, result))) return;
  }
  yield* output.take();
  const unfinished = last && format.unfinished?.(last);
  if (unfinished) yield cut(source, format, unfinished);
}

/** Decodes the block at the source and consumes it, if it is good. "full": the output is to be taken first. */
async function readBlock<B extends Block>(
  source: ByteSource,
  format: BlockFormat<B>,
  output: BlockOutput,
): Promise<B | Fault | "full"> {
  const block = await nextBlock(source, format);
  if (typeof block !== "object") return block;
  if (output.isFull(block.bytes)) return "full";
  if (!decodeInto(output, block, source, format)) return "damaged";
  if (!format.checked && !(await isFollowed(source, format, block))) return "unfollowed";
  source.consume(block.headerBytes + block.payloadBytes);
  return block;
}

/** Names what is wrong at the source and moves on to the next good block. False where there is none. */
async function* recover<B extends Block>(
  source: ByteSource,
  format: BlockFormat<B>,
  fault: Fault,
): AsyncGenerator<Decoded, boolean> {
  const at = source.position;
  await source.skip(1);
  const found = await format.seek(source);
  // Where a block follows, it was not the end of the stream that cut this one but its own wrong length.
  if (fault === "cut" && !found) yield cut(source, format, `inside the block of byte ${at}`);
  else yield damage(at, format, FAULTS[fault]);
  return found;
}

/** True if another header, or the end, stands behind the block at the source. */
async function isFollowed<B extends Block>(
  source: ByteSource,
  format: BlockFormat<B>,
  block: B,
): Promise<boolean> {
  const length = block.headerBytes + block.payloadBytes;
  if (source.available <= length && !(await source.fill(length + 1))) return true;
  let header = format.readHeader(source.bytes, source.start + length, source.end);
  while (typeof header === "number") {
    if (!(await source.fill(length + header))) return true;
    header = format.readHeader(source.bytes, source.start + length, source.end);
  }
  return header !== undefined;
}

/** Waits for the whole block at the source. "none": no header stands here; "cut": the stream ends inside it. */
async function nextBlock<B extends Block>(
  source: ByteSource,
  format: BlockFormat<B>,
): Promise<B | "cut" | "none"> {
  let header = format.readHeader(source.bytes, source.start, source.end);
  while (typeof header === "number") {
    if (!(await source.fill(header))) return "cut";
    header = format.readHeader(source.bytes, source.start, source.end);
  }
  if (header === undefined) return "none";
  const length = header.headerBytes + header.payloadBytes;
  if (source.available < length && !(await source.fill(length))) return "cut";
  return header;
}

function decodeInto<B extends Block>(
  output: BlockOutput,
  block: B,
  source: ByteSource,
  format: BlockFormat<B>,
): boolean {
  output.reserve(block.bytes);
  const start = source.start + block.headerBytes;
  if (!format.decode(block, source.bytes, start, output.bytes, output.end)) return false;
  output.end += block.bytes;
  return true;
}

function cut(source: ByteSource, { name }: { name: string }, where: string): Trouble {
  const byteOffset = source.position + source.available;
  return { code: "truncated", byteOffset, message: `${name} stream ends at byte ${byteOffset} ${where}` };
}

function damage(byteOffset: number, { name }: { name: string }, what: string): Trouble {
  return {
    code: "damaged-block",
    byteOffset,
    message: `${name} block at byte ${byteOffset} ${what}`,
  };
}
