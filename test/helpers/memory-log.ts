import { bareLog } from "../../src/input/bare-log.ts";
import type { EventLog } from "../../src/input/event-log.ts";
import { chunked } from "./chunked.ts";

/** A log of parts that stand in memory, handed out in chunks of `chunkBytes`. */
export function memoryLog(parts: Uint8Array[], chunkBytes = 1 << 20, name = "log"): EventLog {
  return {
    ...bareLog("log", "single"),
    parts: parts.map((bytes, index) => ({
      path: `part-${index}`,
      name,
      bytes: bytes.length,
      compacted: false,
      zipped: false,
      place: null,
      open: () => chunked(bytes, chunkBytes),
    })),
  };
}
