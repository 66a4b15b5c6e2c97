/** Hands out typed arrays that stand one behind the other in one memory, so that threads can share all of them at once. */
export class Arena {
  readonly #memory: ArrayBufferLike;
  #next = 0;

  constructor(memory: ArrayBufferLike) {
    this.#memory = memory;
  }

  float64(length: number): Float64Array {
    return new Float64Array(this.#memory, this.#take(8 * length), length);
  }

  int32(length: number): Int32Array {
    return new Int32Array(this.#memory, this.#take(4 * length), length);
  }

  bytes(length: number): Buffer {
    return Buffer.from(this.#memory, this.#take(length), length);
  }

  #take(bytes: number): number {
    const at = this.#next;
    this.#next += Math.ceil(bytes / 8) * 8;
    return at;
  }
}
