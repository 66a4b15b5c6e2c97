import type { Decoded } from "./codec.ts";

/**
 * Reads a stream of chunks as one run of bytes. Only what has arrived is ever held: a length claimed by a header
 * costs nothing until its bytes are there.
 */
export class ByteSource {
  /** bytes.subarray(start, end) is what has arrived and was not consumed. */
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  /** Of bytes[start] in the whole stream. */
  position = 0;
  #scratch = new Uint8Array(0);
  readonly #chunks: AsyncIterator<Uint8Array>;
  #ended = false;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  get available(): number {
    return this.end - this.start;
  }

  /** Waits until `count` bytes stand at `start`. False where the stream ends before; what is left stays. */
  async fill(count: number): Promise<boolean> {
    while (this.available < count) {
      if (this.#ended) return false;
      this.#rescue();
      const next = await this.#chunks.next();
      if (next.done) {
        this.#ended = true;
        return false;
      }
      this.#append(next.value);
    }
    return true;
  }

  consume(count: number): void {
    this.start += count;
    this.position += count;
  }

  /** Consumes `count` bytes, or all there are. False where the stream ended before. */
  async skip(count: number): Promise<boolean> {
    let left = count;
    while (left > this.available) {
      left -= this.available;
      this.consume(this.available);
      if (!(await this.fill(1))) return false;
    }
    this.consume(left);
    return true;
  }

  /** Consumes up to the next place where `pattern` stands. False where there is none: all is consumed. */
  async seek(pattern: Uint8Array): Promise<boolean> {
    while (await this.fill(pattern.length)) {
      const window = Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.start, this.available);
      const at = window.indexOf(pattern);
      if (at >= 0) {
        this.consume(at);
        return true;
      }
      this.consume(this.available - pattern.length + 1);
    }
    this.consume(this.available);
    return false;
  }

  /** Lets go of the source, for readers that stop before its end. */
  async close(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#chunks.return?.();
  }

  /** A chunk's memory is its maker's again once the next is asked for: what is left of it is copied before. */
  #rescue(): void {
    if (this.bytes === this.#scratch || this.available === 0) return;
    this.#makeRoom(this.available);
    this.#scratch.set(this.bytes.subarray(this.start, this.end));
    this.end -= this.start;
    this.start = 0;
    this.bytes = this.#scratch;
  }

  #append(chunk: Uint8Array): void {
    const left = this.available;
    if (left === 0) {
      this.bytes = chunk;
      this.start = 0;
      this.end = chunk.length;
      return;
    }
    if (this.end + chunk.length > this.#scratch.length) {
      this.#scratch.copyWithin(0, this.start, this.end);
      this.start = 0;
      this.end = left;
      this.#makeRoom(left + chunk.length);
      this.bytes = this.#scratch;
    }
    this.#scratch.set(chunk, this.end);
    this.end += chunk.length;
  }

  /** Grows the scratch memory and keeps what stands at its beginning. */
  #makeRoom(length: number): void {
    if (this.#scratch.length >= length) return;
    const grown = new Uint8Array(Math.max(length, 2 * this.#scratch.length));
    grown.set(this.#scratch);
    this.#scratch = grown;
  }
}

/** Runs a decoder over a stream of chunks and lets go of the stream when it is done or dropped. */
export async function* openSource(
  chunks: AsyncIterable<Uint8Array>,
  decode: (source: ByteSource) => AsyncGenerator<Decoded>,
): AsyncGenerator<Decoded> {
  const source = new ByteSource(chunks);
  try {
    yield* decode(source);
  } finally {
    await source.close();
  }
}

/** The same for what gives one answer. */
export async function withSource<T>(
  chunks: AsyncIterable<Uint8Array>,
  read: (source: ByteSource) => Promise<T>,
): Promise<T> {
  const source = new ByteSource(chunks);
  try {
    return await read(source);
  } finally {
    await source.close();
  }
}
