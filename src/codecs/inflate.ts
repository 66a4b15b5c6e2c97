import { createInflateRaw } from "node:zlib";
import type { ByteSource } from "./byte-source.ts";

/** Stored bytes handed to zlib at once. Deflate packs 1,032 to 1 at most, so one step gives 33 MB at most. */
const PIECE_BYTES = 32 * 1024;
const OUTPUT_BYTES = 256 * 1024;

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
 * all that inflates before comes out.
 */
export async function* inflateRaw(source: ByteSource): AsyncGenerator<Uint8Array, InflateEnd> {
  const inflater = new Inflater();
  try {
    while (await source.fill(1)) {
      const piece = source.bytes.subarray(source.start, Math.min(source.end, source.start + PIECE_BYTES));
      const step = await inflater.push(piece);
      yield* step.output;
      source.consume(step.used);
      if (step.end) return step.end;
    }
    return { kind: "cut" };
  } finally {
    inflater.close();
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
