import { posix } from "node:path";
import { crc32 } from "node:zlib";
import { ByteSource } from "../../codecs/byte-source.ts";
import type { Decoded } from "../../codecs/codec.ts";
import { inflateRaw } from "../../codecs/inflate.ts";
import { UserError } from "../../errors.ts";
import type { FoundFile } from "../found-file.ts";
import { fileChunks } from "../open-part.ts";
import { packedStart, readZipDirectory, type ZipEntry } from "./zip-directory.ts";

const METHOD = { stored: 0, deflate: 8 } as const;

/** The files in a zip, as if it were a folder of the zip's name. */
export async function zipFiles(path: string): Promise<FoundFile[]> {
  const entries = await readZipDirectory(path);
  return entries
    .filter((entry) => !entry.name.endsWith("/"))
    .map((entry) => {
      const full = posix.join(path, entry.name);
      return {
        path: full,
        name: posix.basename(full),
        folder: posix.dirname(full),
        bytes: entry.bytes,
        zipped: true,
        open: () => openEntry(path, entry),
      };
    });
}

/** An entry's bytes. Neither its claimed size nor its checksum is believed: what comes out is compared with them. */
async function* openEntry(path: string, entry: ZipEntry): AsyncGenerator<Decoded> {
  if (entry.encrypted || (entry.method !== METHOD.stored && entry.method !== METHOD.deflate)) {
    const why = entry.encrypted ? "encrypted" : `packed by method ${entry.method} of zip`;
    throw new UserError(
      `${entry.name} in ${path} is ${why}, which is not read`,
      "Unpack the zip first: unzip FILE",
    );
  }
  const start = await packedStart(path, entry);
  const source = new ByteSource(fileChunks(path, start, start + entry.packedBytes));
  try {
    let crc = 0;
    let bytes = 0;
    const unpacking = entry.method === METHOD.stored ? stored(source, entry) : inflateRaw(source);
    let step = await unpacking.next();
    for (; !step.done; step = await unpacking.next()) {
      crc = crc32(step.value, crc);
      bytes += step.value.length;
      yield step.value;
    }
    const byteOffset = start + source.position;
    if (step.value.kind === "cut") {
      yield {
        code: "truncated",
        byteOffset,
        message: `${entry.name} ends inside its packed bytes at byte ${byteOffset}`,
      };
    } else if (step.value.kind === "damaged") {
      yield {
        code: "damaged-block",
        byteOffset,
        message: `${entry.name} is damaged in the zip (${step.value.message})`,
      };
    } else if (crc !== entry.crc || bytes !== entry.bytes) {
      yield {
        code: "damaged-block",
        byteOffset: start,
        message: `${entry.name} fails its checksum in the zip`,
      };
    }
  } finally {
    await source.close();
  }
}

async function* stored(source: ByteSource, entry: ZipEntry): ReturnType<typeof inflateRaw> {
  while (await source.fill(1)) {
    yield source.bytes.subarray(source.start, source.end);
    source.consume(source.available);
  }
  return source.position < entry.packedBytes ? { kind: "cut" } : { kind: "whole" };
}
