import { copyLiterals, copyMatch } from "./copy-run.ts";

const MIN_MATCH = 4;

/**
 * Decodes one raw LZ4 block, input[inputStart..inputEnd), to output[outputStart..outputEnd). Matches may reach back to
 * output[historyStart]. Gives the bytes written, or -1 where the block is damaged; nothing outside the ranges is read
 * or written.
 */
export function decodeLz4(
  input: Uint8Array,
  inputStart: number,
  inputEnd: number,
  output: Uint8Array,
  historyStart: number,
  outputStart: number,
  outputEnd: number,
): number {
  let at = inputStart;
  let to = outputStart;
  while (at < inputEnd) {
    const token = input[at++] ?? 0;
    let length = fullLength(token >> 4, input, at, inputEnd);
    at += lengthBytes(length);
    if (length > inputEnd - at || length > outputEnd - to) return -1;
    copyLiterals(input, at, length, output, to);
    at += length;
    to += length;
    if (at === inputEnd) return to - outputStart;
    const distance = (input[at] ?? 0) | ((input[at + 1] ?? 0) << 8);
    at += 2;
    length = fullLength(token & 15, input, at, inputEnd);
    at += lengthBytes(length);
    length += MIN_MATCH;
    if (at > inputEnd || length > outputEnd - to || distance === 0 || distance > to - historyStart) return -1;
    copyMatch(output, to, distance, length);
    to += length;
  }
  return -1; // a block ends with literals
}

/** A length of 15 goes on in the following bytes until one is less than 255. */
function fullLength(length: number, input: Uint8Array, start: number, end: number): number {
  if (length < 15) return length;
  let at = start;
  while (at < end && input[at] === 255) at++;
  return 15 + 255 * (at - start) + (input[at] ?? 0);
}

/** How many bytes fullLength() read. */
function lengthBytes(length: number): number {
  return length < 15 ? 0 : Math.trunc((length - 15) / 255) + 1;
}
