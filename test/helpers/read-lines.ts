import type { EventLog } from "../../src/input/event-log.ts";
import { findEventLogs } from "../../src/input/find-event-logs.ts";
import { type Issue, IssueLog } from "../../src/issues.ts";
import { readParts } from "../../src/reading/read-parts.ts";

export interface ReadLines {
  lines: string[];
  issues: Issue[];
  codecs: string[];
}

/** The lines of a log, as its reader hands them on. */
export async function readLines(log: EventLog): Promise<ReadLines> {
  const lines: string[] = [];
  const issues = new IssueLog();
  const parts = await readParts(
    log.parts,
    {
      line: (buffer, start, end) => lines.push(buffer.toString("utf8", start, end)),
      hugeLine: (event) => lines.push(JSON.stringify(event)),
    },
    issues,
  );
  return { lines, issues: [...log.issues, ...issues.list()], codecs: parts.map((part) => part.codec) };
}

/** The lines of the only log at a path. */
export async function readOnly(path: string): Promise<ReadLines> {
  const { logs } = await findEventLogs(path);
  const [log] = logs;
  if (!log || logs.length > 1) throw new Error(`${logs.length} logs at ${path}`);
  return readLines(log);
}
