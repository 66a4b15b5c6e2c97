import { closeSync, openSync, readSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";

/** Big enough that a read costs nothing beside its bytes, small enough to stay in the processor's cache. */
const CHUNK_BYTES = 512 * 1024;
/** Chunks read between two looks at signals and timers. */
const CHUNKS_PER_TURN = 32;

/**
 * A file's bytes from `start` up to `end`, in chunks whose memory is reused. Without them, the whole file; pipes have
 * no other. Files are read in place: a round through the thread pool costs more than a read from the page cache.
 */
export async function* fileChunks(path: string, start?: number, end = Infinity): AsyncGenerator<Uint8Array> {
  if (!statSync(path).isFile()) {
    yield* streamChunks(path);
    return;
  }
  const file = openSync(path, "r");
  try {
    yield* regularFileChunks(file, start ?? 0, end);
  } finally {
    closeSync(file);
  }
}

async function* regularFileChunks(file: number, start: number, end: number): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  let position = start;
  for (let turn = 1; ; turn++) {
    const length = readSync(file, chunk, 0, Math.min(chunk.length, end - position), position);
    if (length === 0) return;
    position += length;
    yield chunk.subarray(0, length);
    if (turn % CHUNKS_PER_TURN === 0) await setImmediate();
  }
}

/** A pipe or device: the next chunk is read while this one is worked on. */
async function* streamChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  const read = async (buffer: Uint8Array): Promise<number> =>
    (await file.read(buffer, 0, buffer.length, null)).bytesRead;
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
