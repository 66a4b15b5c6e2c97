/** Entry of the reading thread: started by read-in-thread.ts, which tells it what to read. */
import { parentPort, workerData } from "node:worker_threads";
import { UserError } from "../errors.ts";
import { openPlace } from "../input/part-place.ts";
import { Parcel } from "./parcel.ts";
import { ParcelWriter } from "./parcel-writer.ts";
import { readParts } from "./read-parts.ts";
import type { ReadingMessage, ReadingOrder } from "./thread-messages.ts";

const order = workerData as ReadingOrder;
const free = new Int32Array(order.free);
const parcels = order.memories.map((memory) => new Parcel(memory));
let turn = 0;

const post = (message: ReadingMessage, transfer: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, transfer);

/** Waits until the other side has emptied the parcel whose turn is next. */
function send(parcel: Parcel): Parcel {
  const content = parcel.content();
  const transfer = content.others.flatMap((other) =>
    other.kind === "long-line" && other.bytes.buffer instanceof ArrayBuffer ? [other.bytes.buffer] : [],
  );
  post({ kind: "parcel", content }, transfer);
  turn = (turn + 1) % parcels.length;
  const next = parcels[turn] as Parcel;
  Atomics.sub(free, 0, 1);
  while (Atomics.load(free, 0) === 0) Atomics.wait(free, 0, 0);
  next.clear();
  return next;
}

try {
  const writer = new ParcelWriter(parcels[0] as Parcel, send, order.scan);
  const opened = order.parts.map((part) => ({ ...part, open: () => openPlace(part.place) }));
  const parts = await readParts(opened, writer, writer);
  post({ kind: "done", parts, facts: writer.finish() });
} catch (error) {
  post({ kind: "failed", error, userHint: error instanceof UserError ? { text: error.hint } : null });
}
