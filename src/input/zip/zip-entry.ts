import { crc32 } from "node:zlib";
import { type ByteSource, openSource } from "../../codecs/byte-source.ts";
import type { Decoded } from "../../codecs/codec.ts";
import { type InflateEnd, inflateRaw } from "../../codecs/inflate.ts";
import { UserError } from "../../errors.ts";
import { fileChunks } from "../open-part.ts";
import type { ZipEntry } from "./zip-directory.ts";
import { skipLocalHeader } from "./zip-walk.ts";

const METHOD = { stored: 0, deflate: 8 } as const;

/** An entry's bytes. Neither its claimed size nor its checksum is believed: what comes out is compared with them. */
export async function* openEntry(path: string, entry: ZipEntry): AsyncGenerator<Decoded> {
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
