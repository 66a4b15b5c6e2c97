import { copyLiterals, copyMatch } from "../../src/codecs/copy-run.ts";

/**
 * Decodes the elements of one raw snappy block, input[inputStart..inputEnd) behind its size, into
 * output[outputStart..outputEnd), which they must fill exactly. False where the block is damaged.
 */
export function decodeSnappy(
  input: Uint8Array,
  inputStart: number,
  inputEnd: number,
  output: Uint8Array,
  outputStart: number,
  outputEnd: number,
): boolean {
  let at = inputStart;
  let to = outputStart;
  while (at < inputEnd) {
    const tag = input[at++] ?? 0;
    const kind = tag & 3;
    const bytes = bytesBehind(tag, kind);
    const value = littleEndian(input, at, bytes);
    const length = runLength(tag, kind, value);
    at += bytes;
    const distance = kind === 1 ? value + ((tag >> 5) << 8) : value;
    const room = kind === 0 ? inputEnd - at - length : matchRoom(distance, to - outputStart);
    if (room < 0 || at > inputEnd || length > outputEnd - to) return false;
    if (kind === 0) {
      copyLiterals(input, at, length, output, to);
      at += length;
    } else {
      copyMatch(output, to, distance, length);
    }
    to += length;
  }
  return to === outputEnd;
}

/** Negative where a copy would begin before the output, or nowhere. */
function matchRoom(distance: number, written: number): number {
  return distance === 0 ? -1 : written - distance;
}

/** How many bytes of length (literals, kind 0) or distance follow a tag. */
function bytesBehind(tag: number, kind: number): number {
  if (kind === 0) return Math.max(0, (tag >> 2) - 59);
  return kind === 3 ? 4 : kind;
}

function runLength(tag: number, kind: number, value: number): number {
  if (kind === 1) return ((tag >> 2) & 7) + 4;
  return kind === 0 && tag >> 2 >= 60 ? value + 1 : (tag >> 2) + 1;
}

function littleEndian(input: Uint8Array, at: number, bytes: number): number {
  if (bytes === 0) return 0;
  const low = (input[at] ?? 0) | (bytes > 1 ? (input[at + 1] ?? 0) << 8 : 0);
  return bytes < 3
    ? low
    : low + 65536 * ((input[at + 2] ?? 0) + (bytes > 3 ? 256 * (input[at + 3] ?? 0) : 0));
}
