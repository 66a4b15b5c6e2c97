/** Entry of the reading thread: started by reader-worker.ts, told by read-in-thread.ts what to read. */
import { once } from "node:events";
import { type MessagePort, parentPort } from "node:worker_threads";
import { UserError } from "../errors.ts";
import { openPlace } from "../input/part-place.ts";
import { Parcel } from "./parcel.ts";
import { type ParcelSink, ParcelWriter } from "./parcel-writer.ts";
import { readParts } from "./read-parts.ts";
import type { ReadingMessage, ReadingOrder } from "./thread-messages.ts";

const port = parentPort as MessagePort;
const [order] = (await once(port, "message")) as [ReadingOrder];
const free = new Int32Array(order.free);
const parcels = order.memories.map((memory) => new Parcel(memory));
let turn = 0;
let longLine = new Uint8Array(new SharedArrayBuffer(0));

const post = (message: ReadingMessage): void => port.postMessage(message);

/** Waits until the other side has emptied parcels so that this many are free. */
function waitFor(count: number): void {
  for (let now = Atomics.load(free, 0); now < count; now = Atomics.load(free, 0)) Atomics.wait(free, 0, now);
}

const sink: ParcelSink = {
  send(parcel) {
    post({ kind: "parcel", content: parcel.content() });
    turn = (turn + 1) % parcels.length;
    const next = parcels[turn] as Parcel;
    Atomics.sub(free, 0, 1);
    waitFor(1);
    next.clear();
    return next;
  },
  // One memory for all long lines: passing on one of its own for each left tens of megabytes to the garbage collector.
  hold(buffer, start, end) {
    waitFor(parcels.length);
    const length = end - start;
    if (longLine.length < length) longLine = new Uint8Array(new SharedArrayBuffer(2 * length));
    longLine.set(buffer.subarray(start, end));
    return longLine.subarray(0, length);
  },
  isIdle: () => Atomics.load(free, 0) === parcels.length,
};

try {
  const writer = new ParcelWriter(parcels[0] as Parcel, sink, order.scan);
  const opened = order.parts.map((part) => ({ ...part, open: () => openPlace(part.place) }));
  const parts = await readParts(opened, writer, writer);
  post({ kind: "done", parts, facts: writer.finish() });
} catch (error) {
  post({ kind: "failed", error, userHint: error instanceof UserError ? { text: error.hint } : null });
}
