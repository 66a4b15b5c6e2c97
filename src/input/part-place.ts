import type { Decoded } from "../codecs/codec.ts";
import { fileChunks } from "./open-part.ts";
import type { ZipEntry } from "./zip/zip-directory.ts";
import { openEntry } from "./zip/zip-entry.ts";

/** Where a part's bytes lie, as plain data: what another thread needs to open it. */
export type PartPlace = { kind: "file"; path: string } | { kind: "zip"; path: string; entry: ZipEntry };

/** As Part.open. */
export function openPlace(place: PartPlace): AsyncIterable<Decoded> {
  return place.kind === "file" ? fileChunks(place.path) : openEntry(place.path, place.entry);
}
