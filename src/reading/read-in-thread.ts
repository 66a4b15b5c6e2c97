import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { UserError } from "../errors.ts";
import type { EventLog } from "../input/event-log.ts";
import { PARCEL_BYTES, Parcel, type ParcelContent } from "./parcel.ts";
import type { LogReading, Reading, ReadOptions } from "./read-log.ts";
import { takeThread, WORTH_A_THREAD_BYTES } from "./reader-worker.ts";
import type { ReadingMessage, ReadingOrder } from "./thread-messages.ts";

/** One is filled, one is emptied, one waits. */
const PARCELS = 3;
/** Starts to read a log in a thread of its own; null where that is not worth it or not possible. */
export function readInThread(log: EventLog, options: ReadOptions): Reading | null {
  if (options.thread === "same") return null;
  if (options.thread !== "own" && (bytesOf(log) < WORTH_A_THREAD_BYTES || availableParallelism() < 2))
    return null;
  const order = orderOf(log, options);
  if (!order) return null;
  const worker = takeThread();
  if (!worker) return null;
  worker.postMessage(order);
  return {
    take: (into) => follow(worker, order, into).finally(() => worker.terminate()),
    close: () => void worker.terminate(),
  };
}

function follow(worker: Worker, order: ReadingOrder, into: (parcel: Parcel) => void): Promise<LogReading> {
  const parcels = order.memories.map((memory) => new Parcel(memory));
  const free = new Int32Array(order.free);
  let turn = 0;
  const takeNext = (content: ParcelContent): void => {
    const parcel = parcels[turn] as Parcel;
    turn = (turn + 1) % parcels.length;
    parcel.open(content);
    into(parcel);
    Atomics.add(free, 0, 1);
    Atomics.notify(free, 0);
  };
  return new Promise<LogReading>((resolve, reject) => {
    worker.on("message", (message: ReadingMessage) => {
      try {
        if (message.kind === "parcel") takeNext(message.content);
        else if (message.kind === "done") resolve({ parts: message.parts, ...message.facts });
        else reject(errorOf(message));
      } catch (error) {
        reject(error);
      }
    });
    worker.on("error", reject);
    worker.on("exit", () => reject(new Error("the reading thread ended before it was done")));
  });
}

function errorOf({ error, userHint }: Extract<ReadingMessage, { kind: "failed" }>): unknown {
  return userHint && error instanceof Error ? new UserError(error.message, userHint.text) : error;
}

/** Null where a part can only be opened here. */
function orderOf(log: EventLog, options: ReadOptions): ReadingOrder | null {
  const parts: ReadingOrder["parts"] = [];
  for (const { path, name, bytes, compacted, zipped, place } of log.parts) {
    if (!place) return null;
    parts.push({ path, name, bytes, compacted, zipped, place });
  }
  const memories = Array.from({ length: PARCELS }, () => new SharedArrayBuffer(PARCEL_BYTES));
  const free = new SharedArrayBuffer(4);
  new Int32Array(free)[0] = PARCELS;
  return { parts, scan: options.scan, memories, free };
}

function bytesOf(log: EventLog): number {
  return log.parts.reduce((sum, part) => sum + (part.bytes ?? 0), 0);
}
