import type { Part } from "../input/event-log.ts";
import type { PartPlace } from "../input/part-place.ts";
import type { PartSummary } from "./line-handler.ts";
import type { ParcelContent } from "./parcel.ts";
import type { ReadingFacts } from "./parcel-writer.ts";

/** What the reading thread is started with. */
export interface ReadingOrder {
  parts: (Omit<Part, "open"> & { place: PartPlace })[];
  scan: boolean;
  /** A parcel's memory each. */
  memories: SharedArrayBuffer[];
  /** One number: how many parcels are free to be filled. */
  free: SharedArrayBuffer;
}

/** What it sends: parcels by turns, and at the end what it knows or why it failed. */
export type ReadingMessage =
  | { kind: "parcel"; content: ParcelContent }
  | { kind: "done"; parts: PartSummary[]; facts: ReadingFacts }
  | {
      kind: "failed";
      error: unknown /** Set where the user can put it right. */;
      userHint: { text: string | undefined } | null;
    };
