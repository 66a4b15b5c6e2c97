import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyzeLog } from "../../src/analyze-log.ts";
import { CAUSES, type Cause } from "../../src/findings/finding.ts";
import type { Report } from "../../src/report/report.ts";
import type { AppSpec } from "./application.ts";
import { runApplication } from "./cluster.ts";
import { eventLines } from "./event-lines.ts";
import { labelledSet, type PlantedFault } from "./labelled-set.ts";

export interface CauseScore {
  cause: Cause;
  /** Applications in which the fault is planted. */
  planted: number;
  /** Of these, magnitude close to its limit. */
  near: number;
  /** The planted fault counts. */
  positives: number;
  /** Its cost lies on the line between counting and not; neither found nor missed. */
  borderline: number;
  /** Planted, but too small to count. */
  tooSmall: number;
  found: number;
  missed: number;
  falseAlarms: number;
  precision: number | null;
  recall: number | null;
}

export interface Score {
  seed: number;
  applications: number;
  healthy: number;
  /** Healthy applications with a finding above info. */
  healthyWithFinding: number;
  /** Faulty applications whose verdict is a planted fault that counts (healthy where none does). */
  verdictsRight: number;
  faulty: number;
  causes: CauseScore[];
  mistakes: string[];
}

/** What the report calls a cause: its verdict, and every finding above info. */
export function foundCauses(report: Pick<Report, "findings" | "verdict">): Set<string> {
  const loud = report.findings
    .filter((f) => f.severity !== "info" && f.cause !== null)
    .map((f) => String(f.cause));
  const verdict = report.verdict.cause;
  return new Set(verdict === "healthy" || report.verdict.severity === "info" ? loud : [...loud, verdict]);
}

/** Runs the labelled set of one seed through the whole program, from event-log lines to the report. */
export async function measure(
  seed: number,
  positives: number,
  onProgress: (done: number) => void = () => undefined,
): Promise<Score> {
  const scores = new Map(
    CAUSES.map((cause) => [
      cause,
      { planted: 0, near: 0, positives: 0, borderline: 0, tooSmall: 0, found: 0, missed: 0, falseAlarms: 0 },
    ]),
  );
  const score: Score = {
    seed,
    applications: 0,
    healthy: 0,
    healthyWithFinding: 0,
    verdictsRight: 0,
    faulty: 0,
    causes: [],
    mistakes: [],
  };
  for (const { app, planted } of labelledSet(seed, positives)) {
    const report = await reportOf(app);
    const found = foundCauses(report);
    const labelled = (label: PlantedFault["label"]): Set<string> =>
      new Set(planted.filter((p) => p.label === label).map((p) => p.cause));
    const counting = labelled("counts");
    const borderline = labelled("borderline");
    score.applications++;
    if (planted.length === 0) {
      score.healthy++;
      if (found.size > 0) score.healthyWithFinding++;
    } else {
      score.faulty++;
      const { cause } = report.verdict;
      const quiet = counting.size === 0 && found.size === 0;
      if (quiet || counting.has(cause) || borderline.has(cause)) score.verdictsRight++;
    }
    for (const cause of CAUSES) {
      const entry = scores.get(cause);
      if (!entry) continue;
      const fault = planted.find((p) => p.cause === cause);
      if (fault) entry.planted++;
      if (fault?.near) entry.near++;
      if (borderline.has(cause)) {
        entry.borderline++;
        continue;
      }
      if (counting.has(cause)) entry.positives++;
      else if (fault) entry.tooSmall++;
      if (counting.has(cause) && found.has(cause)) entry.found++;
      else if (counting.has(cause)) entry.missed++;
      else if (found.has(cause)) entry.falseAlarms++;
      if (counting.has(cause) !== found.has(cause)) {
        const mistake = counting.has(cause) ? "missed" : "false";
        const all = planted.map((p) => `${p.cause} ${(100 * p.share).toFixed(1)} % ${p.label}`);
        score.mistakes.push(
          `${app.seed} ${mistake} ${cause}; verdict ${report.verdict.cause}; planted ${all.join(", ") || "nothing"}`,
        );
      }
    }
    onProgress(score.applications);
  }
  score.causes = [...scores].map(([cause, s]) => ({
    cause,
    ...s,
    precision: s.found + s.falseAlarms > 0 ? s.found / (s.found + s.falseAlarms) : null,
    recall: s.positives > 0 ? s.found / s.positives : null,
  }));
  return score;
}

async function reportOf(app: AppSpec): Promise<Report> {
  const path = join(tmpdir(), `sparklog-accuracy-${process.pid}-${app.seed}`);
  writeFileSync(path, `${eventLines(app, runApplication(app)).join("\n")}\n`);
  try {
    return await analyzeLog(path);
  } finally {
    rmSync(path, { force: true });
  }
}
