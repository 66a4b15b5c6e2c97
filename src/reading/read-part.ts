import { type Codec, isTrouble } from "../codecs/codec.ts";
import { codecByName } from "../codecs/index.ts";
import { unpack } from "../codecs/unpack.ts";
import { UserError } from "../errors.ts";
import type { Part } from "../input/event-log.ts";
import type { IssueSink } from "../issues.ts";
import type { LineHandler, PartSummary } from "./line-handler.ts";
import { LineSplitter } from "./line-splitter.ts";

/**
 * Reads one part to its end, or to where the file system gives up.
 *
 * @param alone the part is the whole log: if nothing of it can be read, that is the user's to put right
 * @throws UserError only then
 */
export async function readPart(
  part: Part,
  index: number,
  alone: boolean,
  handler: LineHandler,
  issues: IssueSink,
): Promise<PartSummary> {
  const splitter = new LineSplitter(handler, index);
  let codecs: Codec[] = [];
  try {
    const { codecs: found, foreign, text } = await unpack(part.open());
    codecs = found;
    if (foreign) throw new UserError(`${part.path} is ${foreign.name}, which is not read`, foreign.hint);
    reportWrongName(part, index, codecs, issues);
    for await (const item of text) {
      if (isTrouble(item)) {
        splitter.cut();
        const where = { part: index, line: splitter.lines + 1, byteOffset: item.byteOffset };
        issues.add(item.code, `${part.path}: ${item.message}`, where, `${item.code} ${index}`);
      } else {
        splitter.push(Buffer.from(item.buffer, item.byteOffset, item.byteLength));
      }
    }
  } catch (error) {
    const reason = readingFailure(error, part);
    if (alone && splitter.bytes === 0) throw reason;
    const where = { part: index, line: splitter.lines + 1 };
    issues.add("unreadable-part", reason.message, where, `unreadable ${index}`);
  }
  splitter.cut();
  return {
    path: part.path,
    codec: codecName(part, codecs),
    bytes: part.bytes,
    uncompressed_bytes: splitter.bytes,
    lines: splitter.lines,
  };
}

/** What the user can be told about a part that cannot be read. Rethrows what is no trouble of reading. */
function readingFailure(error: unknown, part: Part): UserError {
  if (error instanceof UserError) return error;
  if (!isSystemError(error)) throw error;
  return new UserError(`${part.path} cannot be read: ${error.message}`, "Check that you may read it.");
}

/** As in the report's parts[].codec. */
function codecName(part: Part, codecs: Codec[]): string {
  if (codecs.length > 1) return "mixed";
  if (part.bytes === 0) return codecByName(part.name)?.name ?? "none"; // a file that Spark has just begun
  return codecs[0]?.name ?? (part.zipped ? "zip" : "none");
}

function reportWrongName(part: Part, index: number, codecs: Codec[], issues: IssueSink): void {
  const hinted = codecByName(part.name);
  const found = codecs[0]?.name ?? "none";
  if (part.zipped || hinted === undefined || hinted.name === found || part.bytes === 0) return;
  const what = found === "none" ? "plain text" : found;
  const message = `${part.path} is named like ${hinted.name} but holds ${what}; it was read as ${what}`;
  issues.add("codec-mismatch", message, { part: index });
}

/** A failed open or read, as the operating system tells it. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && typeof error.syscall === "string";
}
