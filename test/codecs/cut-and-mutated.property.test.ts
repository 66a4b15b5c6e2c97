import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { pickCodec } from "../../src/codecs/index.ts";
import { blockWalks, type Reachable, textBefore } from "../helpers/block-walk.ts";
import { memoryLog } from "../helpers/memory-log.ts";
import { randomSource } from "../helpers/random-source.ts";
import { type ReadLines, readLines } from "../helpers/read-lines.ts";

/** Small logs of several blocks, frames, chunks or members: see the folder's README. */
const FOLDER = new URL("../fixtures/codecs/small/", import.meta.url);
const text = readFileSync(new URL("plain", FOLDER));
const wanted = text.toString().trimEnd().split("\n");
const MUTATIONS_EACH = 3_000;
/** Fewer first bytes do not tell what a file is. */
const SHORTEST = 10;
/** Files whose blocks do not lean on those before them. */
const INDEPENDENT = new Set(["blocks.lz4", "tool.lz4", "blocks.snappy", "chunks.lzf", "frames.zstd"]);

async function read(stored: Uint8Array): Promise<ReadLines> {
  return readLines(memoryLog([stored], 256));
}

function tasks(lines: string[]): number {
  return lines.filter((line) => line.startsWith('{"Event":"SparkListenerTaskEnd"') && isJson(line)).length;
}

function isJson(line: string): boolean {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}

/** Lines that end within the first bytes of the text. */
function linesIn(bytes: number): string[] {
  return wanted.slice(0, text.subarray(0, bytes).filter((byte) => byte === 0x0a).length);
}

/** A byte changed, some removed, some put in, or some zeroed: nothing is copied, so no line can come twice. */
function mutate(stored: Buffer, random: (below: number) => number): { bytes: Buffer; at: number } {
  const at = random(stored.length);
  const length = 1 + random(8);
  const noise = Buffer.from(Array.from({ length }, () => random(256)));
  const before = stored.subarray(0, at);
  switch (random(4)) {
    case 0:
      return { bytes: Buffer.concat([before, noise.subarray(0, 1), stored.subarray(at + 1)]), at };
    case 1:
      return { bytes: Buffer.concat([before, stored.subarray(at + length)]), at };
    case 2:
      return { bytes: Buffer.concat([before, noise, stored.subarray(at)]), at };
    default:
      return { bytes: Buffer.concat([before, Buffer.alloc(length), stored.subarray(at + length)]), at };
  }
}

describe.each(readdirSync(FOLDER))("%s", (name) => {
  const stored = readFileSync(new URL(name, FOLDER));
  let walk: Reachable[] = [];
  beforeAll(async () => {
    walk = (await blockWalks[pickCodec(stored).name]?.(stored)) ?? [];
    expect(walk.at(-1)).toEqual({ stored: expect.any(Number), text: text.length });
  });

  test("cut at any byte gives every line of the blocks before the cut, and says that it was cut", async () => {
    for (let length = SHORTEST; length < stored.length; length++) {
      const { lines, issues } = await read(stored.subarray(0, length));
      const whole = linesIn(textBefore(walk, length));
      expect(lines.slice(0, whole.length), `cut at ${length}`).toEqual(whole);
      expect(wanted.join("\n").startsWith(lines.join("\n")), `cut at ${length}`).toBe(true);
      const inside = !walk.some((place) => place.stored === length);
      if (inside && name !== "plain")
        expect(
          issues.map((issue) => issue.code),
          `cut at ${length}`,
        ).toEqual(["truncated"]);
    }
  });

  test(`changed at random ${MUTATIONS_EACH} times gives every line of the blocks before, and never more tasks`, async () => {
    const random = randomSource(`mutations of ${name}`);
    for (let turn = 0; turn < MUTATIONS_EACH; turn++) {
      const { bytes, at } = mutate(stored, random);
      const { lines } = await read(bytes);
      const whole = linesIn(textBefore(walk, at));
      expect(lines.slice(0, whole.length), `turn ${turn}, byte ${at}`).toEqual(whole);
      expect(tasks(lines), `turn ${turn}, byte ${at}`).toBeLessThanOrEqual(tasks(wanted));
    }
  });

  test.runIf(INDEPENDENT.has(name))(
    "with bytes missing in one block loses no line of the blocks behind it",
    async () => {
      for (const [index, { stored: end, text: done }] of walk.entries()) {
        const start = walk[index - 1]?.stored ?? 0;
        if (end - start < 40) continue;
        const middle = (start + end) >> 1;
        const { lines, issues } = await read(
          Buffer.concat([stored.subarray(0, middle), stored.subarray(middle + 3)]),
        );
        const behind = wanted.slice(linesIn(done).length + 1); // the first one may begin in the lost block
        expect(lines.slice(-behind.length || lines.length), `block ${index}`).toEqual(behind);
        const code = end === stored.length ? "truncated" : "damaged-block";
        expect(issues.map((issue) => issue.code)).toContain(code);
      }
    },
  );
});
