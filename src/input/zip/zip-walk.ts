import { type ByteSource, withSource } from "../../codecs/byte-source.ts";
import { inflateRaw } from "../../codecs/inflate.ts";
import { fileChunks } from "../open-part.ts";
import { safeName, type ZipEntry } from "./zip-directory.ts";

const LOCAL_MAGIC = 0x04034b50;
const LOCAL_BYTES = 30;
const DESCRIPTOR_MAGIC = 0x08074b50;
/** Sizes and checksum stand behind the packed bytes, not in the header: as Java's ZipOutputStream writes. */
const HAS_DESCRIPTOR = 8;
const DEFLATE = 8;

/** A file as its own header in a zip tells it. */
interface LocalFile {
  entry: ZipEntry;
  described: boolean;
}

/** Lists the files of a zip that was cut before its directory, header by header, up to the cut. */
export async function walkZip(path: string): Promise<ZipEntry[]> {
  return withSource(fileChunks(path), async (source) => {
    const entries: ZipEntry[] = [];
    for (let file = await readLocal(source); file; file = await readLocal(source)) {
      entries.push(file.entry);
      if (!(await skipFile(source, file))) break;
    }
    return entries;
  });
}

/** Moves to the packed bytes of an entry. False if its header does not stand at the source. */
export async function skipLocalHeader(source: ByteSource, entry: ZipEntry): Promise<boolean> {
  return (await readLocal(source))?.entry.name === entry.name;
}

async function readLocal(source: ByteSource): Promise<LocalFile | undefined> {
  if (!(await source.fill(LOCAL_BYTES))) return undefined;
  const offset = source.position;
  const header = Buffer.from(source.bytes.subarray(source.start, source.start + LOCAL_BYTES));
  if (header.readUInt32LE(0) !== LOCAL_MAGIC) return undefined;
  const nameBytes = header.readUInt16LE(26);
  const length = LOCAL_BYTES + nameBytes + header.readUInt16LE(28);
  if (!(await source.fill(length))) return undefined;
  const name = source.bytes.subarray(source.start + LOCAL_BYTES, source.start + LOCAL_BYTES + nameBytes);
  const flags = header.readUInt16LE(6);
  const described = (flags & HAS_DESCRIPTOR) !== 0;
  const entry: ZipEntry = {
    name: safeName(Buffer.from(name).toString("utf8")),
    encrypted: (flags & 1) === 1,
    method: header.readUInt16LE(8),
    crc: described ? null : header.readUInt32LE(14),
    packedBytes: described ? Infinity : header.readUInt32LE(18),
    bytes: described ? null : header.readUInt32LE(22),
    offset,
  };
  source.consume(length);
  return { entry, described };
}

/** Moves behind a file's packed bytes. False where the zip ends before, or they cannot be told from what follows. */
async function skipFile(source: ByteSource, { entry, described }: LocalFile): Promise<boolean> {
  if (!described) return source.skip(entry.packedBytes);
  if (entry.method !== DEFLATE || entry.encrypted) return false;
  const inflating = inflateRaw(source);
  let step = await inflating.next();
  while (!step.done) step = await inflating.next();
  return step.value.kind === "whole" && skipDescriptor(source);
}

/** A checksum and two sizes of 4 or 8 bytes, with or without a mark before them: the next header tells which. */
async function skipDescriptor(source: ByteSource): Promise<boolean> {
  await source.fill(4 + 20 + 4);
  const view = new DataView(source.bytes.buffer, source.bytes.byteOffset + source.start, source.available);
  const marked = view.byteLength >= 4 && view.getUint32(0, true) === DESCRIPTOR_MAGIC ? 4 : 0;
  for (const length of [marked + 12, marked + 20]) {
    if (view.byteLength >= length + 4 && view.getUint32(length, true) === LOCAL_MAGIC)
      return source.skip(length);
  }
  return false;
}
