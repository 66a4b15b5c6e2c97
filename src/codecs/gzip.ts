import { crc32 } from "node:zlib";
import type { ByteSource } from "./byte-source.ts";
import { openSource } from "./byte-source.ts";
import type { Codec, Decoded, Trouble } from "./codec.ts";
import { inflateRaw } from "./inflate.ts";

const MAGIC = Uint8Array.of(0x1f, 0x8b, 0x08);
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
/** RFC 1952 flags: what follows the fixed header. */
const FLAG = { headerCrc: 2, extra: 4, name: 8, comment: 16 } as const;
/** A file name or comment in a header longer than this is damage. */
const MAX_TEXT_BYTES = 64 * 1024;

/** RFC 1952, members joined. Spark never writes it; log shippers and Databricks do. */
export const gzip: Codec = {
  name: "gzip",
  suffixes: [".gz", ".gzip"],
  matches: (head) => MAGIC.every((byte, at) => head[at] === byte),
  decode: (chunks) => openSource(chunks, members),
};

async function* members(source: ByteSource): AsyncGenerator<Decoded> {
  while (await source.fill(1)) {
    const start = source.position;
    const header = await readHeader(source);
    if (header === "none" && (await onlyZeros(source))) return;
    if (header !== "whole") yield headerTrouble(header, start);
    if (header === "cut") return;
    if (header === "none") {
      await source.skip(1);
      if (!(await source.seek(MAGIC))) return;
      continue;
    }
    if (!(yield* member(source, start))) return;
  }
}

/** One member behind its header. False where the stream ended inside it. */
async function* member(source: ByteSource, start: number): AsyncGenerator<Decoded, boolean> {
  let crc = 0;
  let size = 0;
  const inflating = inflateRaw(source);
  let step = await inflating.next();
  for (; !step.done; step = await inflating.next()) {
    crc = crc32(step.value, crc);
    size += step.value.length;
    yield step.value;
  }
  if (step.value.kind === "damaged") {
    yield damaged(source.position, `gzip member at byte ${start} is damaged (${step.value.message})`);
    return source.seek(MAGIC);
  }
  if (step.value.kind === "cut" || !(await source.fill(TRAILER_BYTES))) {
    const byteOffset = source.position + source.available;
    yield {
      code: "truncated",
      byteOffset,
      message: `gzip stream ends inside a member at byte ${byteOffset}`,
    };
    return false;
  }
  const trailer = new DataView(source.bytes.buffer, source.bytes.byteOffset + source.start, TRAILER_BYTES);
  if (trailer.getUint32(0, true) !== crc || trailer.getUint32(4, true) !== size % 2 ** 32) {
    yield damaged(start, `gzip member at byte ${start} fails its checksum: its lines may be wrong`);
  }
  source.consume(TRAILER_BYTES);
  return true;
}

function headerTrouble(header: "none" | "cut", start: number): Trouble {
  if (header === "none") return damaged(start, `bytes at ${start} begin no gzip member`);
  return {
    code: "truncated",
    byteOffset: start,
    message: `gzip stream ends inside the header at byte ${start}`,
  };
}

function damaged(byteOffset: number, message: string): Trouble {
  return { code: "damaged-block", byteOffset, message };
}

/** Consumes a member's header. "none": no header stands here, nothing is consumed. */
async function readHeader(source: ByteSource): Promise<"whole" | "none" | "cut"> {
  const whole = await source.fill(HEADER_BYTES);
  const seen = source.bytes.subarray(source.start, Math.min(source.end, source.start + MAGIC.length));
  if (!seen.every((byte, at) => byte === MAGIC[at])) return "none";
  if (!whole) return "cut";
  const flags = source.bytes[source.start + 3] ?? 0;
  source.consume(HEADER_BYTES);
  return (await skipFields(source, flags)) ? "whole" : "cut";
}

async function skipFields(source: ByteSource, flags: number): Promise<boolean> {
  if (flags & FLAG.extra) {
    if (!(await source.fill(2))) return false;
    const length = (source.bytes[source.start] ?? 0) + 256 * (source.bytes[source.start + 1] ?? 0);
    if (!(await source.skip(2 + length))) return false;
  }
  for (const text of [FLAG.name, FLAG.comment]) {
    if (flags & text && !(await skipText(source))) return false;
  }
  if (flags & FLAG.headerCrc && !(await source.skip(2))) return false;
  return true;
}

async function skipText(source: ByteSource): Promise<boolean> {
  for (let length = 0; length < MAX_TEXT_BYTES; length++) {
    if (!(await source.fill(1))) return false;
    const byte = source.bytes[source.start];
    source.consume(1);
    if (byte === 0) return true;
  }
  return true;
}

/** True if nothing but zeros is left: tapes and block stores pad with them. */
async function onlyZeros(source: ByteSource): Promise<boolean> {
  while (await source.fill(1)) {
    for (let at = source.start; at < source.end; at++) {
      if (source.bytes[at] === 0) continue;
      source.consume(at - source.start);
      return false;
    }
    source.consume(source.available);
  }
  return true;
}
