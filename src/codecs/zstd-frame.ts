/** First bytes of a zstd frame (RFC 8878, 3.1.1). */
export const ZSTD_MAGIC = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
/** The longest frame header: magic, descriptor, window, dictionary id of 4, content size of 8. */
export const MAX_HEADER_BYTES = 18;
/** A block's stored and its decoded form are at most this (RFC 8878, 3.1.1.2.4). */
export const MAX_BLOCK_BYTES = 128 * 1024;
export const BLOCK_HEADER_BYTES = 3;
export const SKIPPABLE_HEADER_BYTES = 8;

export interface FrameHeader {
  bytes: number;
  windowBytes: number;
  dictionary: boolean;
  checksum: boolean;
}

export interface BlockHeader {
  last: boolean;
  /** Stored size with the header; 0 for a header that no encoder writes. */
  bytes: number;
}

/** True for a skippable frame (also of LZ4): magic 5x 2A 4D 18. */
export function isSkippable(head: Uint8Array): boolean {
  return ((head[0] ?? 0) & 0xf0) === 0x50 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18;
}

/** Reads a frame header from the first bytes. "cut": the bytes end inside it; "none": no header begins here. */
export function readFrameHeader(bytes: Uint8Array): FrameHeader | "cut" | "none" {
  if (!ZSTD_MAGIC.every((byte, at) => at >= bytes.length || bytes[at] === byte)) return "none";
  const descriptor = bytes[4];
  if (descriptor === undefined) return "cut";
  if (descriptor & 0x08) return "none"; // reserved, must be zero
  const single = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? Number(single) : 2 ** sizeFlag;
  const sizeAt = 5 + (single ? 0 : 1) + dictionaryBytes;
  if (bytes.length < sizeAt + sizeBytes) return "cut";
  return {
    bytes: sizeAt + sizeBytes,
    windowBytes: single ? contentSize(bytes, sizeAt, sizeBytes) : windowSize(bytes[5] ?? 0),
    dictionary: dictionaryBytes > 0 && littleEndian(bytes, sizeAt - dictionaryBytes, dictionaryBytes) !== 0,
    checksum: (descriptor & 0x04) !== 0,
  };
}

export function readBlockHeader(bytes: Uint8Array, at: number): BlockHeader {
  const header = littleEndian(bytes, at, BLOCK_HEADER_BYTES);
  const type = (header >> 1) & 3;
  const size = header >> 3;
  const valid = type !== 3 && size <= MAX_BLOCK_BYTES;
  const stored = type === 1 ? 1 : size; // RLE: one byte, repeated
  return { last: (header & 1) === 1, bytes: valid ? BLOCK_HEADER_BYTES + stored : 0 };
}

function windowSize(byte: number): number {
  const base = 2 ** (10 + (byte >> 3));
  return base + (base / 8) * (byte & 7);
}

function contentSize(bytes: Uint8Array, at: number, length: number): number {
  return littleEndian(bytes, at, length) + (length === 2 ? 256 : 0);
}

function littleEndian(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}
