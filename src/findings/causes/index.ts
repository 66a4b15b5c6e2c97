import type { AppCause, StageCause } from "../finding.ts";
import { cacheIncomplete } from "./cache-incomplete.ts";
import { driverCollect } from "./driver-collect.ts";
import { driverGap } from "./driver-gap.ts";
import { executorLoss } from "./executor-loss.ts";
import { failure } from "./failure.ts";
import { gcPressure } from "./gc-pressure.ts";
import { gcPressureCache } from "./gc-pressure-cache.ts";
import { joinStrategy } from "./join-strategy.ts";
import { lateDataDropped } from "./late-data-dropped.ts";
import { pythonTransport } from "./python-transport.ts";
import { retryChurn } from "./retry-churn.ts";
import { scanOverhead } from "./scan-overhead.ts";
import { schedulingWait } from "./scheduling-wait.ts";
import { serialization } from "./serialization.ts";
import { shuffleFetchWait } from "./shuffle-fetch-wait.ts";
import { shuffleVolume } from "./shuffle-volume.ts";
import { singlePartition } from "./single-partition.ts";
import { skew } from "./skew.ts";
import { slowNode } from "./slow-node.ts";
import { spill } from "./spill.ts";
import { stragglers } from "./stragglers.ts";
import { streamingLag } from "./streaming-lag.ts";
import { tooFewPartitions } from "./too-few-partitions.ts";
import { tooManySmallTasks } from "./too-many-small-tasks.ts";
import { underParallelism } from "./under-parallelism.ts";

/** Causes judged stage by stage, in the order in which the first that holds becomes the verdict of its stage. */
export const STAGE_CAUSES: readonly StageCause[] = [
  shuffleVolume,
  skew,
  slowNode,
  stragglers,
  singlePartition,
  underParallelism,
  gcPressure,
  gcPressureCache,
  tooFewPartitions,
  spill,
  tooManySmallTasks,
  shuffleFetchWait,
  joinStrategy,
  pythonTransport,
  serialization,
  scanOverhead,
];

/** Idle time, the largest class of which may be the verdict. */
export const IDLE_CAUSES: readonly AppCause[] = [driverGap, schedulingWait, driverCollect];

/** Causes of the whole application that count when no stage carries the verdict, in order. */
export const LATE_CAUSES: readonly AppCause[] = [
  retryChurn,
  executorLoss,
  cacheIncomplete,
  streamingLag,
  lateDataDropped,
];

export const APP_CAUSES: readonly AppCause[] = [failure, ...IDLE_CAUSES, ...LATE_CAUSES];
