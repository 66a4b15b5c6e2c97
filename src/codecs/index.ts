import type { Codec } from "./codec.ts";
import { gzip } from "./gzip.ts";
import { lz4Block } from "./lz4-block.ts";
import { lz4Frame } from "./lz4-frame.ts";
import { lzf } from "./lzf.ts";
import { plain } from "./plain.ts";
import { snappy } from "./snappy.ts";
import { zstd } from "./zstd.ts";

/** Every codec a log may be packed with, plain text last: it matches anything. */
export const CODECS: readonly Codec[] = [zstd, lz4Block, lz4Frame, snappy, lzf, gzip, plain];

/** How many first bytes are wanted to tell a format: tar has its mark far in. */
export const HEAD_BYTES = 264;

/** The codec that the first bytes tell. */
export function pickCodec(head: Uint8Array): Codec {
  return CODECS.find((codec) => codec.matches(head)) ?? plain;
}

/** The codec that a file name hints at; undefined where the name says nothing. */
export function codecByName(name: string): Codec | undefined {
  const bare = name.replace(/\.inprogress$/, "").replace(/\.compact$/, "");
  return CODECS.find((codec) => codec.suffixes.some((suffix) => bare.endsWith(suffix)));
}
