import { applicationEnd } from "./application-end.ts";
import { applicationStart } from "./application-start.ts";
import { blockManagerAdded } from "./block-manager-added.ts";
import { blockManagerRemoved } from "./block-manager-removed.ts";
import { blockUpdated } from "./block-updated.ts";
import { databricksMetadata } from "./databricks-metadata.ts";
import { driverAccumUpdates } from "./driver-accum-updates.ts";
import { environmentUpdate } from "./environment-update.ts";
import type { EventHandler } from "./event.ts";
import { exclusions } from "./exclusions.ts";
import { executorAdded } from "./executor-added.ts";
import { executorMetricsUpdate } from "./executor-metrics-update.ts";
import { executorRemoved } from "./executor-removed.ts";
import { jobEnd } from "./job-end.ts";
import { jobStart } from "./job-start.ts";
import { knownWithoutRows } from "./known-without-rows.ts";
import { logStart } from "./log-start.ts";
import { miscellaneousProcessAdded } from "./miscellaneous-process-added.ts";
import { resourceProfileAdded } from "./resource-profile-added.ts";
import { sqlAdaptiveExecutionUpdate } from "./sql-adaptive-execution-update.ts";
import { sqlAdaptiveMetricUpdates } from "./sql-adaptive-metric-updates.ts";
import { sqlExecutionEnd } from "./sql-execution-end.ts";
import { sqlExecutionStart } from "./sql-execution-start.ts";
import { stageCompleted } from "./stage-completed.ts";
import { stageExecutorMetrics } from "./stage-executor-metrics.ts";
import { stageSubmitted } from "./stage-submitted.ts";
import {
  streamingQueryProgress,
  streamingQueryStarted,
  streamingQueryTerminated,
} from "./streaming-query.ts";
import { taskEnd } from "./task-end.ts";
import { taskGettingResult } from "./task-getting-result.ts";
import { taskStart } from "./task-start.ts";
import { unpersistRdd } from "./unpersist-rdd.ts";

/** Every event sparklog reads: a new one is a file here and a line below. */
export const EVENT_HANDLERS: readonly EventHandler[] = [
  applicationEnd,
  applicationStart,
  blockManagerAdded,
  blockManagerRemoved,
  blockUpdated,
  databricksMetadata,
  driverAccumUpdates,
  environmentUpdate,
  ...exclusions,
  executorAdded,
  executorMetricsUpdate,
  executorRemoved,
  jobEnd,
  jobStart,
  knownWithoutRows,
  logStart,
  miscellaneousProcessAdded,
  resourceProfileAdded,
  sqlAdaptiveExecutionUpdate,
  sqlAdaptiveMetricUpdates,
  sqlExecutionEnd,
  sqlExecutionStart,
  stageCompleted,
  stageExecutorMetrics,
  stageSubmitted,
  streamingQueryProgress,
  streamingQueryStarted,
  streamingQueryTerminated,
  taskEnd,
  taskGettingResult,
  taskStart,
  unpersistRdd,
];
