import { InvalidArgumentError } from "commander";
import type { SliceRequest } from "../ingest/slice.ts";

/** What the reading flags of report and ingest hold. */
export interface ReadingFlags {
  from?: number;
  to?: number;
  jobs?: number[];
}

/** Epoch ms from ISO-8601 text (without a zone: UTC) or epoch ms. */
export function parseTime(text: string): number {
  if (/^\d{12,13}$/.test(text)) return Number(text);
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
    ? text
    : `${text.replace(" ", "T")}${text.includes(":") ? "Z" : ""}`;
  const time = Date.parse(zoned);
  if (Number.isNaN(time))
    throw new InvalidArgumentError('Give a time such as "2025-03-01T14:00:00Z" (UTC by default).');
  return time;
}

/** "3,5-7" -> [3, 5, 6, 7]. */
export function parseIds(text: string): number[] {
  const ids: number[] = [];
  for (const part of text.split(",")) {
    const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part.trim());
    if (!match) throw new InvalidArgumentError('Give job ids such as "3,5-7".');
    const from = Number(match[1]);
    const to = Number(match[2] ?? match[1]);
    if (to < from || to - from > 100_000)
      throw new InvalidArgumentError("Give a range that ends after it begins.");
    for (let id = from; id <= to; id++) ids.push(id);
  }
  return ids;
}

export function parsePositive(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Give a number.");
  return Number(text);
}

export function sliceOf(flags: ReadingFlags): SliceRequest {
  return {
    ...(flags.from === undefined ? {} : { fromMs: flags.from }),
    ...(flags.to === undefined ? {} : { toMs: flags.to }),
    ...(flags.jobs === undefined ? {} : { jobs: flags.jobs }),
  };
}
