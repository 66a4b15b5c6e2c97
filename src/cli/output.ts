import { closeSync, openSync, writeSync } from "node:fs";
import { UserError } from "../errors.ts";

/** Bytes gathered before they are written. */
const CHUNK = 1 << 16;

/** Writes a result, whole or in pieces, to a file, or to stdout where the file is absent or "-". */
export function writeResult(result: string | Iterable<string>, file: string | undefined): void {
  const pieces = typeof result === "string" ? [result] : result;
  if (file === undefined || file === "-") {
    writePieces(pieces, 1);
    return;
  }
  let open: number | undefined;
  try {
    open = openSync(file, "w");
    writePieces(pieces, open);
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).syscall) throw error;
    throw new UserError(
      `${file}: cannot be written (${(error as Error).message})`,
      "Give another path to -o.",
    );
  } finally {
    if (open !== undefined) closeSync(open);
  }
}

/** Pieces are put into one buffer that is used again and again: a report of 400 MB leaves no garbage of that size. */
function writePieces(pieces: Iterable<string>, to: number): void {
  const buffer = Buffer.allocUnsafe(CHUNK);
  let used = 0;
  for (const piece of pieces) {
    // UTF-8 needs three bytes at most for one of a string's code units.
    const fits = used + 3 * piece.length <= CHUNK;
    if (!fits && !writeBytes(buffer.subarray(0, used), to)) return;
    if (!fits) used = 0;
    if (3 * piece.length <= CHUNK) used += buffer.write(piece, used);
    else if (!writeBytes(Buffer.from(piece), to)) return;
  }
  writeBytes(buffer.subarray(0, used), to);
}

/** Synchronously and whole: process.exit after an asynchronous write to a pipe would cut it. */
export function writeStdout(text: string): void {
  writeBytes(Buffer.from(text), 1);
}

/** @returns false where nobody reads any more */
function writeBytes(bytes: Uint8Array, to: number): boolean {
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(to, bytes, at);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "EPIPE") return false;
      if (code !== "EAGAIN") throw error;
    }
  }
  return true;
}

/** Terminal columns and colour as the environment asks for them (NO_COLOR, FORCE_COLOR). */
export function terminalOptions(): { width: number; color: boolean } {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const forced = FORCE_COLOR !== undefined && FORCE_COLOR !== "0" && FORCE_COLOR !== "";
  const color = forced || (process.stdout.isTTY === true && !NO_COLOR && TERM !== "dumb");
  return { width: Math.max(60, process.stdout.columns ?? 100), color };
}
