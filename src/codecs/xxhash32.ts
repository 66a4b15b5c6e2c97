const P1 = 2654435761 | 0;
const P2 = 2246822519 | 0;
const P3 = 3266489917 | 0;
const P4 = 668265263;
const P5 = 374761393;

/** xxHash32, as an unsigned 32-bit number. */
export function xxhash32(bytes: Uint8Array, seed: number): number {
  const end = bytes.length;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let hash = (seed + P5) | 0;
  if (end >= 16) {
    let v1 = (seed + P1 + P2) | 0;
    let v2 = (seed + P2) | 0;
    let v3 = seed | 0;
    let v4 = (seed - P1) | 0;
    for (const last = end - 16; at <= last; at += 16) {
      v1 = round(v1, view.getInt32(at, true));
      v2 = round(v2, view.getInt32(at + 4, true));
      v3 = round(v3, view.getInt32(at + 8, true));
      v4 = round(v4, view.getInt32(at + 12, true));
    }
    hash = (rotate(v1, 1) + rotate(v2, 7) + rotate(v3, 12) + rotate(v4, 18)) | 0;
  }
  hash = (hash + end) | 0;
  for (; at + 4 <= end; at += 4) {
    hash = Math.imul(rotate((hash + Math.imul(view.getInt32(at, true), P3)) | 0, 17), P4);
  }
  for (; at < end; at++) hash = Math.imul(rotate((hash + Math.imul(bytes[at] ?? 0, P5)) | 0, 11), P1);
  hash = Math.imul(hash ^ (hash >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function round(lane: number, word: number): number {
  return Math.imul(rotate((lane + Math.imul(word, P2)) | 0, 13), P1);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
