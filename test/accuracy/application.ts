/** An application before it runs: what each task has to do. The cluster decides when and where it does it. */

export interface TaskSpec {
  runMs: number;
  cpuMs: number;
  gcMs: number;
  fetchWaitMs: number;
  deserializeMs: number;
  serializeMs: number;
  /** Time between launch and work that is neither of these: the driver hands tasks out one by one. */
  delayMs: number;
  inputBytes: number;
  inputRecords: number;
  shuffleBytes: number;
  shuffleRecords: number;
  writtenBytes: number;
  writtenRecords: number;
  outputBytes: number;
  spillMemory: number;
  spillDisk: number;
  resultBytes: number;
  /** Driver fetches the result for so long after the task has ended. */
  fetchResultMs: number;
  /** Attempts that fail after a part of the run time, only on this host if one is named. */
  failures: number;
  failsOn: string | null;
  /** SQL metrics by accumulator id. */
  metrics: Record<number, number>;
}

export interface StageSpec {
  id: number;
  name: string;
  parents: number[];
  tasks: TaskSpec[];
  /** Data of an RDD that is cached and read here. */
  cached: CachedRdd | null;
  /** Results are unpacked in the driver for so long after the last task. */
  completionDelayMs: number;
  rddName: string;
}

export interface CachedRdd {
  id: number;
  name: string;
  partitions: number;
  cachedPartitions: number;
  useDisk: boolean;
  logsBlocks: boolean;
}

export interface PlanNode {
  name: string;
  text: string;
  children: PlanNode[];
  metrics?: { name: string; accumulatorId: number; metricType: string }[];
}

export interface JobSpec {
  /** The driver is busy for so long before it submits the job. */
  gapBeforeMs: number;
  stages: StageSpec[];
  plan: PlanNode | null;
  failure: string | null;
}

export interface ExecutorSpec {
  id: string;
  host: string;
  cores: number;
  addedMs: number;
  /** Removed at this time (ms after the start) for this reason; null: lives to the end. */
  removedMs: number | null;
  reason: string | null;
}

export interface BatchSpec {
  triggerMs: number;
  durationMs: number;
  rows: number;
  inputRate: number;
  processRate: number;
  dropped: number;
}

export interface AppSpec {
  name: string;
  version: string;
  properties: Record<string, string>;
  executors: ExecutorSpec[];
  /** Times by which a host is slower than the others. */
  slowHosts: Record<string, number>;
  jobs: JobSpec[];
  /** Index of the job in which the next fault is planted. */
  focus: number;
  batches: BatchSpec[];
  /** Streaming: rows that arrive / rows that can be processed. */
  load: number;
  seed: number;
}

export function copyOf(app: AppSpec): AppSpec {
  return structuredClone(app);
}
