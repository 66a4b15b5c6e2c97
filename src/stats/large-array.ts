/** From here on an array gets memory of its own. */
const LARGE_BYTES = 2 * 1024 ** 2;
/** glibc maps blocks of more than 32 MiB apart and gives them back to the system the moment they are freed. */
const MAPPED_BYTES = 32 * 1024 ** 2 + 4096;

interface ArrayType<Type> {
  new (length: number): Type;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): Type;
  readonly BYTES_PER_ELEMENT: number;
}

/**
 * A typed array whose memory goes back to the system when it is collected, however many millions of values it has. Freed
 * blocks of a few MiB would stay with the process, in pieces too small for the next: a fifth of its size in the end.
 * What is mapped beyond the array's end is never touched and takes no memory; the collector counts it and comes sooner.
 */
export function largeArray<Type>(of: ArrayType<Type>, length: number): Type {
  const bytes = length * of.BYTES_PER_ELEMENT;
  return bytes < LARGE_BYTES
    ? new of(length)
    : new of(new ArrayBuffer(Math.max(bytes, MAPPED_BYTES)), 0, length);
}
