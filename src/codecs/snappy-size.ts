/** An element of 3 bytes copies 64 at most: what claims to be packed tighter is damage. */
const MAX_RATIO = 22;

export interface SnappySize {
  /** Decoded size that the block claims. */
  size: number;
  /** Where its elements begin. */
  at: number;
}

/** Reads the decoded size at the head of a raw snappy block; undefined where no encoder could have written it. */
export function readSnappySize(input: Uint8Array, start: number, end: number): SnappySize | undefined {
  let size = 0;
  for (let at = start, scale = 1; at < Math.min(end, start + 5); at++, scale *= 128) {
    const byte = input[at] ?? 0;
    size += (byte & 127) * scale;
    if (byte < 128) return size <= MAX_RATIO * (end - start) ? { size, at: at + 1 } : undefined;
  }
  return undefined;
}
