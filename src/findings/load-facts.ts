import { applicationFacts } from "../queries/application-facts.ts";
import { exchangeStages } from "../queries/exchange-stages.ts";
import { executionFacts } from "../queries/execution-facts.ts";
import { executorLives } from "../queries/executor-lives.ts";
import { executorMetricPeaks } from "../queries/executor-metric-peaks.ts";
import { failureGroups } from "../queries/failure-groups.ts";
import { idleGaps } from "../queries/idle-gaps.ts";
import { issueCounts } from "../queries/issue-counts.ts";
import { jobFacts } from "../queries/job-facts.ts";
import { persistedRdds } from "../queries/persisted-rdds.ts";
import { planOperators } from "../queries/plan-operators.ts";
import type { Query, RunQuery } from "../queries/query.ts";
import { resourceProfiles } from "../queries/resource-profiles.ts";
import { resultFetches } from "../queries/result-fetches.ts";
import { sessionSettings } from "../queries/session-settings.ts";
import { sparkProperties } from "../queries/spark-properties.ts";
import { stageFacts } from "../queries/stage-facts.ts";
import { stageOperators } from "../queries/stage-operators.ts";
import { stageRdds } from "../queries/stage-rdds.ts";
import type { LoadStageTasks, StageTasks } from "../queries/stage-tasks.ts";
import { streamingBatches } from "../queries/streaming-batches.ts";
import { streamingRuns } from "../queries/streaming-runs.ts";
import { App } from "./app.ts";
import { type Facts, type Plain, type StageFact, stageKey } from "./facts.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";

/** Stages from this share of the wall clock on are looked into as far as the budget goes: their prices add up. */
const SMALL_SHARE = 0.002;
/** Tasks and stages read for such small stages, at most; the target and stages of the verdict's share are always read. */
const TASK_BUDGET = 300_000;
const STAGE_BUDGET = 2000;

/** Reads everything the diagnosis needs, each query once, and the tasks of the stages worth a look. */
export function loadFacts(
  run: RunQuery,
  loadStageTasks: LoadStageTasks,
  limits: Limits = DEFAULT_LIMITS,
): Facts {
  const rows = <Row extends object>(query: Query<Row>): Plain<Row>[] => run(query).map(plain);
  const facts: Facts = {
    application: rows(applicationFacts)[0] ?? null,
    issues: rows(issueCounts),
    properties: rows(sparkProperties),
    resourceProfiles: rows(resourceProfiles),
    executors: rows(executorLives),
    executorPeaks: rows(executorMetricPeaks),
    jobs: rows(jobFacts).map(({ stage_ids_json, ...job }) => ({
      ...job,
      stage_ids: parseIds(stage_ids_json),
    })),
    stages: rows(stageFacts).map(({ parent_ids_json, ...stage }) => ({
      ...stage,
      parent_ids: parseIds(parent_ids_json),
    })),
    idleGaps: rows(idleGaps),
    resultFetches: rows(resultFetches),
    failures: rows(failureGroups),
    rdds: rows(persistedRdds),
    stageRdds: rows(stageRdds),
    executions: rows(executionFacts),
    sessionSettings: rows(sessionSettings),
    planOperators: rows(planOperators),
    stageOperators: rows(stageOperators),
    exchangeStages: rows(exchangeStages),
    streamingRuns: rows(streamingRuns),
    streamingBatches: rows(streamingBatches),
    tasks: new Map(),
  };
  const tasks = new Map<string, StageTasks>();
  for (const stage of stagesToRead(facts, limits)) {
    const read = loadStageTasks(stage.stage_id, stage.stage_attempt_id);
    if (read) tasks.set(stageKey(stage), read);
  }
  return { ...facts, tasks };
}

function stagesToRead(facts: Facts, limits: Limits): StageFact[] {
  const app = new App(facts, limits);
  const target = app.target ? stageKey(app.target.stage) : null;
  const bySize = facts.stages
    .filter((stage) => stage.task_ends > 0 && (stage.own_time_ms ?? 0) > 0)
    .sort((a, b) => (b.own_time_ms ?? 0) - (a.own_time_ms ?? 0));
  // Where no stage weighs much alone, a fault may be spread thin over all of them.
  const least = bySize.some((stage) => (stage.own_time_ms ?? 0) >= limits.stageShare * app.windowMs)
    ? SMALL_SHARE
    : 0;
  let budget = TASK_BUDGET;
  let stages = STAGE_BUDGET;
  return bySize.filter((stage) => {
    const own = stage.own_time_ms ?? 0;
    if (stageKey(stage) === target || own >= limits.stageShare * app.windowMs) return true;
    if (own < least * app.windowMs || stage.task_ends > budget || stages === 0) return false;
    budget -= stage.task_ends;
    stages--;
    return true;
  });
}

function plain<Row extends object>(row: Row): Plain<Row> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, typeof value === "bigint" ? Number(value) : value]),
  ) as Plain<Row>;
}

function parseIds(json: string): number[] {
  const ids: unknown = JSON.parse(json);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "number") : [];
}
