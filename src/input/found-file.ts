import type { Decoded } from "../codecs/codec.ts";
import type { Part } from "./event-log.ts";
import { fileChunks } from "./open-part.ts";

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
  open(): AsyncIterable<Decoded>;
}

export function fileOnDisk(folder: string, name: string, path: string, bytes: number | null): FoundFile {
  return { path, name, folder, bytes, zipped: false, open: () => fileChunks(path) };
}

export function toPart(file: FoundFile, compacted = false): Part {
  const { path, name, bytes, zipped } = file;
  return { path, name, bytes, compacted, zipped, open: () => file.open() };
}
