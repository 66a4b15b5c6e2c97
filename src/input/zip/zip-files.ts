import { posix } from "node:path";
import { crc32 } from "node:zlib";
import { type ByteSource, openSource } from "../../codecs/byte-source.ts";
import type { Decoded } from "../../codecs/codec.ts";
import { type InflateEnd, inflateRaw } from "../../codecs/inflate.ts";
import { UserError } from "../../errors.ts";
import type { FoundFile } from "../found-file.ts";
import { fileChunks } from "../open-part.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.ts";
import { skipLocalHeader, walkZip } from "./zip-walk.ts";

const METHOD = { stored: 0, deflate: 8 } as const;

export interface ZipContent {
  files: FoundFile[];
  /** The zip ends before its directory: files after these may be missing, and the last one may be cut. */
  cut: boolean;
}

/**
 * The files in a zip, as if it were a folder of the zip's name.
 * @throws UserError where not even one file's header can be read
 */
export async function zipFiles(path: string): Promise<ZipContent> {
  const listed = await readZipDirectory(path);
  const entries = listed ?? (await walkZip(path));
  if (!listed && entries.length === 0) {
    throw new UserError(
      `${path} is a zip of which no file can be read: it was cut or damaged`,
      "Fetch it again.",
    );
  }
  const files = entries.filter((entry) => !entry.name.endsWith("/")).map((entry) => foundFile(path, entry));
  return { files, cut: listed === undefined };
}

function foundFile(zip: string, entry: ZipEntry): FoundFile {
  const path = posix.join(zip, entry.name);
  const [name, folder] = [posix.basename(path), posix.dirname(path)];
  return { path, name, folder, bytes: entry.bytes, zipped: true, open: () => openEntry(zip, entry) };
}

/** An entry's bytes. Neither its claimed size nor its checksum is believed: what comes out is compared with them. */
async function* openEntry(path: string, entry: ZipEntry): AsyncGenerator<Decoded> {
  if (entry.encrypted || (entry.method !== METHOD.stored && entry.method !== METHOD.deflate)) {
    const why = entry.encrypted ? "encrypted" : `packed by method ${entry.method} of zip`;
    throw new UserError(`${entry.name} in ${path} is ${why}, which is not read`, "Unpack the zip first.");
  }
  yield* openSource(fileChunks(path, entry.offset), (source) => unpackEntry(source, entry));
}

async function* unpackEntry(source: ByteSource, entry: ZipEntry): AsyncGenerator<Decoded> {
  if (!(await skipLocalHeader(source, entry))) {
    const message = `${entry.name} is not where the zip's directory says`;
    yield { code: "damaged-block", byteOffset: entry.offset, message };
    return;
  }
  let crc = 0;
  let bytes = 0;
  const unpacking = entry.method === METHOD.stored ? stored(source, entry.packedBytes) : inflateRaw(source);
  let step = await unpacking.next();
  for (; !step.done; step = await unpacking.next()) {
    crc = crc32(step.value, crc);
    bytes += step.value.length;
    yield step.value;
  }
  const same = (entry.crc ?? crc) === crc && (entry.bytes ?? bytes) === bytes;
  yield* entryTrouble(step.value, same, entry.name, entry.offset + source.position);
}

function* entryTrouble(end: InflateEnd, same: boolean, name: string, byteOffset: number): Generator<Decoded> {
  if (end.kind === "cut") {
    yield { code: "truncated", byteOffset, message: `${name} is cut: the zip ends at byte ${byteOffset}` };
  } else if (end.kind === "damaged") {
    yield { code: "damaged-block", byteOffset, message: `${name} is damaged in the zip (${end.message})` };
  } else if (!same) {
    yield {
      code: "damaged-block",
      byteOffset,
      message: `${name} fails its checksum in the zip: its lines may be wrong`,
    };
  }
}

async function* stored(source: ByteSource, length: number): AsyncGenerator<Uint8Array, InflateEnd> {
  for (let left = length; left > 0; ) {
    if (!(await source.fill(1))) return { kind: "cut" };
    const piece = source.bytes.subarray(source.start, source.start + Math.min(source.available, left));
    yield piece;
    left -= piece.length;
    source.consume(piece.length);
  }
  return { kind: "whole" };
}
