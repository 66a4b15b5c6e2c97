import { setFlagsFromString } from "node:v8";
import { type ByteSource, openSource } from "./byte-source.ts";
import type { Codec, Decoded } from "./codec.ts";
import { borrowEngine, type ZstdEngine } from "./zstd-engine.ts";
import {
  BLOCK_HEADER_BYTES,
  type FrameHeader,
  isSkippable,
  MAX_HEADER_BYTES,
  readBlockHeader,
  readFrameHeader,
  SKIPPABLE_HEADER_BYTES,
  ZSTD_MAGIC,
} from "./zstd-frame.ts";

/** zstd's own limit unless told otherwise (--long=27); a wider window would be memory that the log dictates. */
const MAX_WINDOW_BYTES = 128 * 1024 * 1024;
/** A window from which on the process has to save elsewhere, to stay below 300 MB with it. */
const WIDE_WINDOW_BYTES = 32 * 1024 * 1024;
const CHECKSUM_BYTES = 4;
/** ZSTD_error_checksum_wrong */
const CHECKSUM_WRONG = 22;

/**
 * RFC 8878. Spark closes a frame at every flush, so a log is hundreds of frames without content size or checksum,
 * and a killed driver leaves the last one unfinished: all whole blocks count. Frames are walked here, block by block,
 * so that a cut or a damaged frame is seen and named; the decoding is zstddec's.
 */
export const zstd: Codec = {
  name: "zstd",
  suffixes: [".zstd", ".zst"],
  matches: (head) => ZSTD_MAGIC.every((byte, at) => head[at] === byte) || isSkippable(head),
  decode: (chunks) => openSource(chunks, frames),
};

/**
 * Lets V8 collect more often, in all threads and to the end of the process: 30 to 40 MB less for a tenth more processor
 * time. Its flags are one set for all of them.
 */
function saveMemory(): void {
  setFlagsFromString("--optimize-for-size");
}

/** What ended a frame. "damaged": the next one is still to be found. */
type FrameEnd = "whole" | "cut" | "damaged";

async function* frames(source: ByteSource): AsyncGenerator<Decoded> {
  const walk = new FrameWalk(source, await borrowEngine());
  try {
    while (await source.fill(1)) {
      const end = yield* walk.frame();
      if (end === "cut" || (end === "damaged" && !(await walk.seekFrame()))) break;
    }
    yield* walk.drain();
  } finally {
    walk.close();
  }
}

class FrameWalk {
  readonly #source: ByteSource;
  #engine: ZstdEngine;

  constructor(source: ByteSource, engine: ZstdEngine) {
    this.#source = source;
    this.#engine = engine;
  }

  close(): void {
    this.#engine.release();
  }

  *drain(): Generator<Uint8Array> {
    if (this.#engine.pending > 0) yield this.#engine.take();
  }

  /** Reads one frame. The source stands behind it, or at the damage. */
  async *frame(): AsyncGenerator<Decoded, FrameEnd> {
    const source = this.#source;
    const start = source.position;
    await source.fill(MAX_HEADER_BYTES);
    const seen = source.bytes.subarray(source.start, source.end);
    if (isSkippable(seen)) return yield* this.#skippable(start);
    const header = readFrameHeader(seen);
    if (header === "cut") return yield* this.#cut(start);
    const refusal = refuse(header, start);
    if (header === "none" || refusal) return yield* this.#damaged(start, refusal);
    if (header.windowBytes > WIDE_WINDOW_BYTES) saveMemory();
    this.#engine.feed(seen.subarray(0, header.bytes));
    source.consume(header.bytes);
    return yield* this.#blocks(header, start);
  }

  /**
   * Moves from the damage to the next place where a frame may begin. False where there is none. Sizes in damaged
   * bytes are not trusted: the next magic number is sought, and what is no frame after all fails again.
   */
  async seekFrame(): Promise<boolean> {
    if (this.#engine.broken) this.#engine = await borrowEngine();
    else this.#engine.reset();
    await this.#source.skip(1);
    return this.#source.seek(ZSTD_MAGIC);
  }

  async *#blocks(header: FrameHeader, start: number): AsyncGenerator<Decoded, FrameEnd> {
    const source = this.#source;
    for (let last = false; !last; ) {
      if (!(await source.fill(BLOCK_HEADER_BYTES))) return yield* this.#cut(start);
      const block = readBlockHeader(source.bytes, source.start);
      const at = source.position;
      const damage = `zstd frame at byte ${start} has a damaged block at byte ${at}`;
      if (block.bytes === 0) return yield* this.#damaged(at, damage);
      if (!(await source.fill(block.bytes))) return yield* this.#cut(start);
      if (this.#engine.full) yield this.#engine.take();
      if (this.#decode(block.bytes) !== undefined) return yield* this.#damaged(at, damage);
      last = block.last;
      if (last && !header.checksum && !(await this.#isFollowed(block.bytes))) {
        const message = `zstd frame at byte ${start} is not followed by another: bytes are missing or too many in it`;
        return yield* this.#damaged(at, message);
      }
      source.consume(block.bytes);
    }
    return header.checksum ? yield* this.#checksum(start) : "whole";
  }

  async *#checksum(start: number): AsyncGenerator<Decoded, FrameEnd> {
    if (!(await this.#source.fill(CHECKSUM_BYTES))) return yield* this.#cut(start);
    const error = this.#decode(CHECKSUM_BYTES);
    if (error === undefined) {
      this.#source.consume(CHECKSUM_BYTES);
      return "whole";
    }
    const what = error === CHECKSUM_WRONG ? "fails its checksum: its lines may be wrong" : "is damaged";
    return yield* this.#damaged(start, `zstd frame at byte ${start} ${what}`);
  }

  /** Decodes the next bytes of the source. Gives zstd's error number if it fails. */
  #decode(length: number): number | undefined {
    const source = this.#source;
    this.#engine.feed(source.bytes.subarray(source.start, source.start + length));
    const result = this.#engine.step();
    return typeof result === "object" ? result.error : undefined;
  }

  /** Without a checksum, a frame counts as whole only if another or the end stands behind its last block. */
  async #isFollowed(length: number): Promise<boolean> {
    const source = this.#source;
    await source.fill(length + ZSTD_MAGIC.length);
    const next = source.bytes.subarray(source.start + length, source.end);
    return next.length < ZSTD_MAGIC.length || zstd.matches(next);
  }

  async *#skippable(start: number): AsyncGenerator<Decoded, FrameEnd> {
    const source = this.#source;
    if (source.available < SKIPPABLE_HEADER_BYTES) return yield* this.#cut(start);
    const view = new DataView(source.bytes.buffer, source.bytes.byteOffset + source.start);
    const whole = await source.skip(SKIPPABLE_HEADER_BYTES + view.getUint32(4, true));
    return whole ? "whole" : yield* this.#cut(start);
  }

  /** The file ends inside a frame. Where another follows, it was a wrong length that led there. */
  async *#cut(start: number): AsyncGenerator<Decoded, FrameEnd> {
    yield* this.drain();
    if (await this.seekFrame()) {
      yield* this.#damaged(start, `zstd frame at byte ${start} has a block of a wrong length`);
      return "whole";
    }
    const byteOffset = this.#source.position + this.#source.available;
    const message = `zstd frame of byte ${start} is unfinished: the file ends at byte ${byteOffset}`;
    yield { code: "truncated", byteOffset, message };
    return "cut";
  }

  *#damaged(byteOffset: number, message: string): Generator<Decoded, FrameEnd> {
    yield* this.drain();
    yield { code: "damaged-block", byteOffset, message };
    return "damaged";
  }
}

/** Why a frame is not decoded; empty if it is. */
function refuse(header: FrameHeader | "none", start: number): string {
  if (header === "none") return `bytes at ${start} begin no zstd frame`;
  if (header.dictionary) return `zstd frame at byte ${start} needs a dictionary, which Spark never uses`;
  if (header.windowBytes <= MAX_WINDOW_BYTES) return "";
  return `zstd frame at byte ${start} wants a window of ${Math.ceil(header.windowBytes / 2 ** 20)} MiB; more than 128 is not read`;
}
