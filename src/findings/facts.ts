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

/** A row with its integers as plain numbers, rounded above 2^53: the diagnosis weighs, it does not count. */
export type Plain<Row> = { [Column in keyof Row]: Exclude<Row[Column], bigint> };

export type ExecutorFact = Plain<ExecutorLivesRow>;
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
  idleGaps: readonly Plain<IdleGapsRow>[];
  resultFetches: readonly Plain<ResultFetchesRow>[];
  failures: readonly FailureFact[];
  rdds: readonly RddFact[];
  stageRdds: readonly Plain<StageRddsRow>[];
  executions: readonly ExecutionFact[];
  sessionSettings: readonly Plain<SessionSettingsRow>[];
  planOperators: readonly OperatorFact[];
  stageOperators: readonly StageOperatorFact[];
  exchangeStages: readonly Plain<ExchangeStagesRow>[];
  streamingRuns: readonly Plain<StreamingRunsRow>[];
  streamingBatches: readonly BatchFact[];
  /** Tasks of the stages worth a look, by stageKey. */
  tasks: ReadonlyMap<string, StageTasks>;
}

export function stageKey(stage: { stage_id: number; stage_attempt_id: number }): string {
  return `${stage.stage_id}.${stage.stage_attempt_id}`;
}
