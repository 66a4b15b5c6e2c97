import { statSync } from "node:fs";
import { WORTH_A_THREAD_BYTES } from "../reading/reader-worker.ts";
import { isDatabaseFile } from "../store/database-file.ts";

const READERS = ["report", "ingest", "plan"];

/**
 * A guess from the bare arguments: one of them is the path of a log that is worth a thread. A wrong guess costs time only.
 * @param args what follows the command's name
 */
export function readsALargeLog([command = "", ...args]: readonly string[]): boolean {
  return READERS.includes(command) && args.some((arg) => !arg.startsWith("-") && isLarge(arg));
}

function isLarge(path: string): boolean {
  try {
    const stat = statSync(path);
    return (
      stat.isDirectory() || (stat.isFile() && stat.size >= WORTH_A_THREAD_BYTES && !isDatabaseFile(path))
    );
  } catch {
    return false;
  }
}
