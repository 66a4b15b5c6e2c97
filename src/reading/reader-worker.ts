import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** Stored bytes from which a thread of its own is worth its start (some 60 ms, half of it beside the main thread's own). */
export const WORTH_A_THREAD_BYTES = 2 * 1024 ** 2;
/** MiB. Short-lived objects are few: a larger young generation would only be memory. */
const YOUNG_GENERATION_MB = 4;

/**
 * Beside this file once built, and beside the bundled command. TypeScript sources, run by a loader that a thread would
 * not have, find none.
 */
const ENTRY = new URL("./reader-thread.js", import.meta.url);

/** Started by somebody who knew that a log would be read before it was known which. */
let offered: Worker | null = null;

/** A thread that waits for a ReadingOrder, and keeps nobody from ending; null where there can be none, or no second core. */
export function startThread(): Worker | null {
  if (availableParallelism() < 2) return null;
  return existsSync(ENTRY) ? newThread() : null;
}

export function offerThread(thread: Worker): void {
  offered = thread;
}

/** The offered thread or a new one, which keeps the process alive until it is terminated; null where there can be none. */
export function takeThread(): Worker | null {
  const thread = offered ?? (existsSync(ENTRY) ? newThread() : null);
  offered = null;
  thread?.ref();
  return thread;
}

/** Null where the system gives no further thread: a log can be read without one. */
function newThread(): Worker | null {
  try {
    const thread = new Worker(ENTRY, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } });
    thread.unref();
    return thread;
  } catch {
    return null;
  }
}
