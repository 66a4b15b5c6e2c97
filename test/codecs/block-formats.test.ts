import fc from "fast-check";
import { compress as lz4Compress } from "lz4-wasm-nodejs";
import lzfjs from "lzfjs";
import snappyjs from "snappyjs";
import { describe, expect, test } from "vitest";
import { decodeBlock, xxhash32 } from "../../src/codecs/block-decoders.ts";
import { type Codec, isTrouble, type Trouble } from "../../src/codecs/codec.ts";
import { lz4Block } from "../../src/codecs/lz4-block.ts";
import { decodeLz4 } from "../../src/codecs/lz4-decode.ts";
import { lzf } from "../../src/codecs/lzf.ts";
import { snappy } from "../../src/codecs/snappy.ts";
import { readSnappySize } from "../../src/codecs/snappy-size.ts";
import { chunked } from "../helpers/chunked.ts";
import { decodeLzf } from "../helpers/plain-lzf.ts";
import { decodeSnappy } from "../helpers/plain-snappy.ts";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const ascii = (text: string) => Buffer.from(text);

/** What a stream decodes to, with its troubles in their places. */
async function decode(codec: Codec, bytes: Uint8Array): Promise<(string | Trouble)[]> {
  const seen: (string | Trouble)[] = [];
  for await (const item of codec.decode(chunked(bytes, 1000))) {
    if (isTrouble(item)) seen.push(item);
    else if (typeof seen.at(-1) === "string") seen[seen.length - 1] += Buffer.from(item).toString();
    else seen.push(Buffer.from(item).toString());
  }
  return seen;
}

test.each([
  ["", 0, 0x02cc5d05],
  ["abc", 0, 0x32d153ff],
  ["", 2654435761, 0x36b78ae7],
  ['{"Event":"SparkListenerLogStart","Spark Version":"3.5.1"}\n', 0x9747b28c, 0x1d857fd5],
  ["a".repeat(100), 0x9747b28c, 0x563aca8b],
])("xxHash32 of %j with seed %i", (text, seed, hash) => {
  expect(xxhash32(ascii(text), seed)).toBe(hash);
});

describe("an LZ4Block stream", () => {
  const line = '{"Event":"SparkListenerLogStart","Spark Version":"3.5.1"}\n';
  const magic = hex("4c5a34426c6f636b");
  const stored = Buffer.concat([magic, hex("15 3a000000 3a000000 d57f850d"), ascii(line)]);
  const packed = Buffer.concat([magic, hex("25 0b000000 64000000 8bca3a06 1f6101004b506161616161")]);
  const endMark = Buffer.concat([magic, hex("15 00000000 00000000 00000000")]);

  test("of a stored and a compressed block gives both", async () => {
    expect(await decode(lz4Block, Buffer.concat([stored, packed, endMark]))).toEqual([
      line + "a".repeat(100),
    ]);
  });

  test("goes on behind an end mark, where another stream was joined", async () => {
    expect(await decode(lz4Block, Buffer.concat([stored, endMark, packed, endMark]))).toEqual([
      line + "a".repeat(100),
    ]);
  });

  test("without its end mark was never closed", async () => {
    const [text, trouble] = await decode(lz4Block, stored);
    expect(text).toBe(line);
    expect(trouble).toMatchObject({ code: "truncated", byteOffset: 79 });
  });

  test("with a wrong checksum loses that block only, and names it", async () => {
    const bad = Buffer.from(stored);
    bad[30] = 0x20;
    expect(await decode(lz4Block, Buffer.concat([packed, bad, packed, endMark]))).toEqual([
      "a".repeat(100),
      { code: "damaged-block", byteOffset: 32, message: "lz4 block at byte 32 is damaged and was left out" },
      "a".repeat(100),
    ]);
  });

  test("that claims 2 GiB is refused before anything is allocated", async () => {
    const claims = Buffer.concat([
      magic,
      hex("25 0b000000 ffffff7f 8bca3a06 1f6101004b506161616161"),
      packed,
      endMark,
    ]);
    expect(await decode(lz4Block, claims)).toMatchObject([
      { code: "damaged-block", byteOffset: 0 },
      "a".repeat(100),
    ]);
  });
});

describe("a snappy-java stream", () => {
  const header = hex("82534e4150505900 00000001 00000001");
  const hello = hex("00000008 06 14 68656c6c6f0a");

  test("gives its blocks, also behind the header of a joined stream", async () => {
    expect(await decode(snappy, Buffer.concat([header, hello, hello, header, hello]))).toEqual([
      "hello\n".repeat(3),
    ]);
  });

  test("of its header alone is empty and whole", async () => {
    expect(await decode(snappy, header)).toEqual([]);
  });

  test("goes on behind a block whose length is damaged, although no mark tells where", async () => {
    const bad = Buffer.from(hello);
    bad[1] = 0x7f;
    expect(await decode(snappy, Buffer.concat([header, hello, bad, hello]))).toMatchObject([
      "hello\n",
      { code: "damaged-block", byteOffset: 28 },
      "hello\n",
    ]);
  });

  test("cut inside a block says where", async () => {
    expect(await decode(snappy, Buffer.concat([header, hello, hello.subarray(0, 9)]))).toMatchObject([
      "hello\n",
      { code: "truncated", byteOffset: 37 },
    ]);
  });
});

describe("LZF chunks", () => {
  const stored = hex("5a56 00 0006 68656c6c6f0a");
  const packed = hex("5a56 01 0005 0064 0061e05a00");

  test("give stored and compressed data", async () => {
    expect(await decode(lzf, Buffer.concat([stored, packed, stored]))).toEqual([
      `hello\n${"a".repeat(100)}hello\n`,
    ]);
  });

  test("go on behind a damaged one", async () => {
    const bad = Buffer.from(packed);
    bad[11] = 5; // farther back than anything was written
    expect(await decode(lzf, Buffer.concat([stored, bad, stored, packed]))).toMatchObject([
      "hello\n",
      { code: "damaged-block", byteOffset: 11 },
      `hello\n${"a".repeat(100)}`,
    ]);
  });
});

/** Texts with repeats near and far, short and long. */
const texts = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.constantFrom("ab", "Task Metrics", "x".repeat(700)),
    ),
    {
      minLength: 1,
      maxLength: 60,
    },
  )
  .map((pieces) => Buffer.from(pieces.concat(pieces).join("")))
  .filter((bytes) => bytes.length > 0);

/** Compressors of others, and decoders in plain TypeScript that the WebAssembly ones are held to. */
const FORMATS = {
  lz4: {
    pack: (bytes: Buffer) => lz4Compress(bytes).subarray(4),
    plain: (...[input, start, end, output, from, to]: Parameters<typeof decodeLzf>) =>
      decodeLz4(input, start, end, output, from, from, to) === to - from,
  },
  snappy: {
    pack: (bytes: Buffer) => {
      const packed = new Uint8Array(snappyjs.compress(bytes));
      return packed.subarray(readSnappySize(packed, 0, packed.length)?.at);
    },
    plain: decodeSnappy,
  },
  lzf: { pack: (bytes: Buffer) => lzfjs.compress(bytes), plain: decodeLzf },
};

describe.each(Object.entries(FORMATS))("a raw %s block", (name, { pack, plain }) => {
  const format = name as keyof typeof FORMATS;

  test("of another's compressor gives the text back", () => {
    fc.assert(
      fc.property(texts, (bytes) => {
        const packed = pack(bytes);
        const decoded = decodeBlock(format, packed, 0, packed.length, bytes.length);
        expect(decoded && Buffer.from(decoded).equals(bytes)).toBe(true);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test("that is changed anywhere gives what the plain decoder gives, or nothing as it does", () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(texts, changes, fc.integer({ min: -2, max: 2 }), (bytes, changed, off) => {
        const packed = Uint8Array.from(pack(bytes));
        for (const [at, byte] of changed) packed[at % packed.length] = byte;
        const size = Math.max(0, bytes.length + off);
        const wanted = Buffer.alloc(size);
        const whole = plain(packed, 0, packed.length, wanted, 0, size);
        const decoded = decodeBlock(format, packed, 0, packed.length, size);
        expect(decoded !== undefined).toBe(whole);
        if (decoded) expect(Buffer.from(decoded).equals(wanted)).toBe(true);
      }),
      { seed: 1, numRuns: 3000 },
    );
  });
});

test("a block of 30 MiB is decoded after small ones", () => {
  const bytes = Buffer.alloc(30 * 2 ** 20, "abcdefghijklmnopqrstuvwxyz");
  const packed = lz4Compress(bytes).subarray(4);
  expect(Buffer.from(decodeBlock("lz4", packed, 0, packed.length, bytes.length) ?? []).equals(bytes)).toBe(
    true,
  );
});
