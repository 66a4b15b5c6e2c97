import { type FileHandle, open } from "node:fs/promises";

/** What the central directory says about a file in a zip. */
export interface ZipEntry {
  /** With forward slashes, never leading out of the zip; shown and used for grouping only. */
  name: string;
  encrypted: boolean;
  /** 0 stored, 8 deflate. */
  method: number;
  /** Null where the zip was cut before its directory. */
  crc: number | null;
  /** Infinity where only unpacking tells. */
  packedBytes: number;
  bytes: number | null;
  /** Of the entry's local header in the zip. */
  offset: number;
}

const ENTRY_MAGIC = 0x02014b50;
const END_MAGIC = 0x06054b50;
const END_BYTES = 22;
const END_64_LOCATOR_MAGIC = 0x07064b50;
const END_64_LOCATOR_BYTES = 20;
const END_64_MAGIC = 0x06064b50;
const END_64_BYTES = 56;
const ENTRY_BYTES = 46;
const MAX_COMMENT_BYTES = 65_535;
/** 64 MiB are some 500,000 entries: no History Server writes more. */
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;
/** Stands where the value is in the zip64 field. */
const IN_ZIP64 = 0xffffffff;
const ZIP64_FIELD = 1;

/** True if these first bytes begin a zip. */
export function isZip(head: Uint8Array): boolean {
  return (
    head[0] === 0x50 &&
    head[1] === 0x4b &&
    ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6))
  );
}

/** Lists the files of a zip by its directory, which stands at its end. Undefined where none is: the zip was cut. */
export async function readZipDirectory(path: string): Promise<ZipEntry[] | undefined> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const place = await findDirectory(file, size);
    if (!place || place.bytes > MAX_DIRECTORY_BYTES || place.offset + place.bytes > size) return undefined;
    return [...entries(await readAt(file, place.offset, place.bytes))];
  } finally {
    await file.close();
  }
}

async function findDirectory(
  file: FileHandle,
  size: number,
): Promise<{ offset: number; bytes: number } | undefined> {
  const tailBytes = Math.min(size, END_BYTES + END_64_LOCATOR_BYTES + MAX_COMMENT_BYTES);
  const tail = await readAt(file, size - tailBytes, tailBytes);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_MAGIC) continue;
    const locator = at - END_64_LOCATOR_BYTES;
    if (locator >= 0 && tail.readUInt32LE(locator) === END_64_LOCATOR_MAGIC) {
      const end = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), END_64_BYTES);
      if (end.length < END_64_BYTES || end.readUInt32LE(0) !== END_64_MAGIC) return undefined;
      return { bytes: Number(end.readBigUInt64LE(40)), offset: Number(end.readBigUInt64LE(48)) };
    }
    return { bytes: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) };
  }
  return undefined;
}

function* entries(directory: Buffer): Generator<ZipEntry> {
  for (let at = 0; at + ENTRY_BYTES <= directory.length && directory.readUInt32LE(at) === ENTRY_MAGIC; ) {
    const nameEnd = at + ENTRY_BYTES + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const sizes = readSizes(directory, at, directory.subarray(nameEnd, extraEnd));
    yield {
      name: safeName(directory.toString("utf8", at + ENTRY_BYTES, nameEnd)),
      encrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      ...sizes,
    };
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
}

/** Sizes and offset; those that need more than 32 bits stand, in this order, in the zip64 field. */
function readSizes(
  directory: Buffer,
  at: number,
  extra: Buffer,
): { bytes: number; packedBytes: number; offset: number } {
  const wide = zip64Field(extra);
  let next = 0;
  const size = (value: number): number => {
    if (value !== IN_ZIP64 || next + 8 > wide.length) return value;
    next += 8;
    return Number(wide.readBigUInt64LE(next - 8));
  };
  const bytes = size(directory.readUInt32LE(at + 24));
  const packedBytes = size(directory.readUInt32LE(at + 20));
  const offset = size(directory.readUInt32LE(at + 42));
  return { bytes, packedBytes, offset };
}

function zip64Field(extra: Buffer): Buffer {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === ZIP64_FIELD) return extra.subarray(at + 4, end);
  }
  return Buffer.alloc(0);
}

/** No step of a name leads out of the zip, and none is empty. */
export function safeName(name: string): string {
  const folder = /[/\\]$/.test(name);
  const steps = name.split(/[/\\]+/).filter((step) => step !== "" && step !== "." && step !== "..");
  return steps.join("/") + (folder ? "/" : "");
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
