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
  /** What is drawn and where its limit lies; null: the fault is there or not. */
  limit: string | null;
  /** The label does not ask what the fault cost: rows are dropped or not, a query keeps up or does not. */
  byNature?: (app: AppSpec) => boolean;
  /** @param over magnitude / limit */
  prepare?(app: AppSpec, random: Random, over: number): void;
  plant(app: AppSpec, random: Random, over: number): void;
}

/** A part of a whole whose odds are so many times those of the limit: it comes close to 1 and never passes it. */
function shareOver(limit: number, over: number): number {
  const odds = (over * limit) / (1 - limit);
  return odds / (1 + odds);
}

/** Time that makes up so much of a run: idle time of the limit's share of the wall clock at over = 1. */
function addedTime(runMs: number, limit: number, over: number): number {
  const share = shareOver(limit, over);
  return (runMs * share) / (1 - share);
}

/** What a fault costs, of the wall clock, from which it counts. */
const COST = 0.05;
const IDLE = 0.1;

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
    limit: "the hot tasks' work / the usual, less 1: 1",
    plant(app, random, over) {
      const target = mainStage(app);
      const hot = someTasks(target, random, random.integer(1, 3));
      // The same rows, unevenly spread: what the hot tasks have more, the others have less.
      const all = target.tasks.length;
      for (const task of target.tasks) grow(task, all / (all + hot.length * over));
      for (const task of hot) {
        grow(task, (1 + over) * random.between(0.9, 1.1));
        if (over > 3 && random.chance(0.5)) {
          task.spillMemory = 4e9;
          task.spillDisk = 1e9;
          task.gcMs = task.runMs * 0.2;
        }
      }
    },
  },
  {
    cause: "stragglers",
    limit: "the held-up tasks' time / the usual, less 1: 1",
    plant(app, random, over) {
      const target = mainStage(app);
      const factor = 1 + over;
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
    limit: "task time on the host / elsewhere, less 1: 1",
    plant(app, random, over) {
      const host = random.pick(app.executors).host;
      app.slowHosts[host] = 1 + over;
    },
  },
  {
    cause: "shuffle-volume",
    limit: "rows written / read, less 1: 1",
    prepare(app) {
      for (const s of mainJob(app).stages.filter((w) => !readsShuffle(w)))
        for (const task of s.tasks) task.writtenRecords = task.inputRecords;
    },
    plant(app, random, over) {
      const job = mainJob(app);
      const reader = job.stages.find(readsShuffle);
      // A copy of a row is short: it costs a part of what the row itself did.
      const [writing, reading] = [random.between(0.04, 0.12), random.magnitude(0.1, 0.3)];
      for (const s of job.stages.filter((w) => reader?.parents.includes(w.id))) {
        for (const task of s.tasks) {
          task.writtenRecords *= 1 + over;
          task.writtenBytes *= 1 + over;
          slower(task, 1 + writing * over);
        }
      }
      for (const task of reader?.tasks ?? []) {
        task.shuffleRecords *= 1 + over;
        task.shuffleBytes *= 1 + over;
        slower(task, 1 + reading * over);
      }
      job.plan = aggregatePlan(reader?.tasks.length ?? 1, {
        name: "Generate",
        text: "Generate explode(tags#6), [k#1], false, [tag#7]",
        children: [scanPlan()],
      });
    },
  },
  {
    cause: "too-few-partitions",
    limit: "shuffle bytes of a task: 128 MiB",
    prepare(app, random, over) {
      const target = mainStage(app, readsShuffle);
      const bytes = 128 * MIB * over;
      const slots = slotsOf(app);
      recut(target, random, 6 * slots);
      const count = slots * random.integer(2, 3);
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
      // Rows take a bit more than twice their shuffled size in memory, of which a task has 300 to 450 MiB.
      const [memory, growth] = [random.between(300, 450) * MIB, random.between(2, 2.3)];
      for (const task of target.tasks) {
        const need = task.shuffleBytes * growth;
        if (need <= memory) continue;
        task.spillMemory = need;
        task.spillDisk = need / 4;
        // A buffer that cannot grow is written out whole: the first byte too many costs half of it.
        slower(task, 1 + random.between(0.5, 0.7) * Math.min(1, need / memory - 0.5));
      }
    },
  },
  {
    cause: "too-many-small-tasks",
    limit: "tasks of the stage: 1,000",
    prepare(app, random) {
      // On a small cluster: a large one hands out as many tasks in less time than matters.
      app.executors.splice(8);
      app.properties["spark.executor.cores"] = "2";
      for (const executor of app.executors) executor.cores = 2;
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
    plant(app, random, over) {
      const target =
        mainJob(app).stages.find((s) => s.parents.length === 0 && s.tasks.length === 3 * slotsOf(app)) ??
        mainStage(app);
      const overhead = random.between(15, 50);
      recut(target, random, Math.max(3 * slotsOf(app), Math.round(1000 * over)));
      for (const task of target.tasks) {
        task.runMs += random.between(3, 12);
        task.deserializeMs = random.between(1, 3);
        task.delayMs = overhead * random.noise(0.2);
      }
    },
  },
  {
    cause: "under-parallelism",
    limit: "slots / tasks: 2",
    plant(app, random, over) {
      const slots = slotsOf(app);
      const few = slots / (2 * over);
      // More than one wave is a whole number of them: a last wave of a few tasks would be another matter.
      const count = few < slots ? Math.round(few) : slots * Math.round(few / slots);
      const target = mainStage(app);
      if (count < target.tasks.length) recut(target, random, Math.max(1, count));
    },
  },
  {
    cause: "single-partition",
    limit: "its cost, of the wall clock: 5 %",
    plant(app, random, over) {
      const work = addedTime(runApplication(app).endMs, COST, over);
      const job = mainJob(app);
      const last = job.stages.at(-1);
      const share = Math.min(1, 0.1 * over);
      const id = Math.max(...app.jobs.flatMap((j) => j.stages.map((s) => s.id))) + 1;
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
    limit: "part of the tasks that spill: 20 %",
    plant(app, random, over) {
      const target = mainStage(app, readsShuffle);
      const share = Math.min(1, 0.2 * over);
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
  {
    cause: "gc-pressure",
    limit: "GC / run time: 10 %",
    plant: plantGc,
  },
  {
    cause: "gc-pressure-cache",
    limit: "GC / run time: 10 %",
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
    plant: plantGc,
  },
  {
    cause: "shuffle-fetch-wait",
    limit: "fetch wait / run time: 20 %",
    plant(app, random, over) {
      const share = shareOver(0.2, over);
      for (const task of mainStage(app, readsShuffle).tasks) {
        const work = task.runMs - task.fetchWaitMs;
        const waited = work / (1 - share * random.between(0.9, 1.1));
        if (waited > task.runMs) Object.assign(task, { runMs: waited, fetchWaitMs: waited - work });
      }
    },
  },
  {
    cause: "python-transport",
    limit: "time in Python / CPU time of the JVM: 0.2",
    plant(app, random, over) {
      const job = mainJob(app);
      const target = mainStage(app);
      for (const task of target.tasks) {
        task.runMs += task.cpuMs * 0.2 * over * random.noise(0.05);
        task.metrics[900] = Math.round(random.between(20, 60) * MIB);
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
    limit: "work done twice, of all: 5 %",
    plant(app, random, over) {
      const target = mainStage(app);
      const all = app.jobs
        .flatMap((j) => j.stages.flatMap((s) => s.tasks))
        .reduce((sum, t) => sum + t.runMs, 0);
      // Either attempts fail on one host only, or here and there.
      const host = random.chance(0.3) ? random.pick(app.executors).host : null;
      let again = all * shareOver(COST, over) * (host === null ? 1 : app.executors.length);
      while (again > 0) {
        const task = random.pick(target.tasks);
        if (task.failures >= 3) break;
        task.failures++;
        task.failsOn = host;
        again -= 0.7 * task.runMs;
      }
    },
  },
  {
    cause: "executor-loss",
    limit: "its cost, of the wall clock: 5 %",
    plant(app, random, over) {
      const { endMs } = runApplication(app);
      const all = app.executors.length;
      const later = addedTime(endMs, COST, over) / endMs;
      // The work that is left then takes all / (all - lost) times as long.
      const fewest = Math.ceil((later * all) / (0.9 + later));
      const lost = random.integer(Math.max(1, fewest), Math.max(1, fewest, Math.floor(0.7 * all)));
      const at = (1 - Math.min(0.95, (later * (all - lost)) / lost)) * endMs;
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
    limit: "waiting for storage beyond what leaves the CPU half of the run time: 1",
    prepare(app, random) {
      const target = mainStage(app, (s) => !readsShuffle(s));
      const cpu = random.between(0.55, 0.68);
      for (const task of target.tasks) {
        task.cpuMs = task.runMs * cpu;
        task.writtenBytes = task.inputBytes * 0.02;
        task.writtenRecords = task.inputRecords * 0.02;
      }
    },
    plant(app, random, over) {
      for (const task of mainStage(app, (s) => !readsShuffle(s)).tasks)
        task.runMs += Math.max(0, 2 * task.cpuMs - task.runMs) * over * random.noise(0.05);
    },
  },
  {
    cause: "driver-gap",
    limit: "idle time, of the wall clock: 10 %",
    plant(app, random, over) {
      const { endMs } = runApplication(app);
      const job = app.jobs.length > 1 && random.chance(0.6) ? random.pick(app.jobs.slice(1)) : undefined;
      const gap = addedTime(endMs, IDLE, over);
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
    limit: "idle time, of the wall clock: 10 %",
    prepare(app, random) {
      const id = Math.max(...app.jobs.flatMap((j) => j.stages.map((s) => s.id))) + 1;
      const scan = stage(id, "scan", [], scanTasks(random, 2 * slotsOf(app)));
      app.jobs.push({ gapBeforeMs: 200, stages: [scan], plan: null, failure: null });
    },
    plant(app, _random, over) {
      const run = runApplication(app);
      const last = run.jobs.at(-1)?.submittedMs ?? run.endMs;
      const wait = addedTime(run.endMs, IDLE, over);
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
    limit: "idle time, of the wall clock: 10 %",
    plant(app, random, over) {
      const { endMs } = runApplication(app);
      const target = mainJob(app).stages.at(-1);
      if (!target) return;
      const fetch = addedTime(endMs, IDLE, over);
      const big = random.between(200, 900) * MIB;
      for (const task of target.tasks) task.resultBytes = big / target.tasks.length;
      if (random.chance(0.5)) target.completionDelayMs = fetch;
      else for (const task of target.tasks) task.fetchResultMs = fetch * random.between(0.9, 1);
    },
  },
  {
    cause: "join-strategy",
    limit: "shuffled bytes of the small side, below: 10 MiB",
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
    plant(app, _random, over) {
      const bytes = (10 * MIB) / 0.9 / over;
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
    limit: "part that is missing: 5 %",
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
    plant(app, random, over) {
      const missing = shareOver(0.05, over);
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
    limit: "deserialization / task time: 10 %",
    plant(app, _random, over) {
      const share = shareOver(0.1, over);
      for (const task of mainStage(app).tasks) task.deserializeMs = (task.runMs * share) / (1 - share);
    },
  },
  {
    cause: "streaming-lag",
    limit: "rows that arrive / that can be processed, to the power of 4: 1",
    byNature: (app) => app.load > 1,
    prepare: (app, random) => makeStreaming(app, random, 0.6),
    plant: (app, random, over) => makeStreaming(app, random, over ** 0.25),
  },
  {
    cause: "late-data-dropped",
    limit: "rows dropped a batch: 1",
    byNature: (app) => app.batches.some((b) => Math.round(b.dropped) > 0),
    prepare: (app, random) => makeStreaming(app, random, 0.6),
    plant(app, random, over) {
      for (const batch of app.batches) if (random.chance(0.4)) batch.dropped = Math.floor(over ** 3);
    },
  },
  {
    cause: "failure",
    limit: null,
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

function plantGc(app: AppSpec, random: Random, over: number): void {
  const share = shareOver(0.1, over);
  for (const task of mainStage(app).tasks) {
    const work = task.runMs - task.gcMs;
    const withGc = work / (1 - share * random.between(0.9, 1.1));
    if (withGc > task.runMs) Object.assign(task, { runMs: withGc, gcMs: withGc - work });
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
