import { readByteSize } from "./byte-size.ts";

const NAME = "spark.sql.autoBroadcastJoinThreshold";
const ADAPTIVE_NAME = "spark.sql.adaptive.autoBroadcastJoinThreshold";
/** Spark's default since 1.1. */
const DEFAULT_BYTES = 10 * 1024 ** 2;

/** The size up to which Spark broadcasts a join side by itself. */
export interface BroadcastThreshold {
  /** null: switched off (-1). */
  bytes: number | null;
  source: "session" | "application" | "default";
}

/**
 * The threshold in force for one execution: a session setting goes before the application's, the default stands where
 * the log names none. With AQE its own threshold goes first, as it judges measured sizes.
 */
export function broadcastThreshold(
  session: ReadonlyMap<string, string>,
  application: ReadonlyMap<string, string>,
): BroadcastThreshold {
  for (const name of [ADAPTIVE_NAME, NAME]) {
    for (const [source, settings] of [
      ["session", session],
      ["application", application],
    ] as const) {
      const bytes = readByteSize(settings.get(name) ?? "");
      if (bytes !== null) return { bytes: bytes < 0 ? null : bytes, source };
    }
  }
  return { bytes: DEFAULT_BYTES, source: "default" };
}
