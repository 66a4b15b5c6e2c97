import { basename, join } from "node:path";
import { IssueLog } from "../issues.ts";
import { bareLog } from "./bare-log.ts";
import type { EventLog } from "./event-log.ts";
import { type FoundFile, toPart } from "./found-file.ts";
import { applicationName, databricksName, rollingName, statusName } from "./part-name.ts";
import { rollingLog } from "./rolling-log.ts";

export interface GroupedFiles {
  /** Logs whose files are known by their names. */
  logs: EventLog[];
  /** Files whose content must tell. */
  others: FoundFile[];
  /** Files that belong to a log but hold no events, or to nothing. */
  ignored: number;
}

/** Sorts the files of one folder into logs of several parts and files that stand alone. */
export function groupFiles(folder: string, files: FoundFile[]): GroupedFiles {
  const rolling = new Map<string, FoundFile[]>();
  const databricks: FoundFile[] = [];
  const others: FoundFile[] = [];
  const sparkOne = files.some((file) => file.name === "EVENT_LOG_1");
  if (sparkOne) return groupSparkOne(folder, files);
  for (const file of files) {
    const log = rollingName(file.name)?.log ?? statusName(file.name)?.log;
    if (log !== undefined) addTo(rolling, log, file);
    else if (databricksName(file.name)) databricks.push(file);
    else others.push(file);
  }
  const logs = [...rolling].map(([name, members]) => {
    const alone = rolling.size === 1;
    return rollingLog(alone ? folder : join(folder, name), name, members);
  });
  if (databricks.length > 0) logs.push(databricksLog(folder, databricks));
  return { logs, others, ignored: 0 };
}

/** Adds a member to a group, which is made if need be. */
export function addTo<Key, Member>(groups: Map<Key, Member[]>, key: Key, member: Member): void {
  const group = groups.get(key);
  if (group) group.push(member);
  else groups.set(key, [member]);
}

/** The dated hours in order, then the file without a date: by plain name order it would come first. */
function databricksLog(folder: string, files: FoundFile[]): EventLog {
  const issues = new IssueLog();
  const byHour = new Map<string, FoundFile>();
  for (const file of files) {
    const order = databricksName(file.name)?.order ?? "";
    const known = byHour.get(order);
    if (known)
      issues.add("duplicate-part", `${file.path} repeats ${known.path} and was left out`, {}, file.path);
    else byHour.set(order, file);
  }
  const ordered = [...byHour].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file);
  return {
    ...bareLog(folder, "databricks"),
    parts: ordered.map((file) => toPart(file)),
    issues: issues.list(),
  };
}

/** Spark 1.0 to 1.2: a folder per application; version, codec and end are names of empty files. */
function groupSparkOne(folder: string, files: FoundFile[]): GroupedFiles {
  const events = files.filter((file) => /^EVENT_LOG_\d+$/.test(file.name));
  const markers = files.filter((file) =>
    /^(SPARK_VERSION_|COMPRESSION_CODEC_|APPLICATION_COMPLETE$)/.test(file.name),
  );
  const version = markers.find((file) => file.name.startsWith("SPARK_VERSION_"));
  const log: EventLog = {
    ...bareLog(folder, "spark-1"),
    ...applicationName(basename(folder)),
    parts: events.map((file) => toPart(file)),
    inProgress: !markers.some((file) => file.name === "APPLICATION_COMPLETE"),
    sparkVersion: version?.name.slice("SPARK_VERSION_".length) ?? null,
  };
  const others = files.filter((file) => !events.includes(file) && !markers.includes(file));
  return { logs: [log], others, ignored: 0 };
}
