import type { AppSpec } from "./application.ts";
import { exchange, plainTask, scanPlan, slotsOf, stage } from "./base.ts";
import { runApplication } from "./cluster.ts";
import type { Random } from "./random.ts";

/** Healthy runs that look like a fault at first sight. Each does something that costs (next to) nothing. */
export const LOOK_ALIKES: readonly ((app: AppSpec, random: Random) => void)[] = [
  () => undefined,
  // A ratio of 10 and more in a stage of a fraction of a second.
  (app, random) => {
    const tasks = Array.from({ length: slotsOf(app) }, () => plainTask(random, 12));
    const hot = tasks[0];
    if (hot) Object.assign(hot, { runMs: 300, inputBytes: 40e6 });
    append(app, "tiny skewed", tasks);
  },
  // The first wave of fresh executors is slow.
  (app, random) => {
    const target = app.jobs[0]?.stages[0];
    target?.tasks.slice(0, slotsOf(app)).forEach((task) => {
      task.deserializeMs = random.between(300, 700);
    });
  },
  // Executors that dynamic allocation releases when the work is done.
  (app) => {
    const { endMs } = runApplication(app);
    app.executors.slice(1).forEach((e) => {
      e.removedMs = endMs + 1;
      e.reason = "Executor killed by driver.";
    });
  },
  // Most partitions empty, the others even.
  (app, random) => {
    const target = app.jobs.at(-1)?.stages.at(-1);
    const empty = Array.from({ length: 2 * (target?.tasks.length ?? 0) }, () => ({
      ...plainTask(random, random.between(10, 30)),
    }));
    target?.tasks.push(...empty);
  },
  // A shell: minutes between its jobs are its user's.
  (app, random) => {
    app.properties["spark.repl.class.uri"] = "spark://driver:1/classes";
    for (const job of app.jobs) job.gapBeforeMs += random.between(30_000, 300_000);
  },
  // Bytes grow by encoding, rows do not.
  (app) => {
    for (const task of app.jobs[0]?.stages[0]?.tasks ?? []) task.writtenBytes = task.inputBytes * 3;
  },
  // Several hundred tasks of 200 ms.
  (app, random) => {
    append(
      app,
      "short tasks",
      Array.from({ length: 8 * slotsOf(app) }, () => plainTask(random, random.between(150, 250))),
    );
  },
  // A handful of attempts failed and were run again.
  (app, random) => {
    for (const task of app.jobs[0]?.stages[0]?.tasks.slice(0, 2) ?? []) {
      task.failures = 1;
      task.runMs *= random.between(0.3, 0.5);
    }
  },
  // A final stage with one short task behind a single partition.
  (app, random) => {
    append(app, "count", [{ ...plainTask(random, 150), shuffleBytes: 20_000, shuffleRecords: 200 }]);
    const job = app.jobs.at(-1);
    if (job)
      job.plan = {
        name: "HashAggregate",
        text: "HashAggregate(keys=[], functions=[count(1)])",
        children: [exchange("SinglePartition", scanPlan())],
      };
  },
  // A cached table that fits, seen in block updates.
  (app) => {
    const target = app.jobs.at(-1)?.stages[0];
    if (target)
      target.cached = {
        id: 9,
        name: "In-memory table small",
        partitions: target.tasks.length,
        cachedPartitions: target.tasks.length,
        useDisk: false,
        logsBlocks: true,
      };
  },
  // Python that does little.
  (app) => {
    const job = app.jobs[0];
    for (const task of job?.stages[0]?.tasks ?? []) {
      task.cpuMs = task.runMs * 0.75;
      task.metrics[901] = 400_000;
    }
    if (job)
      job.plan = {
        name: "ArrowEvalPython",
        text: "ArrowEvalPython [f(v#2)], [pythonUDF0#5], 200",
        children: [job.plan ?? scanPlan()],
        metrics: [{ name: "data sent to Python workers", accumulatorId: 901, metricType: "size" }],
      };
  },
  // An executor lost when the work is done.
  (app) => {
    const { endMs } = runApplication(app);
    const last = app.executors.at(-1);
    if (last) Object.assign(last, { removedMs: Math.round(endMs - 10), reason: "worker lost" });
  },
  // A few tasks up to 1.8 times the median.
  (app, random) => {
    for (const task of app.jobs[0]?.stages[0]?.tasks.slice(0, 3) ?? [])
      task.runMs *= random.between(1.4, 1.7);
  },
  // Pauses of the driver that are short against the run.
  (app, random) => {
    const { endMs } = runApplication(app);
    for (const job of app.jobs) job.gapBeforeMs += (endMs * random.between(0.01, 0.05)) / app.jobs.length;
  },
  // An early job was cancelled, the last one ended well.
  (app, random) => {
    const target = app.jobs[0];
    if (app.jobs.length > 1 && target) target.failure = "Job 0 cancelled part of cancelled job group report";
    else
      append(
        app,
        "last",
        Array.from({ length: slotsOf(app) }, () => plainTask(random, 400)),
      );
  },
];

function append(app: AppSpec, name: string, tasks: ReturnType<typeof plainTask>[]): void {
  const id = Math.max(...app.jobs.flatMap((j) => j.stages.map((s) => s.id))) + 1;
  app.jobs.push({ gapBeforeMs: 100, stages: [stage(id, name, [], tasks)], plan: null, failure: null });
}
