import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Issue, IssueLog } from "../issues.ts";
import { bareLog } from "./bare-log.ts";
import type { EventLog, FoundLogs } from "./event-log.ts";
import { type FoundFile, fileOnDisk, toPart } from "./found-file.ts";
import { addTo, groupFiles } from "./group-files.ts";
import { readHead } from "./open-part.ts";
import { applicationName, namedLikeLog, rollingName } from "./part-name.ts";
import { issuesOfRoll } from "./rolling-log.ts";
import { type Content, sniff } from "./sniff.ts";
import { isZip } from "./zip/zip-directory.ts";
import { zipFiles } from "./zip/zip-files.ts";

/** How far into a file of a folder an event is looked for. */
const SNIFFED_BYTES = 256 * 1024;

/** Collects the logs below a folder. A folder or file that cannot be read never stops the search. */
export class Search {
  readonly found: FoundLogs = { logs: [], ignored: 0 };
  /** Folders reached, also through links, by device and inode. */
  readonly #visited = new Set<string>();

  async folder(folder: string): Promise<void> {
    const identity = await stat(folder).catch(() => undefined);
    const names = await readdir(folder).catch(() => undefined);
    if (!identity || !names || this.#visited.has(`${identity.dev}:${identity.ino}`)) return;
    this.#visited.add(`${identity.dev}:${identity.ino}`);
    const files: FoundFile[] = [];
    const folders: string[] = [];
    for (const name of names.sort()) {
      const path = join(folder, name);
      const entry = name.startsWith(".") ? undefined : await stat(path).catch(() => undefined);
      if (entry?.isDirectory()) folders.push(path);
      else if (entry?.isFile()) files.push(fileOnDisk(folder, name, path, entry.size));
      else this.found.ignored++;
    }
    await this.files(folder, files);
    for (const child of folders) await this.folder(child);
  }

  /** The files of one folder. */
  async files(folder: string, files: FoundFile[]): Promise<void> {
    const grouped = groupFiles(folder, files);
    this.found.logs.push(...grouped.logs);
    for (const file of grouped.others) {
      if (!file.zipped && isZip(await readHead(file.path))) await this.#zipInFolder(file);
      else if (await isLog(file)) this.found.logs.push(singleLog(file));
      else this.found.ignored++;
    }
  }

  async #zipInFolder(file: FoundFile): Promise<void> {
    try {
      await this.zip(file.path);
    } catch (error) {
      if (namedLikeLog(file.name)) this.found.logs.push(failingLog(file, error));
      else this.found.ignored++;
    }
  }

  /**
   * The logs in a zip, folder by folder. One that holds one log goes by its own name.
   * @throws UserError where nothing of it can be read
   */
  async zip(path: string): Promise<void> {
    const inside = new Search();
    const folders = new Map<string, FoundFile[]>();
    const content = await zipFiles(path);
    for (const file of content.files) {
      if (file.name.startsWith(".") || file.path.includes("/__MACOSX/")) inside.found.ignored++;
      else addTo(folders, file.folder, file);
    }
    for (const [folder, files] of folders) await inside.files(folder, files);
    const { logs, ignored } = inside.found;
    const shared = { layout: "zip" as const, ...(logs.length === 1 ? { path } : {}) };
    const cut = content.cut ? cutZip(path) : [];
    this.found.logs.push(...logs.map((log) => ({ ...log, ...shared, issues: [...log.issues, ...cut] })));
    this.found.ignored += ignored;
  }
}

function cutZip(path: string): Issue[] {
  const issues = new IssueLog();
  issues.add("truncated", `${path} ends before the directory of the zip: files that followed are not there`);
  return issues.list();
}

/** A log that cannot be read, and says why when it is. */
function failingLog(file: FoundFile, error: unknown): EventLog {
  const open = async function* (): AsyncGenerator<never> {
    yield* [];
    throw error;
  };
  return singleLog({ ...file, place: null, open });
}

/** One file as a whole log. */
export function singleLog(file: FoundFile): EventLog {
  const roll = rollingName(file.name);
  return {
    ...bareLog(file.path, "single"),
    ...applicationName(roll?.log ?? file.name),
    parts: [toPart(file, roll?.compacted)],
    inProgress: file.name.endsWith(".inprogress") ? true : null,
    issues: issuesOfRoll(file.name),
  };
}

async function isLog(file: FoundFile): Promise<boolean> {
  return namedLikeLog(file.name) || (await look(file)).kind === "events";
}

/** What is in a file; one that cannot be opened counts as damaged. */
async function look(file: FoundFile): Promise<Content> {
  try {
    return await sniff(file.open(), SNIFFED_BYTES);
  } catch {
    return { kind: "damaged", foreign: undefined, beginning: "" };
  }
}
