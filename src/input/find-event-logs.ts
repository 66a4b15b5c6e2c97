import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { UserError } from "../errors.ts";
import type { FoundLogs } from "./event-log.ts";
import { type FoundFile, fileOnDisk } from "./found-file.ts";
import { readHead } from "./open-part.ts";
import { Search, singleLog } from "./search.ts";
import { type Content, sniff } from "./sniff.ts";
import { stdinLog } from "./stdin-log.ts";
import { isZip } from "./zip/zip-directory.ts";

/** How far into a file that was named by the user an event is looked for: a first line may be long. */
const SNIFFED_BYTES = 8 * 1024 * 1024;

/**
 * The event logs at a path: a file, a zip, a rolling log's or another log's folder, a folder of logs (searched to its
 * leaves), or `-` for the standard input. Contents decide, names only hint.
 *
 * @throws UserError where nothing is there, or nothing of it is an event log
 */
export async function findEventLogs(path: string): Promise<FoundLogs> {
  if (path === "-") return { logs: [stdinLog()], ignored: 0 };
  const stats = await statOrExplain(path);
  const search = new Search();
  if (stats.isDirectory()) await search.folder(path);
  else if (stats.isFile() && isZip(await readHead(path))) await search.zip(path);
  else return { logs: [singleLog(await checkedFile(path, stats))], ignored: 0 };
  const { found } = search;
  if (found.logs.length === 0) throw nothingFound(path, found.ignored);
  found.logs.sort((a, b) => (a.path < b.path ? -1 : 1));
  return found;
}

/** A file that the user named: an event log, or damaged beyond telling. Pipes are not looked into. */
async function checkedFile(path: string, stats: Stats): Promise<FoundFile> {
  const file = fileOnDisk(dirname(path), basename(path), path, stats.isFile() ? stats.size : null);
  if (!stats.isFile()) return file;
  let content: Content;
  try {
    content = await sniff(file.open(), SNIFFED_BYTES);
  } catch (error) {
    throw cannotOpen(path, error);
  }
  if (content.foreign) {
    throw new UserError(
      `${path} is ${content.foreign.name}, which is not read`,
      content.foreign.hint.replaceAll("FILE", path),
    );
  }
  if (content.kind === "other") {
    throw new UserError(`${path} is no Spark event log: ${describe(content.beginning)}`, LOGS_HINT);
  }
  return file;
}

async function statOrExplain(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ENOENT" && code !== "ENOTDIR") throw cannotOpen(path, error);
    throw new UserError(
      `no such file or folder: ${path}`,
      "Check the path; spark.eventLog.dir says where Spark writes its logs.",
    );
  }
}

function cannotOpen(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  return new UserError(`cannot open ${path}: ${error.message}`, "Check that you may read it.");
}

/** What a reader sees where a file begins. */
function describe(beginning: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells binary data
  return /[\x00-\x08\x7f-\x9f]/.test(beginning)
    ? "it is binary"
    : `it begins with ${JSON.stringify(beginning)}`;
}

const LOGS_HINT =
  "Give what Spark wrote with spark.eventLog.enabled=true, such as application_... or the folder eventlog_v2_...";

function nothingFound(path: string, ignored: number): UserError {
  const seen =
    ignored === 0 ? "it is empty" : `${ignored} ${ignored === 1 ? "file is" : "files are"} something else`;
  return new UserError(`no Spark event log in ${path}: ${seen}`, LOGS_HINT);
}
