import { activeSpans } from "../queries/active-spans.ts";
import { applicationCounts } from "../queries/application-counts.ts";
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
import { narrow, type Plain, type Query, type RunQuery } from "../queries/query.ts";
import { resourceProfiles } from "../queries/resource-profiles.ts";
import { resultFetches } from "../queries/result-fetches.ts";
import { sessionSettingNames } from "../queries/session-setting-names.ts";
import { sessionSettings } from "../queries/session-settings.ts";
import { sparkProperties } from "../queries/spark-properties.ts";
import { stageFacts } from "../queries/stage-facts.ts";
import { stageOperators } from "../queries/stage-operators.ts";
import { stageRdds } from "../queries/stage-rdds.ts";
import { stageSpans } from "../queries/stage-spans.ts";
import { stageSums } from "../queries/stage-sums.ts";
import type { LoadStageTasks } from "../queries/stage-tasks.ts";
import { streamingBatches } from "../queries/streaming-batches.ts";
import { streamingRuns } from "../queries/streaming-runs.ts";
import { Spans, union, unionOfSorted } from "../stats/intervals.ts";
import { findTarget } from "./app.ts";
import {
  type Facts,
  type JobFact,
  type Judged,
  type LeftOut,
  NOTHING_LEFT_OUT,
  type StageFact,
} from "./facts.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { StageTaskCache } from "./stage-task-cache.ts";
import { measureWallClock } from "./wall-clock.ts";

/** Stages from this share of the wall clock on are looked into as far as the budget goes: their prices add up. */
const SMALL_SHARE = 0.002;

/** How much of an application the diagnosis holds. */
export interface Bounds {
  /** Stage attempts with most own time, jobs of the longest executions, SQL executions. */
  stages: number;
  jobs: number;
  executions: number;
  /** Tasks and stages read for small stages, at most; the target and stages of the verdict's share are always read. */
  smallTasks: number;
  smallStages: number;
}

export const BOUNDS: Readonly<Bounds> = {
  stages: 10_000,
  jobs: 10_000,
  executions: 10_000,
  smallTasks: 300_000,
  smallStages: 2000,
};

/**
 * Reads everything the diagnosis needs, each query once, and the tasks of the stages worth a look. What an application
 * has beyond the bounds is summed up in `leftOut`.
 */
export function loadFacts(
  run: RunQuery,
  loadStageTasks: LoadStageTasks,
  limits: Limits = DEFAULT_LIMITS,
  bounds: Bounds = BOUNDS,
): Facts {
  const rows = <Row>(query: Query<Row>): Plain<Row>[] => [...run.rounded(query)];
  const stream = <Row>(query: Query<Row>): Iterable<Plain<Row>> => ({
    [Symbol.iterator]: () => run.rounded(query)[Symbol.iterator](),
  });
  const [counts] = run(applicationCounts);
  const manyStages = Number(counts?.stage_attempts) > bounds.stages;
  const manyJobs = Number(counts?.jobs) > bounds.jobs;
  const manyExecutions = Number(counts?.sql_executions) > bounds.executions;
  const stages = rows(manyStages ? longestStages(bounds.stages) : stageFacts).map(
    ({ parent_ids_json, ...stage }) => ({ ...stage, parent_ids: parseIds(parent_ids_json) }),
  );
  const jobs = rows(manyJobs ? jobsOfWeight(bounds.jobs) : jobFacts).map(({ stage_ids_json, ...job }) => ({
    ...job,
    stage_ids: parseIds(stage_ids_json),
  }));
  const facts: Facts = {
    application: rows(applicationFacts)[0] ?? null,
    issues: rows(issueCounts),
    properties: rows(sparkProperties),
    resourceProfiles: rows(resourceProfiles),
    executors: rows(executorLives),
    executorPeaks: rows(executorMetricPeaks),
    jobs,
    stages,
    idleGaps: stream(idleGaps),
    resultFetches: stream(resultFetches),
    failures: stream(failureGroups),
    rdds: rows(persistedRdds),
    stageRdds: rows(stageRdds),
    executions: manyExecutions ? [] : rows(executionFacts),
    sessionSettings: [],
    planOperators: rows(planOperators),
    stageOperators: rows(stageOperators),
    exchangeStages: [],
    streamingRuns: rows(streamingRuns),
    streamingBatches: rows(streamingBatches),
    leftOut: {
      ...NOTHING_LEFT_OUT,
      ...(manyStages ? leftOutStages(run, stages, limits) : {}),
      ...(manyJobs || manyExecutions ? { active: activeTimes(run) } : {}),
      ...(manyExecutions ? { settingNames: run(sessionSettingNames).map(({ name }) => name) } : {}),
      jobs: Number(counts?.jobs ?? 0) - jobs.length,
      executions: manyExecutions ? Number(counts?.sql_executions) : 0,
    },
    judged: { stages: 0, notJudged: 0, ownTimeShare: null },
    tasks: new Map(),
  };
  const { read, judged } = stagesToRead(facts, limits, bounds);
  const ids = manyExecutions ? executionsOf(read, jobs) : null;
  const ofExecutions = <Row>(query: Query<Row>, column: string): Query<Row> =>
    ids === null ? query : narrow(query, `${column} IN (${ids.join(", ")})`);
  return {
    ...facts,
    executions: manyExecutions ? rows(ofExecutions(executionFacts, "execution_id")) : facts.executions,
    sessionSettings: rows(ofExecutions(sessionSettings, "execution_id")),
    exchangeStages: rows(ofExecutions(exchangeStages, "x.execution_id")),
    judged,
    tasks: new StageTaskCache(read, loadStageTasks),
  };
}

function longestStages(count: number) {
  return narrow(
    stageFacts,
    `(s.stage_id, s.stage_attempt_id) IN (
        SELECT stage_id, stage_attempt_id
        FROM stage
        WHERE log_id = $log_id AND status NOT IN ('skipped', 'pending')
        ORDER BY status = 'active' DESC, own_time_ms DESC, stage_id, stage_attempt_id
        LIMIT ${count}
      )`,
  );
}

/** The last jobs and the failed ones, which tell how the run ended, and those of the longest SQL executions. */
function jobsOfWeight(count: number) {
  return narrow(
    jobFacts,
    `j.job_id IN (
        SELECT job_id
        FROM (
          SELECT
            job_id,
            status,
            ROW_NUMBER() OVER (ORDER BY completion_time_ms DESC) AS recent,
            MAX(completion_time_ms) OVER execution - MIN(submission_time_ms) OVER execution AS span
          FROM job
          WHERE log_id = $log_id
          WINDOW execution AS (PARTITION BY COALESCE(root_execution_id, execution_id, -1 - job_id))
        )
        ORDER BY recent <= 100 DESC, status = 'failed' DESC, span DESC, job_id
        LIMIT ${count}
      )`,
  );
}

function leftOutStages(run: RunQuery, kept: readonly StageFact[], limits: Limits): Partial<LeftOut> {
  const sums = [...run.rounded(stageSums)];
  const own = sums.reduce((sum, row) => sum + row.own_time_ms, 0);
  const launches = sums.map((row) => row.first_task_launched_time_ms).filter((ms) => ms !== null);
  const collecting = new Spans();
  const waiting = unionOfSorted(
    (function* () {
      for (const stage of run.rounded(stageSpans)) {
        const end = stage.last_task_finished_time_ms ?? stage.completion_time_ms ?? Number.POSITIVE_INFINITY;
        const back = stage.last_task_finished_time_ms;
        if (back !== null && (stage.result_size_bytes ?? 0) >= limits.collectBytes)
          collecting.add(back, stage.completion_time_ms ?? Number.POSITIVE_INFINITY);
        yield { startMs: stage.submission_time_ms, endMs: end };
      }
    })(),
  );
  return {
    stages: sums.reduce((sum, row) => sum + row.stages, 0) - kept.length,
    ownTimeMs: Math.max(0, own - ownTime(kept)),
    durations: sums.map(({ resource_profile_id, duration_sum_ms }) => {
      const known = kept.filter((stage) => stage.resource_profile_id === resource_profile_id);
      const keptMs = known.reduce((sum, stage) => sum + (stage.duration_sum_ms ?? 0), 0);
      return { resource_profile_id, duration_sum_ms: Math.max(0, duration_sum_ms - keptMs) };
    }),
    firstLaunchMs: launches.length > 0 ? Math.min(...launches) : null,
    waiting,
    collecting: union(collecting),
  };
}

/** Times in which a job or an SQL execution ran, over all of them; one without an end ran on to the last event. */
function activeTimes(run: RunQuery): LeftOut["active"] {
  return unionOfSorted(
    (function* () {
      for (const { start_time_ms, end_time_ms, kind } of run.rounded(activeSpans)) {
        if (end_time_ms !== null || kind === "job")
          yield { startMs: start_time_ms, endMs: end_time_ms ?? Number.POSITIVE_INFINITY };
      }
    })(),
  );
}

function stagesToRead(facts: Facts, limits: Limits, bounds: Bounds): { read: StageFact[]; judged: Judged } {
  const wall = measureWallClock(facts, limits);
  const windowMs = wall?.windowMs ?? 0;
  const target = findTarget(facts, wall?.endMs ?? null)?.stage;
  const bySize = facts.stages
    .filter((stage) => stage.task_ends > 0 && (stage.own_time_ms ?? 0) > 0)
    .sort((a, b) => (b.own_time_ms ?? 0) - (a.own_time_ms ?? 0));
  // Where no stage weighs much alone, a fault may be spread thin over all of them.
  const least = bySize.some((stage) => (stage.own_time_ms ?? 0) >= limits.stageShare * windowMs)
    ? SMALL_SHARE
    : 0;
  let tasks = bounds.smallTasks;
  let stages = bounds.smallStages;
  let notJudged = least === 0 ? facts.leftOut.stages : 0;
  const read = bySize.filter((stage) => {
    const own = stage.own_time_ms ?? 0;
    if (stage === target || own >= limits.stageShare * windowMs) return true;
    if (own < least * windowMs) return false;
    if (stage.task_ends > tasks || stages === 0) {
      notJudged++;
      return false;
    }
    tasks -= stage.task_ends;
    stages--;
    return true;
  });
  const all = ownTime(facts.stages) + facts.leftOut.ownTimeMs;
  return {
    read,
    judged: { stages: read.length, notJudged, ownTimeShare: all > 0 ? ownTime(read) / all : null },
  };
}

function ownTime(stages: readonly StageFact[]): number {
  return stages.reduce((sum, stage) => sum + (stage.own_time_ms ?? 0), 0);
}

/** SQL executions whose jobs ran some stages. */
function executionsOf(stages: readonly StageFact[], jobs: readonly JobFact[]): number[] {
  const ids = new Set(stages.map((stage) => stage.stage_id));
  const found = jobs.filter((job) => job.stage_ids.some((id) => ids.has(id))).map((job) => job.execution_id);
  return [...new Set(found.filter((id) => id !== null))];
}

function parseIds(json: string): number[] {
  const ids: unknown = JSON.parse(json);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "number") : [];
}
