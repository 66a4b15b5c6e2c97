import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventLog } from "../../src/input/event-log.ts";
import { IssueLog } from "../../src/issues.ts";
import { readParts } from "../../src/reading/read-parts.ts";
import { memoryLog } from "../helpers/memory-log.ts";

interface SeenLine {
  text: string;
  line: number;
  byteOffset: number;
  terminated: boolean;
}

async function read(log: EventLog) {
  const lines: SeenLine[] = [];
  const issues = new IssueLog();
  const summaries = await readParts(
    log.parts,
    {
      line: (buffer, start, end, cursor) => {
        const { line, byteOffset, terminated } = cursor;
        lines.push({ text: buffer.toString("utf8", start, end), line, byteOffset, terminated });
      },
      hugeLine: () => undefined,
    },
    issues,
  );
  return { lines, texts: lines.map((line) => line.text), summaries, issues: issues.list() };
}

const text = (value: string) => Buffer.from(value);

describe("lines", () => {
  test("end with LF or CRLF; blank ones and a byte order mark are passed over, numbers and offsets stay", async () => {
    const { lines, summaries } = await read(
      memoryLog([text('\ufeff{"a":1}\r\n\n  \r\n{"b":"é"}\n{"c":3}\n')]),
    );
    expect(lines).toEqual([
      { text: '{"a":1}', line: 1, byteOffset: 0, terminated: true },
      { text: '{"b":"é"}', line: 4, byteOffset: 17, terminated: true },
      { text: '{"c":3}', line: 5, byteOffset: 28, terminated: true },
    ]);
    expect(summaries).toEqual([
      { path: "part-0", codec: "none", bytes: 36, uncompressed_bytes: 36, lines: 5 },
    ]);
  });

  test("without a line end at the end of a part are marked as perhaps cut", async () => {
    const { lines } = await read(memoryLog([text('{"a":1}\n{"b":'), text('{"c":3}')]));
    expect(lines.map(({ text, terminated }) => [text, terminated])).toEqual([
      ['{"a":1}', true],
      ['{"b":', false],
      ['{"c":3}', false],
    ]);
  });

  test("behind the NULs of a crashed file system are read without them; a line of NULs is not blank", async () => {
    const { texts } = await read(memoryLog([text('\0\0\0{"a":1}\n\0\0\n{"b":2}\n')]));
    expect(texts).toEqual(['{"a":1}', "\0\0", '{"b":2}']);
  });

  test("are the same wherever chunks are cut, packed or not", async () => {
    const line = fc.string({ unit: "binary" }).map((value) => JSON.stringify({ value }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        async (wanted, size, packed) => {
          const plain = text(wanted.map((value) => `${value}\n`).join(""));
          const { texts } = await read(memoryLog([packed ? gzipSync(plain) : plain], size));
          expect(texts).toEqual(wanted);
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });
});

test("a packed stream within another is unpacked", async () => {
  const { texts, summaries } = await read(memoryLog([gzipSync(gzipSync('{"a":1}\n'))]));
  expect(texts).toEqual(['{"a":1}']);
  expect(summaries[0]?.codec).toBe("mixed");
});

test("content that disagrees with the name is reported and read", async () => {
  const { texts, issues } = await read(
    memoryLog([text('{"a":1}\n')], 100, "application_1_1.zstd.inprogress"),
  );
  expect(texts).toEqual(['{"a":1}']);
  expect(issues).toMatchObject([{ code: "codec-mismatch", severity: "info" }]);
});

test("a gzip stream that is cut gives what inflates, the byte, and an issue", async () => {
  const packed = gzipSync(text(Array.from({ length: 500 }, (_, n) => `{"n":${n}}\n`).join("")));
  const { texts, issues } = await read(memoryLog([packed.subarray(0, 700)]));
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.slice(0, -1)).toEqual(Array.from({ length: texts.length - 1 }, (_, n) => `{"n":${n}}`));
  expect(issues).toMatchObject([{ code: "truncated", severity: "data-loss", byteOffset: 700, part: 0 }]);
});

test("a part that cannot be opened is an issue, and the next one is read", async () => {
  const log = memoryLog([text('{"a":1}\n'), text('{"b":2}\n')]);
  log.parts[0]!.open = async function* () {
    yield text('{"a":1}\n{"begun":');
    throw Object.assign(new Error("EIO: i/o error, read"), { syscall: "read", code: "EIO" });
  };
  const { texts, issues } = await read(log);
  expect(texts).toEqual(['{"a":1}', '{"begun":', '{"b":2}']);
  expect(issues).toMatchObject([{ code: "unreadable-part", severity: "error", part: 0, line: 2 }]);
});
