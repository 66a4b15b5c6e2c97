/**
 * Bytes in chunks of one size that share their memory, as a file's do: once the next is asked for, the last one is
 * overwritten.
 */
export async function* chunked(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  const reused = new Uint8Array(chunkBytes);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const piece = bytes.subarray(at, at + chunkBytes);
    reused.set(piece);
    yield reused.subarray(0, piece.length);
    reused.fill(0xff);
  }
}
