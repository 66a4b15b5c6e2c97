import { type FileHandle, open } from "node:fs/promises";

/** Big enough that a read costs nothing beside its bytes, small enough to stay in the processor's cache. */
const CHUNK_BYTES = 512 * 1024;

/** A file's bytes, in chunks whose memory is reused: the next one is read while this one is worked on. */
export async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    let current: Uint8Array = new Uint8Array(CHUNK_BYTES);
    let other: Uint8Array = new Uint8Array(CHUNK_BYTES);
    let length = await readInto(file, current);
    while (length > 0) {
      const ahead = readInto(file, other);
      ahead.catch(() => undefined); // seen at the await below, unless the reader stops before
      yield current.subarray(0, length);
      length = await ahead;
      [current, other] = [other, current];
    }
  } finally {
    await file.close();
  }
}

async function readInto(file: FileHandle, buffer: Uint8Array): Promise<number> {
  const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
  return bytesRead;
}
