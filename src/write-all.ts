import { writeSync } from "node:fs";

/**
 * A file of our own could not be written: a full disk. Apart from other system errors, which while a log is read mean
 * that the log cannot be read, and apart from errors that concern one line of it.
 */
export class WriteError extends Error {
  constructor(cause: unknown) {
    super(
      `a file for the database could not be written (${cause instanceof Error ? cause.message : cause})`,
      { cause },
    );
    this.name = "WriteError";
  }
}

/**
 * Writes all bytes, at a position or (null) where the file stands.
 * @throws WriteError
 */
export function writeAll(file: number, bytes: Uint8Array, position: number | null): void {
  try {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(file, bytes, done, bytes.length - done, position === null ? null : position + done);
    }
  } catch (error) {
    throw new WriteError(error);
  }
}
