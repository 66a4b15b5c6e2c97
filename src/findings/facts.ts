import type { ApplicationFactsRow } from "../queries/application-facts.ts";
import type { ExchangeStagesRow } from "../queries/exchange-stages.ts";
import type { ExecutionFactsRow } from "../queries/execution-facts.ts";
import type { ExecutorLivesRow } from "../queries/executor-lives.ts";
import type { ExecutorMetricPeaksRow } from "../queries/executor-metric-peaks.ts";
import type { FailureGroupsRow } from "../queries/failure-groups.ts";
import type { IdleGapsRow } from "../queries/idle-gaps.ts";
import type { IssueCountsRow } from "../queries/issue-counts.ts";
import type { JobFactsRow } from "../queries/job-facts.ts";
import type { PersistedRddsRow } from "../queries/persisted-rdds.ts";
import type { PlanOperatorsRow } from "../queries/plan-operators.ts";
import type { Plain } from "../queries/query.ts";
import type { ResourceProfilesRow } from "../queries/resource-profiles.ts";
import type { ResultFetchesRow } from "../queries/result-fetches.ts";
import type { SessionSettingsRow } from "../queries/session-settings.ts";
import type { SparkPropertiesRow } from "../queries/spark-properties.ts";
import type { StageFactsRow } from "../queries/stage-facts.ts";
import type { StageOperatorsRow } from "../queries/stage-operators.ts";
import type { StageRddsRow } from "../queries/stage-rdds.ts";
import type { StageTasks } from "../queries/stage-tasks.ts";
import type { StreamingBatchesRow } from "../queries/streaming-batches.ts";
import type { StreamingRunsRow } from "../queries/streaming-runs.ts";
import type { Interval } from "../stats/intervals.ts";

export type ExecutorFact = Plain<ExecutorLivesRow>;
export type GapFact = Plain<IdleGapsRow>;
export type FailureFact = Plain<FailureGroupsRow>;
export type OperatorFact = Plain<PlanOperatorsRow>;
export type StageOperatorFact = Plain<StageOperatorsRow>;
export type RddFact = Plain<PersistedRddsRow>;
export type ExecutionFact = Plain<ExecutionFactsRow>;
export type BatchFact = Plain<StreamingBatchesRow>;

export interface JobFact extends Omit<Plain<JobFactsRow>, "stage_ids_json"> {
  stage_ids: number[];
}

export interface StageFact extends Omit<Plain<StageFactsRow>, "parent_ids_json"> {
  parent_ids: number[];
}

/**
 * What an application with very many stages, jobs or SQL executions has beyond the rows of its facts: counts and sums
 * without them, and spans of all there are. Nothing for nearly every application.
 */
export interface LeftOut {
  stages: number;
  jobs: number;
  executions: number;
  ownTimeMs: number;
  durations: readonly { resource_profile_id: number | null; duration_sum_ms: number }[];
  firstLaunchMs: number | null;
  /** From submission to last task end of the stages, from there to completion where a large result came back. */
  waiting: Iterable<Interval>;
  collecting: Iterable<Interval>;
  /** Jobs and SQL executions. */
  active: Iterable<Interval>;
  settingNames: readonly string[];
}

export const NOTHING_LEFT_OUT: LeftOut = {
  stages: 0,
  jobs: 0,
  executions: 0,
  ownTimeMs: 0,
  durations: [],
  firstLaunchMs: null,
  waiting: [],
  collecting: [],
  active: [],
  settingNames: [],
};

/** In how many stage attempts the causes were looked for, and how many worth it were not: a report says so. */
export interface Judged {
  stages: number;
  notJudged: number;
  /** Share of all stages' own time that the judged ones have; null: no stage has any. */
  ownTimeShare: number | null;
}

/** Everything the diagnosis reads. */
export interface Facts {
  /** null: the log names no application (a slice, or a log without its head). */
  application: Plain<ApplicationFactsRow> | null;
  issues: readonly Plain<IssueCountsRow>[];
  properties: readonly Plain<SparkPropertiesRow>[];
  resourceProfiles: readonly Plain<ResourceProfilesRow>[];
  executors: readonly ExecutorFact[];
  executorPeaks: readonly Plain<ExecutorMetricPeaksRow>[];
  jobs: readonly JobFact[];
  stages: readonly StageFact[];
  /** These three are read anew each time they are gone through: there may be millions of rows. */
  idleGaps: Iterable<GapFact>;
  resultFetches: Iterable<Plain<ResultFetchesRow>>;
  failures: Iterable<FailureFact>;
  rdds: readonly RddFact[];
  stageRdds: readonly Plain<StageRddsRow>[];
  executions: readonly ExecutionFact[];
  sessionSettings: readonly Plain<SessionSettingsRow>[];
  planOperators: readonly OperatorFact[];
  stageOperators: readonly StageOperatorFact[];
  exchangeStages: readonly Plain<ExchangeStagesRow>[];
  streamingRuns: readonly Plain<StreamingRunsRow>[];
  streamingBatches: readonly BatchFact[];
  leftOut: LeftOut;
  judged: Judged;
  tasks: TaskSource;
}

/** Tasks of the stages worth a look, by stageKey. */
export interface TaskSource {
  has(key: string): boolean;
  get(key: string): StageTasks | undefined;
}

export function stageKey(stage: { stage_id: number; stage_attempt_id: number }): string {
  return `${stage.stage_id}.${stage.stage_attempt_id}`;
}
