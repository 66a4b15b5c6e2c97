import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TIME = "/usr/bin/time";

/** What one run of a command took. */
export interface Run {
  wallSeconds: number;
  /** User and system time of all its processes; null where GNU time is not installed. */
  cpuSeconds: number | null;
  /** Largest resident set of a process of it. */
  peakMiB: number | null;
}

/** Runs a shell command to its end. @throws Error with its output if it fails */
export function run(command: string): Run {
  const folder = mkdtempSync(join(tmpdir(), "sparklog-bench-"));
  try {
    const report = join(folder, "time");
    const hasTime = existsSync(TIME);
    const shell = ["/bin/sh", "-c", command];
    const started = process.hrtime.bigint();
    const done = hasTime
      ? spawnSync(TIME, ["-o", report, "-f", "%U %S %M", ...shell], { encoding: "utf8", maxBuffer: 1 << 26 })
      : spawnSync("/bin/sh", shell.slice(1), { encoding: "utf8", maxBuffer: 1 << 26 });
    const wallSeconds = Number(process.hrtime.bigint() - started) / 1e9;
    if (done.status !== 0) throw new Error(`${command}\n${done.stdout}${done.stderr}`);
    if (!hasTime) return { wallSeconds, cpuSeconds: null, peakMiB: null };
    const [user = 0, system = 0, kib = 0] =
      readFileSync(report, "utf8").trim().split("\n").at(-1)?.split(" ").map(Number) ?? [];
    return { wallSeconds, cpuSeconds: user + system, peakMiB: kib / 1024 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Ratios of two commands that took turns. */
export interface Pairs {
  ours: Run[];
  peer: Run[];
  wall: Spread;
  cpu: Spread | null;
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** Runs two commands in turns, so that whatever else the machine does meets both alike. */
export function runPairs(ours: string, peer: string, pairs: number): Pairs {
  const runs = Array.from({ length: pairs }, () => ({ peer: run(peer), ours: run(ours) }));
  const cpu = runs.map((pair) => (pair.ours.cpuSeconds ?? Number.NaN) / (pair.peer.cpuSeconds ?? Number.NaN));
  return {
    ours: runs.map((pair) => pair.ours),
    peer: runs.map((pair) => pair.peer),
    wall: spread(runs.map((pair) => pair.ours.wallSeconds / pair.peer.wallSeconds)),
    cpu: cpu.some(Number.isNaN) ? null : spread(cpu),
  };
}

export function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
  return { median, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

export function median(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : spread(known).median;
}
