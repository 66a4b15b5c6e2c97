import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { UserError } from "../errors.ts";
import { bareLog } from "./bare-log.ts";
import type { EventLog, FoundLogs } from "./event-log.ts";
import { type FoundFile, fileOnDisk, toPart } from "./found-file.ts";
import { groupFiles } from "./group-files.ts";
import { applicationName, namedLikeLog, rollingName } from "./part-name.ts";
import { missingHead } from "./rolling-log.ts";
import { sniff } from "./sniff.ts";
import { stdinLog } from "./stdin-log.ts";

/**
 * The event logs at a path: a file, a rolling log's or another log's folder, a folder of logs (searched to its
 * leaves), or `-` for the standard input. Contents decide, names only hint.
 *
 * @throws UserError where nothing is there, or nothing of it is an event log
 */
export async function findEventLogs(path: string): Promise<FoundLogs> {
  if (path === "-") return { logs: [stdinLog()], ignored: 0 };
  const stats = await statOrExplain(path);
  if (!stats.isDirectory()) return { logs: await logsOfFile(path, stats), ignored: 0 };
  const found: FoundLogs = { logs: [], ignored: 0 };
  await searchFolder(path, found, new Set());
  if (found.logs.length === 0) throw nothingFound(path, found.ignored);
  found.logs.sort((a, b) => (a.path < b.path ? -1 : 1));
  return found;
}

async function logsOfFile(path: string, stats: Stats): Promise<EventLog[]> {
  const file = fileOnDisk(dirname(path), basename(path), path, stats.isFile() ? stats.size : null);
  return [singleLog(file)];
}

/** Folders are followed through links, each once. */
async function searchFolder(folder: string, found: FoundLogs, visited: Set<string>): Promise<void> {
  const stats = await statOrExplain(folder);
  const identity = `${stats.dev}:${stats.ino}`;
  if (visited.has(identity)) return;
  visited.add(identity);
  const files: FoundFile[] = [];
  const folders: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    const entry = await stat(path).catch(() => undefined);
    if (!entry || name.startsWith(".")) found.ignored++;
    else if (entry.isDirectory()) folders.push(path);
    else if (entry.isFile()) files.push(fileOnDisk(folder, name, path, entry.size));
    else found.ignored++;
  }
  const grouped = groupFiles(folder, files);
  found.logs.push(...grouped.logs);
  found.ignored += grouped.ignored;
  for (const file of grouped.others) {
    if (await isLog(file)) found.logs.push(singleLog(file));
    else found.ignored++;
  }
  for (const child of folders) await searchFolder(child, found, visited);
}

async function isLog(file: FoundFile): Promise<boolean> {
  const content = await sniff(file.open());
  if (content === "events") return true;
  return content !== "other" && namedLikeLog(file.name);
}

/** One file as a whole log. */
function singleLog(file: FoundFile): EventLog {
  const roll = rollingName(file.name);
  return {
    ...bareLog(file.path, "single"),
    ...applicationName(roll?.log ?? file.name),
    parts: [toPart(file, roll?.compacted)],
    inProgress: file.name.endsWith(".inprogress") ? true : null,
    issues: missingHead(file.name),
  };
}

async function statOrExplain(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new UserError(
        `no such file or folder: ${path}`,
        "Check the path; spark.eventLog.dir says where Spark writes its logs.",
      );
    }
    throw new UserError(`cannot open ${path}: ${String(code ?? error)}`, "Check that you may read it.");
  }
}

function nothingFound(path: string, ignored: number): UserError {
  const seen =
    ignored === 0 ? "it is empty" : `${ignored} ${ignored === 1 ? "file is" : "files are"} something else`;
  return new UserError(
    `no Spark event log in ${path}: ${seen}`,
    "Give a file or folder that Spark wrote with spark.eventLog.enabled=true, such as application_... or eventlog_v2_...",
  );
}
