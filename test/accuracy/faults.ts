import type { Cause } from "../../src/findings/finding.ts";
import type { AppSpec, JobSpec, StageSpec, TaskSpec } from "./application.ts";
import {
  aggregatePlan,
  exchange,
  plainTask,
  reduceTasks,
  scanPlan,
  scanTasks,
  slotsOf,
  stage,
} from "./base.ts";
import { runApplication } from "./cluster.ts";
import type { Random } from "./random.ts";

const MIB = 1024 ** 2;

/**
 * A fault that can be planted. `prepare` gives the run the shape that the fault needs (a streaming query, a cached
 * table) and belongs to the run without the fault, too; `plant` puts the fault in.
 */
export interface Fault {
  cause: Cause;
  /** The label does not ask what the fault cost: rows are dropped or not, a query keeps up or does not. */
  byNature?: (app: AppSpec) => boolean;
  prepare?(app: AppSpec, random: Random): void;
  plant(app: AppSpec, random: Random): void;
}

/** One draw in `low` of them from the range across the threshold, the others from clearly above it. */
function across(random: Random, lowShare: number, low: [number, number], high: [number, number]): number {
  const [from, to] = random.chance(lowShare) ? low : high;
  return random.magnitude(from, to);
}

/** The job in which faults are planted. */
function mainJob(app: AppSpec): JobSpec {
  const job = app.jobs[app.focus] ?? app.jobs[0];
  if (!job) throw new Error("the application has no job");
  return job;
}

/** Its stage with most work among those that fit. */
function mainStage(app: AppSpec, fits: (s: StageSpec) => boolean = () => true): StageSpec {
  const work = (s: StageSpec): number => s.tasks.reduce((n, t) => n + t.runMs, 0);
  const candidates = mainJob(app).stages.filter(fits);
  return candidates.reduce((most, s) => (work(s) > work(most) ? s : most));
}

function readsShuffle(s: StageSpec): boolean {
  return s.parents.length > 0;
}

function grow(task: TaskSpec, factor: number): void {
  for (const key of [
    "runMs",
    "cpuMs",
    "gcMs",
    "fetchWaitMs",
    "inputBytes",
    "inputRecords",
    "shuffleBytes",
    "shuffleRecords",
    "outputBytes",
    "writtenBytes",
    "writtenRecords",
  ] as const) {
    task[key] *= factor;
  }
}

function slower(task: TaskSpec, factor: number): void {
  task.runMs *= factor;
  task.cpuMs *= Math.sqrt(factor);
}

function someTasks(stageSpec: StageSpec, random: Random, count: number): TaskSpec[] {
  const left = [...stageSpec.tasks];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(random.integer(0, left.length - 1), 1)[0],
  ).filter((t) => t !== undefined);
}

/** Cuts or merges the work of a stage into another number of equal tasks. */
function recut(stageSpec: StageSpec, random: Random, count: number): void {
  const total = (pick: (t: TaskSpec) => number): number =>
    stageSpec.tasks.reduce((sum, t) => sum + pick(t), 0);
  const keys = [
    "runMs",
    "cpuMs",
    "gcMs",
    "fetchWaitMs",
    "inputBytes",
    "inputRecords",
    "shuffleBytes",
    "shuffleRecords",
    "outputBytes",
    "writtenBytes",
    "writtenRecords",
  ] as const;
  const sums = Object.fromEntries(keys.map((key) => [key, total((t) => t[key])]));
  stageSpec.tasks = Array.from({ length: count }, () => {
    const size = random.noise(0.06);
    const task = plainTask(random, 1);
    for (const key of keys) task[key] = ((sums[key] ?? 0) / count) * size;
    return task;
  });
}

export const FAULTS: readonly Fault[] = [
  {
    cause: "skew",
    plant(app, random) {
      const factor = across(random, 0.15, [1.1, 4], [5, 80]);
      for (const task of someTasks(mainStage(app), random, random.integer(1, 3))) {
        grow(task, factor * random.between(0.8, 1.2));
        if (factor > 8 && random.chance(0.5)) {
          task.spillMemory = 4e9;
          task.spillDisk = 1e9;
          task.gcMs = task.runMs * 0.2;
        }
      }
    },
  },
  {
    cause: "stragglers",
    plant(app, random) {
      const target = mainStage(app);
      const factor = across(random, 0.2, [1.2, 3], [3, 40]);
      for (const task of someTasks(
        target,
        random,
        random.integer(2, Math.max(2, Math.round(target.tasks.length / 30))),
      )) {
        slower(task, factor * random.between(0.8, 1.2));
      }
    },
  },
  {
    cause: "slow-node",
    plant(app, random) {
      const host = random.pick(app.executors).host;
      app.slowHosts[host] = across(random, 0.1, [1.05, 2], [2.3, 8]);
    },
  },
  {
    cause: "shuffle-volume",
    plant(app, random) {
      const factor = across(random, 0.12, [1.02, 2], [2.1, 8]);
      const job = mainJob(app);
      const reader = job.stages.find(readsShuffle);
      for (const s of job.stages.filter((w) => reader?.parents.includes(w.id))) {
        for (const task of s.tasks) {
          task.writtenRecords = task.inputRecords * factor;
          task.writtenBytes *= 2 * factor;
          slower(task, 1 + 0.1 * (factor - 1));
        }
      }
      for (const task of reader?.tasks ?? []) grow(task, 1 + 0.25 * (factor - 1));
      job.plan = aggregatePlan(reader?.tasks.length ?? 1, {
        name: "Generate",
        text: "Generate explode(tags#6), [k#1], false, [tag#7]",
        children: [scanPlan()],
      });
    },
  },
  {
    cause: "too-few-partitions",
    prepare(app, random) {
      const target = mainStage(app, readsShuffle);
      const bytes = across(random, 0.15, [90 * MIB, 300 * MIB], [300 * MIB, 2500 * MIB]);
      const count = Math.round(slotsOf(app) * random.between(1, 2));
      const total = count * bytes;
      const now = target.tasks.reduce((sum, t) => sum + t.shuffleBytes, 0);
      for (const task of target.tasks) {
        task.shuffleBytes *= total / now;
        task.outputBytes *= total / now;
        task.writtenBytes *= total / now;
      }
      target.name = `${count}`;
      for (const task of target.tasks) slower(task, 2);
    },
    plant(app, random) {
      const target = mainStage(app, readsShuffle);
      recut(target, random, Number(target.name));
      const memory = random.between(150, 350) * MIB;
      for (const task of target.tasks) {
        const need = task.shuffleBytes * 2;
        if (need <= memory) continue;
        task.spillMemory = need;
        task.spillDisk = need / 4;
        slower(task, 1 + random.between(0.5, 0.7) * Math.min(1, need / memory - 1));
      }
    },
  },
  {
    cause: "too-many-small-tasks",
    prepare(app, random) {
      const target = mainStage(app, (s) => !readsShuffle(s));
      recut(target, random, 3 * slotsOf(app));
      const runMs = random.between(300, 900);
      for (const task of target.tasks) {
        const factor = runMs / task.runMs;
        grow(task, factor);
        task.inputBytes = Math.min(task.inputBytes, 6 * MIB);
      }
      for (const s of app.jobs.flatMap((j) => j.stages).filter((s) => s !== target))
        for (const task of s.tasks) grow(task, 0.4);
    },
    plant(app, random) {
      const target =
        mainJob(app).stages.find((s) => s.parents.length === 0 && s.tasks.length === 3 * slotsOf(app)) ??
        mainStage(app);
      const overhead = random.between(15, 50);
      recut(target, random, Math.round(across(random, 0.12, [100, 1500], [3000, 16_000])));
      for (const task of target.tasks) {
        task.runMs += random.between(3, 12);
        task.deserializeMs = random.between(1, 3);
        task.delayMs = overhead * random.noise(0.2);
      }
    },
  },
  {
    cause: "under-parallelism",
    plant(app, random) {
      const share = across(random, 0.1, [0.45, 1], [0.03, 0.45]);
      recut(mainStage(app), random, Math.max(1, Math.round(share * slotsOf(app))));
    },
  },
  {
    cause: "single-partition",
    plant(app, random) {
      const job = mainJob(app);
      const last = job.stages.at(-1);
      const share = across(random, 0.2, [0.005, 0.04], [0.05, 0.6]);
      const id = Math.max(...app.jobs.flatMap((j) => j.stages.map((s) => s.id))) + 1;
      const work = (last?.tasks ?? []).reduce((sum, t) => sum + t.runMs, 0) * share;
      const task = {
        ...plainTask(random, work),
        shuffleBytes: 500 * MIB * share,
        shuffleRecords: 5e6,
        outputBytes: 400 * MIB * share,
      };
      for (const t of last?.tasks ?? []) {
        t.writtenRecords = 5e6 / (last?.tasks.length ?? 1);
        t.writtenBytes = (500 * MIB * share) / (last?.tasks.length ?? 1);
      }
      job.stages.push(stage(id, "window", last ? [last.id] : [], [task]));
      job.plan = {
        name: "Window",
        text: "Window [sum(v#2) windowspecdefinition(ts#3 ASC)], [ts#3 ASC]",
        children: [exchange("SinglePartition", job.plan ?? scanPlan())],
      };
    },
  },
  {
    cause: "spill",
    prepare(app) {
      for (const task of mainStage(app, readsShuffle).tasks) slower(task, 2);
    },
    plant(app, random) {
      const target = mainStage(app, readsShuffle);
      const share = random.chance(0.75) ? 1 : across(random, 0.35, [0.02, 0.19], [0.35, 0.95]);
      const cost = random.between(0.35, 0.75);
      const bytes = target.tasks.reduce((sum, t) => sum + t.shuffleBytes, 0) / target.tasks.length;
      const shrink = Math.min(1, (100 * MIB) / bytes);
      for (const task of target.tasks) task.shuffleBytes *= shrink;
      for (const task of target.tasks) {
        if (!random.chance(share)) continue;
        task.spillMemory = task.shuffleBytes * 4;
        task.spillDisk = task.shuffleBytes;
        slower(task, 1 + cost);
      }
    },
  },
  { cause: "gc-pressure", plant: (app, random) => plantGc(app, random) },
  {
    cause: "gc-pressure-cache",
    prepare(app) {
      const target = mainStage(app);
      target.cached = {
        id: 7,
        name: "In-memory table features",
        partitions: target.tasks.length,
        cachedPartitions: target.tasks.length,
        useDisk: true,
        logsBlocks: false,
      };
    },
    plant: (app, random) => plantGc(app, random),
  },
  {
    cause: "shuffle-fetch-wait",
    plant(app, random) {
      const share = across(random, 0.15, [0.04, 0.25], [0.25, 0.75]);
      for (const task of mainStage(app, readsShuffle).tasks) {
        const work = task.runMs;
        task.runMs = work / (1 - share * random.between(0.9, 1.1));
        task.fetchWaitMs = task.runMs - work;
      }
    },
  },
  {
    cause: "python-transport",
    plant(app, random) {
      const job = mainJob(app);
      const target = mainStage(app);
      const cost = across(random, 0.1, [0.02, 0.8], [0.9, 6]);
      for (const task of target.tasks) {
        task.cpuMs = task.runMs * 0.7;
        task.runMs *= 1 + cost * random.noise(0.05);
        task.metrics[900] = Math.round(random.between(20, 60) * MIB * Math.min(1, cost));
      }
      job.plan = {
        name: "BatchEvalPython",
        text: "BatchEvalPython [f(v#2)], [pythonUDF0#5]",
        children: [job.plan ?? scanPlan()],
        metrics: [{ name: "data sent to Python workers", accumulatorId: 900, metricType: "size" }],
      };
    },
  },
  {
    cause: "retry-churn",
    plant(app, random) {
      const target = mainStage(app);
      const host = random.pick(app.executors).host;
      // Either one host fails every task that lands on it, or attempts fail here and there.
      const hostFails = random.chance(0.3);
      const share = hostFails ? 1 : across(random, 0.25, [0.002, 0.1], [0.4, 1]);
      for (const task of target.tasks) {
        if (!random.chance(share)) continue;
        task.failures = hostFails ? 3 : random.integer(1, 3);
        task.failsOn = hostFails ? host : null;
      }
    },
  },
  {
    cause: "executor-loss",
    plant(app, random) {
      const { endMs } = runApplication(app);
      const lost = Math.max(
        1,
        Math.min(
          app.executors.length - 1,
          Math.round(app.executors.length * across(random, 0.3, [0.05, 0.2], [0.2, 0.8])),
        ),
      );
      const at = random.between(0.1, 0.6) * endMs;
      const reason = random.pick([
        "Container from a bad node: container_1 on host: node. Exit status: 137.",
        "Executor heartbeat timed out after 140000 ms",
        "worker lost",
      ]);
      for (const executor of app.executors.slice(0, lost)) {
        executor.removedMs = Math.round(at + random.between(0, 2000));
        executor.reason = reason;
      }
    },
  },
  {
    cause: "scan-overhead",
    prepare(app) {
      const target = mainStage(app, (s) => !readsShuffle(s));
      for (const task of target.tasks) {
        task.cpuMs = task.runMs * 0.7;
        task.writtenBytes = task.inputBytes * 0.02;
        task.writtenRecords = task.inputRecords * 0.02;
      }
    },
    plant(app, random) {
      const cost = across(random, 0.06, [0.01, 1.5], [1.6, 10]);
      for (const task of mainStage(app, (s) => !readsShuffle(s)).tasks)
        task.runMs *= 1 + cost * random.noise(0.05);
    },
  },
  {
    cause: "driver-gap",
    plant(app, random) {
      const { endMs } = runApplication(app);
      const job = app.jobs.length > 1 && random.chance(0.6) ? random.pick(app.jobs.slice(1)) : undefined;
      const gap = endMs * across(random, 0.2, [0.01, 0.15], [0.15, 3]);
      if (job) job.gapBeforeMs += gap;
      else {
        const id = Math.max(...app.jobs.flatMap((j) => j.stages.map((s) => s.id))) + 1;
        app.jobs.push({
          gapBeforeMs: gap,
          stages: [
            stage(
              id,
              "commit",
              [],
              Array.from({ length: slotsOf(app) }, () => plainTask(random, 500)),
            ),
          ],
          plan: null,
          failure: null,
        });
      }
    },
  },
  {
    cause: "scheduling-wait",
    prepare(app, random) {
      const id = Math.max(...app.jobs.flatMap((j) => j.stages.map((s) => s.id))) + 1;
      const scan = stage(id, "scan", [], scanTasks(random, 2 * slotsOf(app)));
      app.jobs.push({ gapBeforeMs: 200, stages: [scan], plan: null, failure: null });
    },
    plant(app, random) {
      const run = runApplication(app);
      const last = run.jobs.at(-1)?.submittedMs ?? run.endMs;
      const wait = run.endMs * across(random, 0.2, [0.01, 0.15], [0.15, 2]);
      const fresh = app.executors.map((e) => ({
        ...e,
        id: `${Number(e.id) + 100}`,
        addedMs: Math.round(last + wait),
      }));
      for (const executor of app.executors) {
        executor.removedMs = Math.round(last - 1);
        executor.reason = "Executor killed by driver.";
      }
      app.executors.push(...fresh);
    },
  },
  {
    cause: "driver-collect",
    plant(app, random) {
      const { endMs } = runApplication(app);
      const target = mainJob(app).stages.at(-1);
      if (!target) return;
      const fetch = endMs * across(random, 0.2, [0.01, 0.15], [0.15, 2]);
      const big = random.between(200, 900) * MIB;
      for (const task of target.tasks) task.resultBytes = big / target.tasks.length;
      if (random.chance(0.5)) target.completionDelayMs = fetch;
      else for (const task of target.tasks) task.fetchResultMs = fetch * random.between(0.9, 1);
    },
  },
  {
    cause: "join-strategy",
    byNature: (app) => smallSideBytes(app) < 10 * MIB,
    prepare(app, random) {
      app.properties["spark.sql.autoBroadcastJoinThreshold"] = "-1";
      const slots = slotsOf(app);
      const left = stage(0, "scan", [], scanTasks(random, 3 * slots));
      const right = stage(1, "scan small", [], scanTasks(random, slots));
      const join = stage(2, "join", [0, 1], reduceTasks(random, 4 * slots, [left, right]));
      for (const task of join.tasks) task.runMs *= 2;
      const plan = {
        name: "SortMergeJoin",
        text: "SortMergeJoin [k#1], [k#9], Inner",
        children: [
          exchange(`hashpartitioning(k#1, ${4 * slots})`, scanPlan()),
          exchange(`hashpartitioning(k#9, ${4 * slots})`, scanPlan()),
        ],
      };
      app.jobs = [{ gapBeforeMs: 100, stages: [left, right, join], plan, failure: null }];
    },
    plant(app, random) {
      const bytes = across(random, 0.3, [4 * MIB, 600 * MIB], [2000, 8 * MIB]);
      const small = app.jobs[0]?.stages.find((s) => s.id === 1);
      for (const task of small?.tasks ?? []) {
        task.inputBytes = bytes / (small?.tasks.length ?? 1);
        task.inputRecords = task.inputBytes / 50;
        task.writtenBytes = task.inputBytes * 0.9;
        task.writtenRecords = task.inputRecords;
        task.runMs = 700;
        task.cpuMs = 500;
      }
    },
  },
  {
    cause: "cache-incomplete",
    byNature: (app) =>
      app.jobs.some((j) =>
        j.stages.some((s) => s.cached !== null && s.cached.cachedPartitions < s.cached.partitions),
      ),
    prepare(app, random) {
      const partitions = 2 * slotsOf(app);
      const id = Math.max(...app.jobs.flatMap((j) => j.stages.map((s) => s.id))) + 1;
      const cached = {
        id: 7,
        name: "In-memory table features",
        partitions,
        cachedPartitions: partitions,
        useDisk: random.chance(0.4),
        logsBlocks: true,
      };
      for (let i = 0; i < 3; i++) {
        const reader = stage(
          id + i,
          "read cache",
          [],
          Array.from({ length: partitions }, () => plainTask(random, random.between(2000, 4000))),
        );
        reader.cached = { ...cached };
        app.jobs.push({ gapBeforeMs: 100, stages: [reader], plan: null, failure: null });
      }
    },
    plant(app, random) {
      const missing = across(random, 0.2, [0.001, 0.1], [0.1, 0.8]);
      for (const s of app.jobs.flatMap((j) => j.stages)) {
        if (!s.cached) continue;
        s.cached.cachedPartitions = Math.round(s.cached.partitions * (1 - missing));
        for (const task of someTasks(s, random, s.cached.partitions - s.cached.cachedPartitions))
          slower(task, random.between(1.2, 1.7));
      }
    },
  },
  {
    cause: "serialization",
    plant(app, random) {
      const share = across(random, 0.12, [0.02, 0.13], [0.13, 0.7]);
      for (const task of mainStage(app).tasks) task.deserializeMs = (task.runMs * share) / (1 - share);
    },
  },
  {
    cause: "streaming-lag",
    byNature: (app) => app.load > 1,
    prepare: (app, random) => makeStreaming(app, random, 0.6),
    plant: (app, random) => makeStreaming(app, random, across(random, 0.25, [0.5, 1.15], [1.15, 1.6])),
  },
  {
    cause: "late-data-dropped",
    byNature: (app) => app.batches.some((b) => Math.round(b.dropped) > 0),
    prepare: (app, random) => makeStreaming(app, random, 0.6),
    plant(app, random) {
      const rows = across(random, 0.3, [0.05, 2], [1, 5000]);
      for (const batch of app.batches) if (random.chance(0.4)) batch.dropped = rows;
    },
  },
  {
    cause: "failure",
    byNature: (app) => app.jobs.at(-1)?.failure !== null,
    plant(app, random) {
      const text = random.pick([
        "Job aborted due to stage failure: Task 3 in stage 1.0 failed 4 times, most recent failure: Lost task 3.3 in stage 1.0: java.lang.OutOfMemoryError: Java heap space",
        "Job aborted due to stage failure: Task not serializable: java.io.NotSerializableException: com.example.Client",
        "Job aborted due to stage failure: ResultStage 4 has failed the maximum allowable number of times: 4. Most recent failure reason: org.apache.spark.shuffle.FetchFailedException",
      ]);
      const last = app.jobs.at(-1);
      if (last) last.failure = text;
    },
  },
];

function plantGc(app: AppSpec, random: Random): void {
  const share = across(random, 0.12, [0.02, 0.15], [0.2, 0.6]);
  for (const task of mainStage(app).tasks) {
    const work = task.runMs - task.gcMs;
    task.runMs = work / (1 - share * random.between(0.9, 1.1));
    task.gcMs = task.runMs - work;
  }
}

function smallSideBytes(app: AppSpec): number {
  const small = app.jobs.flatMap((j) => j.stages).find((s) => s.name === "scan small");
  return (small?.tasks ?? []).reduce((sum, t) => sum + t.writtenBytes, 0);
}

/** A query with a trigger of 10 s and one job a batch; load: rows that arrive / rows it can process. */
function makeStreaming(app: AppSpec, random: Random, load: number): void {
  const trigger = 10_000;
  const batches = random.integer(12, 18);
  const slots = slotsOf(app);
  const capacity = 1000;
  app.load = load;
  app.jobs = [];
  app.batches = [];
  let now = 0;
  let arrivedUntil = -trigger;
  for (let i = 0; i < batches; i++) {
    const rows = (now - arrivedUntil) * load * random.noise(0.08);
    const duration = Math.max(500, rows);
    const gap = i === 0 ? now : Math.max(20, now - previousEnd(app));
    app.batches.push({
      triggerMs: now,
      durationMs: duration,
      rows: (rows * capacity) / 1000,
      inputRate: ((rows * capacity) / 1000 / Math.max(1, now - arrivedUntil)) * 1000,
      processRate: ((rows * capacity) / 1000 / duration) * 1000,
      dropped: 0,
    });
    const tasks = Array.from({ length: slots }, () =>
      plainTask(random, duration * 0.93 * random.noise(0.02)),
    );
    app.jobs.push({ gapBeforeMs: gap, stages: [stage(i, "batch", [], tasks)], plan: null, failure: null });
    arrivedUntil = now;
    now = Math.max(now + trigger, now + duration + 20);
  }
}

/** End of the last batch. */
function previousEnd(app: AppSpec): number {
  const last = app.batches.at(-2) ?? app.batches.at(-1);
  const run = runApplication({ ...app, batches: [] });
  return last ? run.endMs - 20 : 0;
}
