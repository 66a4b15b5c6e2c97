import { bareLog } from "./bare-log.ts";
import type { EventLog } from "./event-log.ts";

/** The standard input as a log of one part. */
export function stdinLog(): EventLog {
  const part = {
    path: "standard input",
    name: "-",
    bytes: null,
    compacted: false,
    zipped: false,
    place: null,
    open: () => process.stdin as AsyncIterable<Uint8Array>,
  };
  return { ...bareLog("-", "stdin"), parts: [part] };
}
