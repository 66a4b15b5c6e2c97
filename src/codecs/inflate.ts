import { createInflateRaw } from "node:zlib";
import type { ByteSource } from "./byte-source.ts";

/** Stored bytes handed to zlib at once. Deflate packs 1,032 to 1 at most, so one step gives 33 MB at most. */
const PIECE_BYTES = 32 * 1024;
/** Measured: at 64 KiB zlib takes twice the time. */
const OUTPUT_BYTES = 256 * 1024;
/** A stream's stored bytes are kept up to here, to read once more up to its damage. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** How near to its damage a stream is read: first in steps of this, then byte by byte. */
const NEAR_BYTES = 128;

/** How a deflate stream came to its end. `damaged`: zlib's word for it. */
export type InflateEnd = { kind: "whole" } | { kind: "cut" } | { kind: "damaged"; message: string };

interface Step {
  output: Uint8Array[];
  /** Stored bytes that zlib took; less than given where the stream ended. */
  used: number;
  end: InflateEnd | undefined;
}

/**
 * Inflates one raw deflate stream (RFC 1951) and leaves the source right behind it. Where it is cut or damaged,
 * all that inflates before comes out; behind 8 MiB of stored bytes, all but the last 32 KiB of them.
 */
export async function* inflateRaw(source: ByteSource): AsyncGenerator<Uint8Array, InflateEnd> {
  const inflater = new Inflater();
  const kept = new KeptBytes();
  try {
    while (await source.fill(1)) {
      const piece = source.bytes.subarray(source.start, Math.min(source.end, source.start + PIECE_BYTES));
      const step = await inflater.push(piece);
      if (step.end?.kind === "damaged") yield* kept.inflateUpToDamage(piece);
      else yield* step.output;
      kept.add(piece);
      source.consume(step.used);
      if (step.end) return step.end;
    }
    return { kind: "cut" };
  } finally {
    inflater.close();
  }
}

/** What a stream gave so far. zlib keeps to itself what it inflated of the piece in which it meets damage. */
class KeptBytes {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  add(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes <= MAX_KEPT_BYTES) this.#pieces.push(Uint8Array.from(piece));
    else this.#pieces = [];
  }

  /** The text of the damaged piece up to its damage: all before it is inflated again, then it in small steps. */
  async *inflateUpToDamage(piece: Uint8Array): AsyncGenerator<Uint8Array> {
    if (this.#bytes > MAX_KEPT_BYTES) return;
    const good = yield* this.#inflateSteps(this.#pieces, piece, NEAR_BYTES);
    const before = [...this.#pieces, piece.subarray(0, good)];
    yield* this.#inflateSteps(before, piece.subarray(good, good + NEAR_BYTES), 1);
  }

  /** Inflates pieces without a word, then one in steps. Gives the length of the steps that were good. */
  async *#inflateSteps(
    before: Uint8Array[],
    piece: Uint8Array,
    step: number,
  ): AsyncGenerator<Uint8Array, number> {
    const inflater = new Inflater();
    try {
      for (const good of before) await inflater.push(good);
      for (let at = 0; at < piece.length; at += step) {
        const { output, end } = await inflater.push(piece.subarray(at, at + step));
        if (end?.kind === "damaged") return at;
        yield* output;
      }
      return piece.length;
    } finally {
      inflater.close();
    }
  }
}

/** Node's stream around zlib, stepped: nothing is asked of it before the last piece is done. */
class Inflater {
  readonly #zlib = createInflateRaw({ chunkSize: OUTPUT_BYTES });
  #output: Uint8Array[] = [];
  #end: InflateEnd | undefined;
  #done: () => void = () => undefined;

  constructor() {
    this.#zlib.on("data", (bytes: Uint8Array) => this.#output.push(bytes));
    this.#zlib.on("end", () => this.#finish({ kind: "whole" }));
    this.#zlib.on("error", (error) => this.#finish({ kind: "damaged", message: error.message }));
  }

  async push(piece: Uint8Array): Promise<Step> {
    const before = this.#zlib.bytesWritten;
    await new Promise<void>((resolve) => {
      this.#done = resolve;
      this.#zlib.write(piece, () => resolve());
    });
    const output = this.#output;
    this.#output = [];
    return { output, used: this.#zlib.bytesWritten - before, end: this.#end };
  }

  close(): void {
    this.#zlib.destroy();
  }

  #finish(end: InflateEnd): void {
    this.#end ??= end;
    this.#done();
  }
}
