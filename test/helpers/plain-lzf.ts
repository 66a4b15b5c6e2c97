import { copyLiterals, copyMatch } from "../../src/codecs/copy-run.ts";

/**
 * Decodes the data of one compressed LZF chunk, input[inputStart..inputEnd), into output[outputStart..outputEnd),
 * which it must fill exactly. False where the chunk is damaged.
 */
export function decodeLzf(
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
    const control = input[at++] ?? 0;
    if (control < 32) {
      const length = control + 1;
      if (length > inputEnd - at || length > outputEnd - to) return false;
      copyLiterals(input, at, length, output, to);
      at += length;
      to += length;
      continue;
    }
    let length = (control >> 5) + 2;
    if (length === 9) length += input[at++] ?? 0;
    const distance = (((control & 31) << 8) | (input[at++] ?? 0)) + 1;
    if (at > inputEnd || length > outputEnd - to || distance > to - outputStart) return false;
    copyMatch(output, to, distance, length);
    to += length;
  }
  return to === outputEnd;
}
