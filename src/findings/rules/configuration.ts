import type { App } from "../app.ts";
import type { Advice } from "../finding.ts";
import { describeSetting } from "../settings.ts";
import { defineRule } from "./rule.ts";

export const configuration = defineRule({
  rule: "configuration",
  about:
    "Settings that contradict each other or switch off what the version does by default. Each with its source: set by the application, set for a session, Spark's default, or not in the event log.",
  check:
    "Environment page > Spark Properties (explicit settings only; session changes stand on the SQL page).",
  limits: [],

  evaluate(app) {
    const problems = [...contradictions(app), ...switchedOff(app)];
    if (problems.length === 0) return [];
    return [
      {
        title: `${problems.length} setting${problems.length === 1 ? "" : "s"} worth a look`,
        evidence: problems.map((p) => `${p.evidence} [Environment page]`),
        advice: problems.map((p) => p.advice),
      },
    ];
  },
});

interface Problem {
  evidence: string;
  advice: Advice;
}

function problem(evidence: string, text: string): Problem {
  return { evidence, advice: { layer: "configuration", text } };
}

/** Sets of settings that do not work together. */
function contradictions(app: App): Problem[] {
  const { settings } = app;
  const found: Problem[] = [];
  const get = (name: string): string => describeSetting(settings.get(name));
  const dynamic = settings.isTrue("spark.dynamicAllocation.enabled");
  const keeps = [
    "spark.shuffle.service.enabled",
    "spark.dynamicAllocation.shuffleTracking.enabled",
    "spark.decommission.enabled",
  ];
  if (
    dynamic &&
    settings.get("spark.shuffle.service.enabled").source !== "unknown" &&
    !keeps.some((name) => settings.isTrue(name)) &&
    !settings.atLeast(3, 4)
  ) {
    found.push(
      problem(
        `dynamic allocation without anything that keeps shuffle blocks of released executors: ${get("spark.shuffle.service.enabled")}`,
        "Set spark.shuffle.service.enabled, or from 3.0 on spark.dynamicAllocation.shuffleTracking.enabled, to true.",
      ),
    );
  }
  const min = settings.number("spark.dynamicAllocation.minExecutors");
  const max = settings.number("spark.dynamicAllocation.maxExecutors");
  if (dynamic && min !== null && max !== null && min > max) {
    found.push(
      problem(
        `spark.dynamicAllocation.minExecutors = ${min} is above maxExecutors = ${max}`,
        "Keep minExecutors <= initialExecutors <= maxExecutors.",
      ),
    );
  }
  const cores = settings.number("spark.executor.cores");
  const cpus = settings.number("spark.task.cpus") ?? 1;
  if (cores !== null && cpus > 1 && cores % cpus !== 0) {
    found.push(
      problem(
        `spark.executor.cores = ${cores} is no multiple of spark.task.cpus = ${cpus}: ${cores % cpus} cores of each executor never work`,
        `Make spark.executor.cores a multiple of ${cpus}.`,
      ),
    );
  }
  return found;
}

/** Features that the version has on by default and the application turned off. */
function switchedOff(app: App): Problem[] {
  const { settings } = app;
  const off = (name: string): boolean =>
    settings.get(name).source !== "default" && settings.get(name).value?.toLowerCase() === "false";
  const found: Problem[] = [];
  if (
    settings.atLeast(3, 2) &&
    off("spark.sql.adaptive.enabled") &&
    app.facts.executions.length + app.facts.leftOut.executions > 0
  ) {
    found.push(
      problem(
        describeSetting(settings.get("spark.sql.adaptive.enabled")),
        "Adaptive execution is on by default since 3.2: it merges small partitions, splits skewed joins and broadcasts what turns out small. Turn it on unless there was a reason.",
      ),
    );
  } else if (settings.atLeast(3, 2) && off("spark.sql.adaptive.skewJoin.enabled")) {
    found.push(
      problem(
        describeSetting(settings.get("spark.sql.adaptive.skewJoin.enabled")),
        "Let adaptive execution split skewed joins again unless there was a reason.",
      ),
    );
  }
  if ((settings.number("spark.sql.autoBroadcastJoinThreshold") ?? 0) < 0) {
    found.push(
      problem(
        describeSetting(settings.get("spark.sql.autoBroadcastJoinThreshold")),
        "No join is broadcast without a hint; set the threshold back (10m) once the memory problem it was meant for is gone.",
      ),
    );
  }
  return found;
}
