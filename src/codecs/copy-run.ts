/** A shorter run is copied byte by byte: a call to copy it costs more. */
const LONG_RUN = 32;

/** Copies input[at..at + length) to output[to..): the literals of an LZ77 format. Ranges are the caller's to check. */
export function copyLiterals(
  input: Uint8Array,
  at: number,
  length: number,
  output: Uint8Array,
  to: number,
): void {
  if (length > LONG_RUN) {
    output.set(input.subarray(at, at + length), to);
    return;
  }
  for (let index = 0; index < length; index++) output[to + index] = input[at + index] ?? 0;
}

/** Repeats what stands `distance` back in the output. A run longer than that distance overlaps itself. */
export function copyMatch(output: Uint8Array, to: number, distance: number, length: number): void {
  const from = to - distance;
  if (length > LONG_RUN && length <= distance) {
    output.copyWithin(to, from, from + length);
    return;
  }
  for (let index = 0; index < length; index++) output[to + index] = output[from + index] ?? 0;
}
