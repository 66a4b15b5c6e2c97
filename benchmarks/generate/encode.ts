import { gzipSync } from "node:zlib";
import { compress as lz4Compress } from "lz4-wasm-nodejs";
import lzfjs from "lzfjs";
import snappy from "snappyjs";
import { ZstdCodec } from "zstd-codec";

export const CODECS = ["none", "zstd", "lz4", "snappy", "lzf", "gzip"] as const;
export type CodecName = (typeof CODECS)[number];

/** Turns chunks of text into chunks of a stored file, one after the other. */
export interface Encoder {
  begin(): Buffer;
  chunk(text: Buffer): Buffer;
  end(): Buffer;
}

const NOTHING = Buffer.alloc(0);
const LZ4_MAGIC = Buffer.from("LZ4Block");
/** Spark's spark.io.compression.lz4.blockSize. */
const LZ4_BLOCK = 32 * 1024;
const LZF_BLOCK = 65_535;

/** As Spark writes each codec: zstd in many frames, LZ4Block and snappy-java blocks of 32 KiB, LZF chunks. */
export async function encoderFor(codec: CodecName): Promise<Encoder> {
  if (codec === "none") return plain((text) => text);
  if (codec === "gzip") return plain((text) => gzipSync(text, { level: 1 }));
  if (codec === "lzf") return plain((text) => blocks(text, LZF_BLOCK, lzfChunk));
  if (codec === "lz4") return { ...plain((text) => blocks(text, LZ4_BLOCK, lz4Block)), end: lz4End };
  if (codec === "snappy") {
    const header = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
    return { ...plain((text) => blocks(text, LZ4_BLOCK, snappyBlock)), begin: () => header };
  }
  const { Simple } = await new Promise<ZstdModule>((resolve) => ZstdCodec.run(resolve));
  const simple = new Simple();
  return plain((text) => Buffer.from(simple.compress(text, 1)));
}

type ZstdModule = Parameters<Parameters<typeof ZstdCodec.run>[0]>[0];

function plain(chunk: (text: Buffer) => Buffer): Encoder {
  return { begin: () => NOTHING, chunk, end: () => NOTHING };
}

function blocks(text: Buffer, size: number, encode: (block: Buffer) => Buffer): Buffer {
  const out: Buffer[] = [];
  for (let at = 0; at < text.length; at += size) out.push(encode(text.subarray(at, at + size)));
  return Buffer.concat(out);
}

function lz4Block(block: Buffer): Buffer {
  // The package puts the length of the text before the raw block.
  const packed = Buffer.from(lz4Compress(block)).subarray(4);
  const raw = packed.length >= block.length;
  const head = Buffer.alloc(21);
  LZ4_MAGIC.copy(head);
  head[8] = (raw ? 0x10 : 0x20) | 5;
  head.writeInt32LE(raw ? block.length : packed.length, 9);
  head.writeInt32LE(block.length, 13);
  head.writeInt32LE(xxHash32(block, 0x9747b28c) & 0xfffffff, 17);
  return Buffer.concat([head, raw ? block : packed]);
}

function lz4End(): Buffer {
  const head = Buffer.alloc(21);
  LZ4_MAGIC.copy(head);
  head[8] = 0x10 | 5;
  return head;
}

function snappyBlock(block: Buffer): Buffer {
  const packed = Buffer.from(snappy.compress(block));
  const length = Buffer.alloc(4);
  length.writeInt32BE(packed.length);
  return Buffer.concat([length, packed]);
}

function lzfChunk(block: Buffer): Buffer {
  const packed = lzfjs.compress(block);
  if (packed.length >= block.length) {
    const head = Buffer.from([0x5a, 0x56, 0, block.length >> 8, block.length & 255]);
    return Buffer.concat([head, block]);
  }
  const head = Buffer.from([
    0x5a,
    0x56,
    1,
    packed.length >> 8,
    packed.length & 255,
    block.length >> 8,
    block.length & 255,
  ]);
  return Buffer.concat([head, packed]);
}

const PRIME = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1] as const;

/** xxHash32, for the checksum of LZ4Block. */
function xxHash32(data: Buffer, seed: number): number {
  const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));
  let at = 0;
  let hash: number;
  if (data.length >= 16) {
    const lanes = [seed + PRIME[0] + PRIME[1], seed + PRIME[1], seed, seed - PRIME[0]];
    for (; at + 16 <= data.length; at += 16) {
      for (let lane = 0; lane < 4; lane++) {
        const mixed = ((lanes[lane] ?? 0) + Math.imul(data.readUInt32LE(at + 4 * lane), PRIME[1])) | 0;
        lanes[lane] = Math.imul(rotate(mixed, 13), PRIME[0]);
      }
    }
    hash = [1, 7, 12, 18].reduce((sum, bits, lane) => (sum + rotate((lanes[lane] ?? 0) | 0, bits)) | 0, 0);
  } else hash = seed + PRIME[4];
  hash = (hash + data.length) | 0;
  for (; at + 4 <= data.length; at += 4) {
    hash = Math.imul(rotate((hash + Math.imul(data.readUInt32LE(at), PRIME[2])) | 0, 17), PRIME[3]);
  }
  for (; at < data.length; at++)
    hash = Math.imul(rotate((hash + Math.imul(data[at] ?? 0, PRIME[4])) | 0, 11), PRIME[0]);
  hash = Math.imul(hash ^ (hash >>> 15), PRIME[1]);
  hash = Math.imul(hash ^ (hash >>> 13), PRIME[2]);
  return hash ^ (hash >>> 16);
}
