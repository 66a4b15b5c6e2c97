import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isTrouble } from "../../src/codecs/codec.ts";
import { unpack } from "../../src/codecs/unpack.ts";
import { chunked } from "../helpers/chunked.ts";

/** The same log in each container, written by Spark's own Java libraries: see the folder's README. */
const FOLDER = new URL("../fixtures/codecs/", import.meta.url);
const PACKED = readdirSync(FOLDER).filter((name) => /\.(lz4|snappy|lzf|zstd|gz)$/.test(name));
const plain = readFileSync(new URL("plain", FOLDER));

async function decode(bytes: Uint8Array, chunkBytes: number): Promise<{ codec: string; text: Buffer }> {
  const { codecs, text } = await unpack(chunked(bytes, chunkBytes));
  const pieces: Buffer[] = [];
  for await (const item of text) {
    if (isTrouble(item)) throw new Error(item.message);
    pieces.push(Buffer.from(item)); // copied: the decoder reuses its memory
  }
  return { codec: codecs.map((codec) => codec.name).join("+"), text: Buffer.concat(pieces) };
}

test("every codec that Spark writes has a fixture", () => {
  expect(new Set(PACKED.map((name) => name.split(".").at(-1)))).toEqual(
    new Set(["gz", "lz4", "lzf", "snappy", "zstd"]),
  );
});

describe.each(PACKED)("%s", (name) => {
  const stored = readFileSync(new URL(name, FOLDER));
  const codec = (name.split(".").at(-1) ?? "").replace("gz", "gzip");

  test.each([3, 4096, 1 << 20])(
    "gives the same text in chunks of %i bytes, known by its content",
    async (size) => {
      const decoded = await decode(stored, size);
      expect(decoded.codec).toBe(codec);
      expect(decoded.text.equals(plain)).toBe(true);
    },
  );
});
