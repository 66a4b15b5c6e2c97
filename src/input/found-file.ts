import type { Decoded } from "../codecs/codec.ts";
import type { Part } from "./event-log.ts";
import { openPlace, type PartPlace } from "./part-place.ts";

/** A file, in a folder or in a zip, before it is known whether it belongs to an event log. */
export interface FoundFile {
  /** As shown to the user. */
  path: string;
  /** Without folders. */
  name: string;
  /** The folder it lies in, as shown to the user. */
  folder: string;
  bytes: number | null;
  zipped: boolean;
  /** As in Part. */
  place: PartPlace | null;
  open(): AsyncIterable<Decoded>;
}

export function fileOnDisk(folder: string, name: string, path: string, bytes: number | null): FoundFile {
  const place = { kind: "file", path } as const;
  return { path, name, folder, bytes, zipped: false, place, open: () => openPlace(place) };
}

export function toPart(file: FoundFile, compacted = false): Part {
  const { path, name, bytes, zipped, place } = file;
  return { path, name, bytes, compacted, zipped, place, open: () => file.open() };
}
