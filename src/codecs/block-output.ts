/** Decoded blocks are handed on in pieces of this: small blocks one by one would cost more than their decoding. */
const PIECE_BYTES = 512 * 1024;

/** Gathers decoded blocks. Its memory is reused once a piece was taken. */
export class BlockOutput {
  bytes = new Uint8Array(PIECE_BYTES);
  /** Where the next block goes. */
  end = 0;

  /** True if a block of this size needs take() first. */
  isFull(size: number): boolean {
    return this.end > 0 && this.end + size > this.bytes.length;
  }

  /** Makes room for a block of this size, which the caller knows to be possible for the bytes it came from. */
  reserve(size: number): void {
    if (this.end + size <= this.bytes.length) return;
    const grown = new Uint8Array(this.end + size);
    grown.set(this.bytes.subarray(0, this.end));
    this.bytes = grown;
  }

  /** What was gathered, if anything. */
  *take(): Generator<Uint8Array> {
    const length = this.end;
    this.end = 0;
    if (length > 0) yield this.bytes.subarray(0, length);
  }
}
