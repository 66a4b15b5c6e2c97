import { open } from "node:fs/promises";

/** Big enough that a read costs nothing beside its bytes, small enough to stay in the processor's cache. */
const CHUNK_BYTES = 512 * 1024;

/**
 * A file's bytes from `start` up to `end`, in chunks whose memory is reused: the next one is read while this one is
 * worked on. Without them, the whole file; pipes have no other.
 */
export async function* fileChunks(path: string, start?: number, end = Infinity): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  let position = start ?? 0;
  const read = async (buffer: Uint8Array): Promise<number> => {
    const length = Math.min(buffer.length, end - position);
    const { bytesRead } = await file.read(buffer, 0, length, start === undefined ? null : position);
    position += bytesRead;
    return bytesRead;
  };
  try {
    let current: Uint8Array = new Uint8Array(CHUNK_BYTES);
    let other: Uint8Array = new Uint8Array(CHUNK_BYTES);
    let length = await read(current);
    while (length > 0) {
      const ahead = read(other);
      ahead.catch(() => undefined); // seen at the await below, unless the reader stops before
      yield current.subarray(0, length);
      length = await ahead;
      [current, other] = [other, current];
    }
  } finally {
    await file.close();
  }
}

/** A file's first bytes; none where it cannot be read. */
export async function readHead(path: string): Promise<Uint8Array> {
  const head = new Uint8Array(16);
  const file = await open(path, "r").catch(() => undefined);
  try {
    const read = await file?.read(head, 0, head.length, 0);
    return head.subarray(0, read?.bytesRead ?? 0);
  } catch {
    return head.subarray(0, 0);
  } finally {
    await file?.close();
  }
}
