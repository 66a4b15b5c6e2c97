import type { FailureFact } from "./facts.ts";
import { stageKey } from "./facts.ts";
import { failureClass, normaliseFailure } from "./failure-class.ts";

/** Failed and killed ends of one kind and text. */
export interface FailureGroup {
  kind: ReturnType<typeof failureClass>;
  text: string;
  ends: number;
  durationMs: number;
  /** With most of the ends. */
  host: string;
  hostShare: number;
}

/** The groups of some failures, most frequent first. */
export interface FailureGroups {
  ends: number;
  durationMs: number;
  groups: FailureGroup[];
  /** There were more texts than are kept apart: one with less than this share of the ends may be missing. 0: all are there. */
  leastShare: number;
}

/** What the diagnosis asks about failed and killed task attempts, from one pass over them. */
export interface FailureSummary {
  /** Counted as failed. */
  failed: FailureGroups;
  failedMsByStage: ReadonlyMap<string, number>;
  /** Everything but outputs that were lost. */
  ended: FailureGroups;
  /** Attempts killed because the other copy of their task won. */
  lostRacesMs: number;
  /** Attempts that went with their executor. */
  lostWith: ReadonlyMap<string, LostWith>;
}

interface LostWith {
  ends: number;
  ms: number;
  stages: Set<number>;
}

/** Of two copies of a task the slower one is killed when the other ends or, at the latest, with the stage. */
const LOST_RACE = /another attempt succeeded|stage finished/i;

/** Texts that are kept apart. */
const GROUPS = 5000;

/** Goes through the failures once; twice where their texts differ in more ways than are kept apart. */
export function summarizeFailures(failures: Iterable<FailureFact>): FailureSummary {
  const failed = new Groups((f) => f.counted_as === "failed");
  const ended = new Groups((f) => f.reason !== "Resubmitted");
  const failedMsByStage = new Map<string, number>();
  const lostWith = new Map<string, LostWith>();
  let lostRacesMs = 0;
  for (const f of failures) {
    const ms = f.duration_sum_ms ?? 0;
    const named = name(f);
    failed.count(f, named);
    ended.count(f, named);
    if (f.counted_as === "failed")
      failedMsByStage.set(stageKey(f), (failedMsByStage.get(stageKey(f)) ?? 0) + ms);
    if (f.counted_as === "killed" && LOST_RACE.test(f.message ?? "")) lostRacesMs += ms;
    if (f.reason === "ExecutorLostFailure") addLost(lostWith, f, ms);
  }
  if (failed.isCut || ended.isCut) recount([failed, ended], failures);
  return { failed: failed.list(), failedMsByStage, ended: ended.list(), lostRacesMs, lostWith };
}

function addLost(lostWith: Map<string, LostWith>, f: FailureFact, ms: number): void {
  if (f.executor_id === null) return;
  const lost = lostWith.get(f.executor_id) ?? { ends: 0, ms: 0, stages: new Set() };
  lost.ends += f.ends;
  lost.ms += ms;
  lost.stages.add(f.stage_id);
  lostWith.set(f.executor_id, lost);
}

function recount(all: readonly Groups[], failures: Iterable<FailureFact>): void {
  for (const groups of all) groups.startAgain();
  for (const f of failures) {
    const named = name(f);
    for (const groups of all) groups.recount(f, named);
  }
}

/** Says that rare texts are missing; nothing where all are there. */
export function missingGroups({ leastShare }: FailureGroups): string[] {
  return leastShare === 0
    ? []
    : [
        `their texts differ in more than ${GROUPS} ways: one with less than ${(leastShare * 100).toFixed(2)} % of them may not be listed`,
      ];
}

interface Named {
  kind: FailureGroup["kind"];
  text: string;
}

function name(f: FailureFact): Named {
  const whole = [f.class_name, f.message].filter((part) => part !== null && part !== "").join(": ");
  return { kind: failureClass(f.reason, whole), text: normaliseFailure(whole || f.reason) };
}

type OpenGroup = Named & { weight: number; ends: number; durationMs: number; hosts: Map<string, number> };

/**
 * Failures by class and normalised first line. Where there are more groups than are kept, all weigh one less until some
 * are free again: what has more than 1 / GROUPS of all ends is among the kept in the end (Misra and Gries), and is counted
 * in a second pass.
 */
class Groups {
  readonly #takes: (f: FailureFact) => boolean;
  readonly #groups = new Map<string, OpenGroup>();
  #ends = 0;
  #durationMs = 0;
  #taken = 0;
  isCut = false;

  constructor(takes: (f: FailureFact) => boolean) {
    this.#takes = takes;
  }

  count(f: FailureFact, { kind, text }: Named): void {
    if (!this.#takes(f)) return;
    this.#ends += f.ends;
    this.#durationMs += f.duration_sum_ms ?? 0;
    const key = `${kind} ${text}`;
    let weight = f.ends;
    while (weight > 0 && !this.#groups.has(key) && this.#groups.size === GROUPS)
      weight -= this.#lighten(weight);
    if (weight === 0) return;
    const group = this.#groups.get(key) ?? {
      kind,
      text,
      weight: 0,
      ends: 0,
      durationMs: 0,
      hosts: new Map(),
    };
    group.weight += weight;
    add(group, f);
    this.#groups.set(key, group);
  }

  startAgain(): void {
    for (const group of this.#groups.values()) {
      group.ends = 0;
      group.durationMs = 0;
      group.hosts.clear();
    }
  }

  recount(f: FailureFact, { kind, text }: Named): void {
    const group = this.#takes(f) && this.#groups.get(`${kind} ${text}`);
    if (group) add(group, f);
  }

  list(): FailureGroups {
    const groups = [...this.#groups.values()].map(closed);
    return {
      ends: this.#ends,
      durationMs: this.#durationMs,
      groups: groups.sort((a, b) => b.ends - a.ends || (a.text < b.text ? -1 : 1)),
      leastShare: this.isCut ? this.#taken / Math.max(1, this.#ends) : 0,
    };
  }

  /** Takes the same from every group, and gives up those with nothing left. @returns how much */
  #lighten(most: number): number {
    this.isCut = true;
    let least = most;
    for (const { weight } of this.#groups.values()) least = Math.min(least, weight);
    for (const [key, group] of this.#groups) {
      group.weight -= least;
      if (group.weight === 0) this.#groups.delete(key);
    }
    this.#taken += least;
    return least;
  }
}

function add(group: OpenGroup, f: FailureFact): void {
  group.ends += f.ends;
  group.durationMs += f.duration_sum_ms ?? 0;
  if (f.host) group.hosts.set(f.host, (group.hosts.get(f.host) ?? 0) + f.ends);
}

function closed({ kind, text, ends, durationMs, hosts }: OpenGroup): FailureGroup {
  let [host, most] = ["", 0];
  for (const [name, count] of hosts) if (count > most) [host, most] = [name, count];
  return { kind, text, ends, durationMs, host, hostShare: ends > 0 ? most / ends : 0 };
}
