import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isTrouble } from "../../src/codecs/codec.ts";
import { zstd } from "../../src/codecs/zstd.ts";
import { chunked } from "../helpers/chunked.ts";

const FRAMES = readFileSync(new URL("../fixtures/codecs/small/frames.zstd", import.meta.url));
const TEXT = readFileSync(new URL("../fixtures/codecs/small/plain", import.meta.url), "utf8");

async function decode(...pieces: Uint8Array[]): Promise<{ text: string; troubles: string[] }> {
  let text = "";
  const troubles: string[] = [];
  for await (const item of zstd.decode(chunked(Buffer.concat(pieces), 100))) {
    if (isTrouble(item)) troubles.push(`${item.code} at ${item.byteOffset}: ${item.message}`);
    else text += Buffer.from(item).toString();
  }
  return { text, troubles };
}

/** A frame of one stored block: magic, descriptor, window or size, block header, text. */
function frame(header: number[], text: string): Buffer {
  const bytes = Buffer.from(text);
  const block = (bytes.length << 3) | 1;
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, ...header, block & 255, (block >> 8) & 255, block >> 16]),
    bytes,
  ]);
}

test("a frame that wants a window above 128 MiB is named, and the next one read", async () => {
  const windowLog28 = (28 - 10) << 3;
  expect(await decode(frame([0, windowLog28], "lost"), FRAMES)).toEqual({
    text: TEXT,
    troubles: [
      "damaged-block at 0: zstd frame at byte 0 wants a window of 256 MiB; more than 128 is not read",
    ],
  });
});

test("a frame that claims 2^60 bytes of content costs nothing and is named", async () => {
  const { text, troubles } = await decode(frame([0xe0, 0, 0, 0, 0, 0, 0, 0, 16], "lost"), FRAMES);
  expect(text).toBe(TEXT);
  expect(troubles).toEqual([expect.stringContaining("wants a window of 1099511627776 MiB")]);
});

test("a frame that needs a dictionary is named, and the next one read", async () => {
  const { text, troubles } = await decode(frame([0x01, 0x48, 9], "lost"), FRAMES);
  expect(text).toBe(TEXT);
  expect(troubles).toEqual([expect.stringContaining("needs a dictionary")]);
});

test("a wrong checksum leaves the lines and says that they may be wrong", async () => {
  const whole = readFileSync(new URL("../fixtures/codecs/small/one-frame.zstd", import.meta.url));
  const last = whole.length - 1;
  whole[last] = (whole[last] ?? 0) ^ 1;
  expect(await decode(whole)).toEqual({
    text: TEXT,
    troubles: ["damaged-block at 0: zstd frame at byte 0 fails its checksum: its lines may be wrong"],
  });
});

test("a log of no bytes is empty and whole", async () => {
  expect(await decode()).toEqual({ text: "", troubles: [] });
});
