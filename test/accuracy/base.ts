import type { AppSpec, JobSpec, PlanNode, StageSpec, TaskSpec } from "./application.ts";
import type { Random } from "./random.ts";

const MIB = 1024 ** 2;
const VERSIONS = ["2.4.8", "3.1.2", "3.3.1", "3.5.1", "3.5.4", "4.0.0"];

/**
 * A run with nothing wrong: jobs of a scan, a shuffle and an aggregation or a join, in 2 to 5 waves.
 * @param bigJobs jobs of full size; the others are shorter
 */
export function healthyApplication(random: Random, seed: number, bigJobs = 1): AppSpec {
  const hosts = random.integer(3, 10);
  const cores = random.pick([2, 4, 8]);
  const jobs = Math.max(bigJobs, random.integer(1, 3));
  const app: AppSpec = {
    name: random.pick(["daily load", "sessions", "billing", "features", "clicks"]),
    version: random.pick(VERSIONS),
    properties: { "spark.executor.cores": String(cores) },
    executors: Array.from({ length: hosts }, (_, i) => ({
      id: String(i + 1),
      host: `node-${String(i + 1).padStart(2, "0")}`,
      cores,
      addedMs: 0,
      removedMs: null,
      reason: null,
    })),
    slowHosts: {},
    load: 0,
    jobs: [],
    focus: 0,
    batches: [],
    seed,
  };
  const slots = hosts * cores;
  let stageId = 0;
  for (let j = 0; j < jobs; j++) {
    const job = random.chance(0.3) ? joinJob(random, slots, stageId) : aggregateJob(random, slots, stageId);
    stageId += job.stages.length;
    app.jobs.push(job);
  }
  for (const job of app.jobs.slice(bigJobs))
    for (const s of job.stages) for (const task of s.tasks) shorten(task);
  return app;
}

/** The first jobs are the big ones, the others take a third of their time. */
function shorten(task: TaskSpec): void {
  task.runMs *= 0.3;
  task.cpuMs *= 0.3;
  task.gcMs *= 0.3;
  task.fetchWaitMs *= 0.3;
}

export function slotsOf(app: AppSpec): number {
  return app.executors.reduce((sum, e) => sum + e.cores, 0);
}

function aggregateJob(random: Random, slots: number, firstStage: number): JobSpec {
  const scan = stage(firstStage, "scan", [], scanTasks(random, waves(random, slots)));
  const reduce = stage(
    firstStage + 1,
    "aggregate",
    [firstStage],
    reduceTasks(random, waves(random, slots), [scan]),
  );
  return {
    gapBeforeMs: random.between(50, 400),
    stages: [scan, reduce],
    plan: aggregatePlan(reduce.tasks.length),
    failure: null,
  };
}

function joinJob(random: Random, slots: number, firstStage: number): JobSpec {
  const left = stage(firstStage, "scan", [], scanTasks(random, waves(random, slots)));
  const right = stage(firstStage + 1, "scan", [], scanTasks(random, waves(random, slots)));
  const join = stage(
    firstStage + 2,
    "join",
    [firstStage, firstStage + 1],
    reduceTasks(random, waves(random, slots), [left, right]),
  );
  return {
    gapBeforeMs: random.between(50, 400),
    stages: [left, right, join],
    plan: joinPlan(join.tasks.length),
    failure: null,
  };
}

function waves(random: Random, slots: number): number {
  return Math.round(slots * random.between(2, 5));
}

export function stage(id: number, name: string, parents: number[], tasks: TaskSpec[]): StageSpec {
  return { id, name, parents, tasks, cached: null, completionDelayMs: 0, rddName: "MapPartitionsRDD" };
}

/** A task with a run time and nothing else; CPU and GC as usual. */
export function plainTask(random: Random, runMs: number): TaskSpec {
  return {
    runMs,
    cpuMs: runMs * random.between(0.6, 0.9),
    gcMs: runMs * random.between(0.005, 0.04),
    fetchWaitMs: 0,
    deserializeMs: random.between(4, 20),
    serializeMs: 1,
    delayMs: random.between(4, 15),
    inputBytes: 0,
    inputRecords: 0,
    shuffleBytes: 0,
    shuffleRecords: 0,
    writtenBytes: 0,
    writtenRecords: 0,
    outputBytes: 0,
    spillMemory: 0,
    spillDisk: 0,
    resultBytes: 2000,
    fetchResultMs: 0,
    failures: 0,
    failsOn: null,
    metrics: {},
  };
}

/** Pieces of 128 MiB and a last, smaller one; half of the rows go on. */
export function scanTasks(random: Random, count: number): TaskSpec[] {
  const perTask = random.between(3000, 12_000);
  return Array.from({ length: count }, () => {
    const size = random.noise(0.08);
    const task = plainTask(random, perTask * size * random.noise(0.06));
    const rows = 1_000_000 * size;
    return {
      ...task,
      inputBytes: 128 * MIB * size,
      inputRecords: rows,
      writtenBytes: 60 * MIB * size,
      writtenRecords: rows * 0.5,
    };
  });
}

/** Reads what the given stages wrote, spread over partitions by hash. */
export function reduceTasks(random: Random, count: number, writers: StageSpec[]): TaskSpec[] {
  const perTask = random.between(3000, 12_000);
  const total = (pick: (t: TaskSpec) => number): number =>
    writers.reduce((sum, s) => sum + s.tasks.reduce((n, t) => n + pick(t), 0), 0);
  const bytes = total((t) => t.writtenBytes) / count;
  const rows = total((t) => t.writtenRecords) / count;
  return Array.from({ length: count }, () => {
    const size = random.noise(0.08);
    const task = plainTask(random, perTask * size * random.noise(0.06));
    return {
      ...task,
      shuffleBytes: bytes * size,
      shuffleRecords: rows * size,
      fetchWaitMs: task.runMs * random.between(0.005, 0.05),
      outputBytes: bytes * size * 0.4,
    };
  });
}

const SCAN: PlanNode = {
  name: "Scan parquet db.events",
  text: "FileScan parquet db.events[k#1,v#2] Batched: true, Format: Parquet, PushedFilters: [IsNotNull(k)]",
  children: [],
};

export function exchange(partitioning: string, child: PlanNode): PlanNode {
  return {
    name: "Exchange",
    text: `Exchange ${partitioning}, ENSURE_REQUIREMENTS, [plan_id=1]`,
    children: [child],
  };
}

export function aggregatePlan(partitions: number, below: PlanNode = SCAN): PlanNode {
  return {
    name: "HashAggregate",
    text: "HashAggregate(keys=[k#1], functions=[sum(v#2)])",
    children: [exchange(`hashpartitioning(k#1, ${partitions})`, below)],
  };
}

export function joinPlan(partitions: number): PlanNode {
  const side = (): PlanNode => ({
    name: "Sort",
    text: "Sort [k#1 ASC NULLS FIRST], false, 0",
    children: [exchange(`hashpartitioning(k#1, ${partitions})`, SCAN)],
  });
  return { name: "SortMergeJoin", text: "SortMergeJoin [k#1], [k#9], Inner", children: [side(), side()] };
}

export function scanPlan(): PlanNode {
  return { ...SCAN };
}
