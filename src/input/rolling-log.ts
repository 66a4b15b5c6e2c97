import { type Issue, IssueLog } from "../issues.ts";
import { bareLog } from "./bare-log.ts";
import type { EventLog } from "./event-log.ts";
import { type FoundFile, toPart } from "./found-file.ts";
import { applicationName, rollingName, statusName } from "./part-name.ts";

interface Roll {
  file: FoundFile;
  index: number;
  compacted: boolean;
}

/**
 * One rolling log from its data and status files. Read as the History Server reads it: in the order of the numbers,
 * beginning with the last .compact file, which replaces all before it and the original of its own number.
 *
 * @param name `<appId>[_<attempt>]` of the file names
 */
export function rollingLog(path: string, name: string, files: FoundFile[]): EventLog {
  const issues = new IssueLog();
  const statuses = files.flatMap((file) => statusName(file.name) ?? []);
  const rolls = dropDuplicates(dropCompacted(readRolls(files), issues), issues);
  reportGaps(rolls, issues);
  const id = applicationName(name);
  return {
    ...bareLog(path, "rolling"),
    parts: rolls.map((roll) => toPart(roll.file, roll.compacted)),
    inProgress: statuses.length > 0 ? statuses.every((status) => status.inProgress) : null,
    applicationId: id.applicationId ?? name,
    attemptId: id.attemptId,
    issues: issues.list(),
  };
}

/** What the name of a data file tells that is read without its neighbours. */
export function issuesOfRoll(name: string): Issue[] {
  const roll = rollingName(name);
  const issues = new IssueLog();
  if (roll?.compacted) reportCompacted(name, "", issues);
  else if (roll && roll.index > 1) reportHead(roll.index, issues);
  return issues.list();
}

function readRolls(files: FoundFile[]): Roll[] {
  return files
    .flatMap((file) => {
      const roll = rollingName(file.name);
      return roll && !roll.unfinished ? { file, index: roll.index, compacted: roll.compacted } : [];
    })
    .sort((a, b) => a.index - b.index || Number(a.compacted) - Number(b.compacted));
}

function dropCompacted(rolls: Roll[], issues: IssueLog): Roll[] {
  const at = rolls.findLastIndex((roll) => roll.compacted);
  const last = rolls[at];
  if (!last) return rolls;
  const left = at > 0 ? `; ${at} older files beside it were left out, as the History Server does` : "";
  reportCompacted(last.file.name, left, issues);
  return rolls.slice(at);
}

function reportCompacted(name: string, left: string, issues: IssueLog): void {
  const message = `${name} is compacted: events of finished jobs before it are gone${left}`;
  issues.add("compacted", message, { part: 0 });
}

function dropDuplicates(rolls: Roll[], issues: IssueLog): Roll[] {
  const kept: Roll[] = [];
  for (const roll of rolls) {
    const before = kept.at(-1);
    if (before?.index !== roll.index || before.compacted !== roll.compacted) {
      kept.push(roll);
      continue;
    }
    const better = (roll.file.bytes ?? 0) > (before.file.bytes ?? 0) ? roll : before;
    const worse = better === roll ? before : roll;
    kept[kept.length - 1] = better;
    const message = `${worse.file.name} has the same number as ${better.file.name} and was left out`;
    issues.add("duplicate-part", message, {}, worse.file.path);
  }
  return kept;
}

function reportGaps(rolls: Roll[], issues: IssueLog): void {
  const first = rolls[0];
  if (first && first.index > 1 && !first.compacted) reportHead(first.index, issues);
  for (const [at, roll] of rolls.entries()) {
    const expected = (rolls[at - 1]?.index ?? roll.index - 1) + 1;
    if (roll.index === expected) continue;
    const what = range(expected, roll.index - 1);
    issues.add(
      "missing-roll",
      `${what} missing before ${roll.file.name}`,
      { part: at },
      what,
      roll.index - expected,
    );
  }
}

function reportHead(index: number, issues: IssueLog): void {
  const message = `the log begins with events_${index}: ${range(1, index - 1)} not there`;
  issues.add("missing-head", message, { part: 0 }, "missing-head", index - 1);
}

function range(from: number, to: number): string {
  return from === to ? `events_${from} is` : `events_${from} to events_${to} are`;
}
