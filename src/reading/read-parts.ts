import type { Part } from "../input/event-log.ts";
import type { IssueSink } from "../issues.ts";
import type { LineHandler, PartSummary } from "./line-handler.ts";
import { readPart } from "./read-part.ts";

/**
 * Reads every part of a log in order and hands its lines on; trouble goes to issues and reading goes on.
 *
 * @throws UserError where the log is one part of which nothing can be read
 */
export async function readParts(
  parts: readonly Part[],
  handler: LineHandler,
  issues: IssueSink,
): Promise<PartSummary[]> {
  const summaries: PartSummary[] = [];
  for (const [index, part] of parts.entries()) {
    summaries.push(await readPart(part, index, parts.length === 1, handler, issues));
  }
  return summaries;
}
