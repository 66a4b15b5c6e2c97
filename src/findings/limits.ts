/**
 * Every threshold of the diagnosis, in one table. `sparklog explain` prints it; a configuration file may change any
 * value. Sources: "Spark" is Spark's own documentation or code, "field" is practice that several tools and guides
 * share, "calibrated" was set and is held by the labelled set (docs/accuracy.md).
 */
interface Limit {
  value: number;
  unit: "ratio" | "share" | "ms" | "bytes" | "count" | "rows";
  meaning: string;
  source: string;
}

const MIB = 1024 ** 2;

export const LIMITS = {
  // when a cause counts
  stageShare: limit(
    0.05,
    "share",
    "own time of a stage, of the application's wall clock, from which it can carry the verdict",
    "calibrated",
  ),
  priceOfStage: limit(
    0.1,
    "share",
    "price of a cause, of its stage's own time, from which it holds",
    "calibrated",
  ),
  priceOfApplication: limit(
    0.05,
    "share",
    "price of a cause over all its stages, of the wall clock, from which it holds",
    "calibrated",
  ),
  priceMs: limit(3000, "ms", "price below which nothing is worth a finding", "calibrated"),
  criticalShare: limit(
    0.2,
    "share",
    "price, of the wall clock, from which a finding is critical",
    "calibrated",
  ),
  // wall clock
  startupMs: limit(
    60_000,
    "ms",
    "start-up that every cluster needs; not counted in the wall clock",
    "calibrated",
  ),
  idleShare: limit(
    0.1,
    "share",
    "idle time of one class, of the wall clock, from which it can be the verdict",
    "calibrated",
  ),
  collectBytes: limit(
    100 * MIB,
    "bytes",
    "results of a stage from which the time after its last task is the driver collecting them",
    "calibrated",
  ),
  missingTasks: limit(
    0.05,
    "share",
    "task indexes of a complete stage without an end from which its numbers are not judged",
    "calibrated",
  ),
  // skew, stragglers, slow node
  skewWatch: limit(
    2,
    "ratio",
    "longest / median run time from which tasks are uneven; outliers are tasks above it",
    "field",
  ),
  outlierMs: limit(
    500,
    "ms",
    "run time above the median from which a task can be an outlier: less is the noise of short tasks",
    "calibrated",
  ),

  skewFail: limit(5, "ratio", "longest / median run time from which the skew check fails", "field"),
  excessOfSkew: limit(
    0.5,
    "share",
    "part of the outliers' excess that lies in tasks with twice the median's bytes or records: skew",
    "calibrated",
  ),
  dataOfSkew: limit(
    2,
    "ratio",
    "bytes or records of a task / median from which it has more to do than the others",
    "field",
  ),

  excessOfHost: limit(
    0.8,
    "share",
    "part of the excess on one host, or in the first wave, that makes it the place",
    "calibrated",
  ),
  slowHost: limit(
    2,
    "ratio",
    "median run time of a host / that of the others from which it is slow",
    "field",
  ),
  slowHostTasks: limit(
    0.8,
    "share",
    "tasks of a host that run longer than as many of the others': slow whatever the ratio, if the price is worth it",
    "calibrated",
  ),
  hostTasks: limit(
    4,
    "count",
    "tasks of a host, and of the others, from which they are compared that way",
    "calibrated",
  ),
  // shuffle volume
  rowsFail: limit(
    2,
    "ratio",
    "rows written to the shuffle / rows read by the stage: rows were multiplied",
    "field",
  ),
  rowsWatch: limit(1.2, "ratio", "the same: worth a look", "field"),
  bytesFail: limit(2.5, "ratio", "the same in bytes, where rows are not recorded", "calibrated"),
  bytesWatch: limit(2, "ratio", "the same: worth a look", "calibrated"),
  // partitions
  partitionLow: limit(
    128 * MIB,
    "bytes",
    "size of a shuffle partition to aim at",
    "Spark: files.maxPartitionBytes; field",
  ),
  partitionHigh: limit(
    200 * MIB,
    "bytes",
    "mean size of a shuffle partition from which it is too big",
    "field",
  ),
  tasksPerCore: limit(3, "ratio", "tasks per core to aim at (2 to 3)", "Spark tuning guide"),
  underParallel: limit(
    0.75,
    "share",
    "tasks of a stage / slots up to which cores stand idle by lack of tasks",
    "calibrated",
  ),
  overheadMs: limit(
    200,
    "ms",
    "shortest useful task: splitting further costs more than it saves",
    "Spark tuning guide",
  ),
  manyTasks: limit(
    10_000,
    "count",
    "tasks of a stage from which a median below one second is scheduling overhead",
    "field",
  ),
  manyTasksMs: limit(1000, "ms", "that median", "field"),
  tinyTasks: limit(
    1000,
    "count",
    "tasks of a stage from which a median of 100 ms on little data is overhead",
    "calibrated",
  ),
  tinyTasksMs: limit(100, "ms", "that median", "calibrated"),
  tinyTaskBytes: limit(
    MIB,
    "bytes",
    "mean bytes read by a task below which it had little to do",
    "calibrated",
  ),
  // memory
  gcShare: limit(0.1, "share", "JVM GC time / task time from which the heap is short", "field"),
  spillShare: limit(
    0.2,
    "share",
    "run time of the tasks that spilled, of the stage's, from which spill is a cause",
    "calibrated",
  ),
  spillExtra: limit(
    0.1,
    "share",
    "what spilling tasks took longer for their data than the others, of the stage's own time, below which the spill cost nothing",
    "calibrated",
  ),
  uniformSpill: limit(0.5, "share", "the same, from which all tasks are too big and not a few", "calibrated"),
  cacheShare: limit(
    0.1,
    "share",
    "storage memory in use / memory for storage and execution from which cached data can fill the heap; below it are broadcasts",
    "calibrated",
  ),
  cachedFraction: limit(
    1,
    "share",
    "cached partitions / partitions below which the rest is read or computed again",
    "field",
  ),
  // transport
  fetchWaitShare: limit(
    0.2,
    "share",
    "fetch wait / run time from which tasks wait for the shuffle",
    "calibrated",
  ),
  scanCpuShare: limit(0.5, "share", "CPU time / run time below which a scan waits for storage", "calibrated"),
  scanOutputShare: limit(
    0.1,
    "share",
    "bytes written / bytes read up to which a stage only reads",
    "calibrated",
  ),
  serializationShare: limit(
    0.1,
    "share",
    "deserialize and serialize time / task time from which it is a cause",
    "field",
  ),
  pythonCpuShare: limit(
    0.5,
    "share",
    "CPU time of the JVM / run time below which a stage with Python waits for Python",
    "calibrated",
  ),
  pythonBytes: limit(
    64 * MIB,
    "bytes",
    "data sent to and from Python workers from which the transport counts",
    "field",
  ),
  broadcastBytes: limit(
    10 * MIB,
    "bytes",
    "size of a join side that Spark would broadcast by default",
    "Spark: autoBroadcastJoinThreshold",
  ),
  joinShuffleBytes: limit(
    100 * MIB,
    "bytes",
    "shuffle of the other side below which a broadcast would save nothing",
    "calibrated",
  ),
  explosion: limit(10, "ratio", "rows out of a join / rows in from which it multiplies them", "field"),
  // executors, storage, streaming
  lossBeforeEndMs: limit(
    5000,
    "ms",
    "a loss closer than this to the end of the application is its shutdown",
    "calibrated",
  ),
  farReads: limit(0.5, "share", "tasks at RACK_LOCAL or ANY from which data is far from its tasks", "field"),
  lagBatches: limit(
    0.5,
    "share",
    "micro-batches whose rows came faster than they were processed, from which a query falls behind",
    "calibrated",
  ),
  lagMargin: limit(
    1.05,
    "ratio",
    "input rate / processing rate from which a batch counts as too slow",
    "calibrated",
  ),
  lagGrowth: limit(
    1.5,
    "ratio",
    "duration of the last third of the batches / the first third from which a query without pauses falls behind",
    "calibrated",
  ),
  lagMinBatches: limit(10, "count", "micro-batches with rows below which no trend is judged", "calibrated"),
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;
export type Limits = Readonly<Record<LimitName, number>>;

function limit(value: number, unit: Limit["unit"], meaning: string, source: string): Limit {
  return { value, unit, meaning, source };
}

export const DEFAULT_LIMITS: Limits = Object.freeze(
  Object.fromEntries(Object.entries(LIMITS).map(([name, { value }]) => [name, value])) as Record<
    LimitName,
    number
  >,
);

/**
 * Limits with the changes of a configuration file.
 * @param changes the parsed "limits" object of the file
 * @throws RangeError naming the first key that is unknown or no positive number
 */
export function changeLimits(changes: unknown): Limits {
  if (typeof changes !== "object" || changes === null || Array.isArray(changes)) {
    throw new RangeError("limits must be an object of name: number");
  }
  for (const [name, value] of Object.entries(changes)) {
    if (!(name in LIMITS))
      throw new RangeError(`unknown limit ${name}; known: ${Object.keys(LIMITS).join(", ")}`);
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
      throw new RangeError(`limit ${name} must be a number of 0 or more`);
    }
  }
  return { ...DEFAULT_LIMITS, ...changes };
}
