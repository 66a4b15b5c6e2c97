import { activeSpans } from "./active-spans.ts";
import { applicationSummary } from "./application.ts";
import { applicationCounts } from "./application-counts.ts";
import { applicationFacts } from "./application-facts.ts";
import { codegenStages } from "./codegen-stages.ts";
import { exchangeStages } from "./exchange-stages.ts";
import { exchangeTotals } from "./exchange-totals.ts";
import { exchanges } from "./exchanges.ts";
import { executionFacts } from "./execution-facts.ts";
import { executorLives } from "./executor-lives.ts";
import { executorMetricPeaks } from "./executor-metric-peaks.ts";
import { executors } from "./executors.ts";
import { failureGroups } from "./failure-groups.ts";
import { idleGaps } from "./idle-gaps.ts";
import { issueCounts } from "./issue-counts.ts";
import { logIssues } from "./issues.ts";
import { jobFacts } from "./job-facts.ts";
import { jobStages } from "./job-stages.ts";
import { jobs } from "./jobs.ts";
import { joins } from "./joins.ts";
import { largestExchanges } from "./largest-exchanges.ts";
import { largestJoins } from "./largest-joins.ts";
import { largestPlacements } from "./largest-placements.ts";
import { largestScans } from "./largest-scans.ts";
import { largestSpillTasks } from "./largest-spill-tasks.ts";
import { logSummary } from "./log.ts";
import { logParts } from "./log-parts.ts";
import { longestExecutions } from "./longest-executions.ts";
import { nestedExecutions } from "./nested-executions.ts";
import { operatorStages } from "./operator-stages.ts";
import { operators } from "./operators.ts";
import { persistedRdds } from "./persisted-rdds.ts";
import { placements } from "./placements.ts";
import { plan } from "./plan.ts";
import { planOperators } from "./plan-operators.ts";
import { planVersions } from "./plan-versions.ts";
import type { Query } from "./query.ts";
import { resourceProfiles } from "./resource-profiles.ts";
import { resultFetches } from "./result-fetches.ts";
import { scans } from "./scans.ts";
import { sessionSettingNames } from "./session-setting-names.ts";
import { sessionSettings } from "./session-settings.ts";
import { slowestStageRunTimes } from "./slowest-stage-run-times.ts";
import { slowestStages } from "./slowest-stages.ts";
import { sparkProperties } from "./spark-properties.ts";
import { spillExecutors } from "./spill-executors.ts";
import { spillOperators } from "./spill-operators.ts";
import { spillTasks } from "./spill-tasks.ts";
import { sqlExecutionJobs } from "./sql-execution-jobs.ts";
import { sqlExecutionStages } from "./sql-execution-stages.ts";
import { sqlExecutions } from "./sql-executions.ts";
import { stageFacts } from "./stage-facts.ts";
import { stageJobs } from "./stage-jobs.ts";
import { stageMetrics } from "./stage-metrics.ts";
import { stageOperators } from "./stage-operators.ts";
import { stageQuantiles } from "./stage-quantiles.ts";
import { stageRdds } from "./stage-rdds.ts";
import { stageSpans } from "./stage-spans.ts";
import { stageSums } from "./stage-sums.ts";
import { stages } from "./stages.ts";
import { streamingBatches } from "./streaming-batches.ts";
import { streamingRuns } from "./streaming-runs.ts";
import { unknownEvents } from "./unknown-events.ts";

/** Every question that `sparklog query DB NAME` answers, by name. */
export const QUERIES: readonly Query<never>[] = [
  activeSpans,
  applicationCounts,
  applicationFacts,
  applicationSummary,
  codegenStages,
  exchanges,
  exchangeStages,
  exchangeTotals,
  executionFacts,
  executorLives,
  executorMetricPeaks,
  executors,
  failureGroups,
  idleGaps,
  issueCounts,
  jobFacts,
  jobs,
  jobStages,
  joins,
  largestExchanges,
  largestJoins,
  largestPlacements,
  largestScans,
  largestSpillTasks,
  logIssues,
  logParts,
  logSummary,
  longestExecutions,
  nestedExecutions,
  operators,
  operatorStages,
  persistedRdds,
  placements,
  plan,
  planOperators,
  planVersions,
  resourceProfiles,
  resultFetches,
  scans,
  sessionSettingNames,
  sessionSettings,
  slowestStageRunTimes,
  slowestStages,
  sparkProperties,
  spillExecutors,
  spillOperators,
  spillTasks,
  sqlExecutionJobs,
  sqlExecutions,
  sqlExecutionStages,
  stageFacts,
  stageJobs,
  stageMetrics,
  stageOperators,
  stageQuantiles,
  stageRdds,
  stages,
  stageSpans,
  stageSums,
  streamingBatches,
  streamingRuns,
  unknownEvents,
];
