import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";

const MAGIC = "SQLite format 3";

/** True where the path is a file with SQLite's header. Needs no SQLite: the command asks before it loads it. */
export function isDatabaseFile(path: string): boolean {
  if (path === "-" || !existsSync(path) || !statSync(path).isFile()) return false;
  const head = Buffer.alloc(MAGIC.length);
  const file = openSync(path, "r");
  try {
    readSync(file, head);
  } finally {
    closeSync(file);
  }
  return head.toString("latin1") === MAGIC;
}
