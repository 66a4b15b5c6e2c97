import { writeFileSync, writeSync } from "node:fs";
import { UserError } from "../errors.ts";

/** Writes a result to a file, or to stdout where the file is absent or "-". */
export function writeResult(text: string, file: string | undefined): void {
  if (file === undefined || file === "-") {
    writeStdout(text);
    return;
  }
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UserError(
      `${file}: cannot be written (${(error as Error).message})`,
      "Give another path to -o.",
    );
  }
}

/** Synchronously and whole: process.exit after an asynchronous write to a pipe would cut it. */
export function writeStdout(text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw error;
    }
  }
}

/** Terminal columns and colour as the environment asks for them (NO_COLOR, FORCE_COLOR). */
export function terminalOptions(): { width: number; color: boolean } {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const forced = FORCE_COLOR !== undefined && FORCE_COLOR !== "0" && FORCE_COLOR !== "";
  const color = forced || (process.stdout.isTTY === true && !NO_COLOR && TERM !== "dumb");
  return { width: Math.max(60, process.stdout.columns ?? 100), color };
}
