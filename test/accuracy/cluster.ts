import type { AppSpec, ExecutorSpec, JobSpec, StageSpec, TaskSpec } from "./application.ts";
import { Random } from "./random.ts";

/** One attempt of a task as it went. Times are ms after the start of the application. */
export interface Attempt {
  taskId: number;
  index: number;
  attempt: number;
  executor: ExecutorSpec;
  launchMs: number;
  /** The slot is free again. */
  workedUntilMs: number;
  finishMs: number;
  status: "success" | "failed" | "lost";
  runMs: number;
  spec: TaskSpec;
}

export interface StageRun {
  stage: StageSpec;
  submittedMs: number;
  completedMs: number;
  attempts: Attempt[];
}

export interface JobRun {
  job: JobSpec;
  jobId: number;
  submittedMs: number;
  completedMs: number;
  stages: StageRun[];
}

export interface AppRun {
  jobs: JobRun[];
  endMs: number;
}

/** Runs an application on its executors: first free slot of a shuffled list, stages as soon as their parents are done. */
export function runApplication(app: AppSpec): AppRun {
  const random = new Random(app.seed ^ 0x5bd1e995);
  const jobs: JobRun[] = [];
  let now = 0;
  let nextTask = 0;
  app.jobs.forEach((job, jobId) => {
    now += job.gapBeforeMs;
    const run = new JobScheduler(app, job, now, nextTask, random).run();
    nextTask = run.nextTask;
    const completedMs = Math.max(...run.stages.map((s) => s.completedMs));
    jobs.push({ job, jobId, submittedMs: now, completedMs, stages: run.stages });
    now = completedMs;
  });
  return { jobs, endMs: now + 20 };
}

interface Pending {
  run: StageRun;
  index: number;
  attempt: number;
}

interface Slot {
  executor: ExecutorSpec;
  freeMs: number;
}

class JobScheduler {
  readonly #app: AppSpec;
  readonly #random: Random;
  readonly #slots: Slot[];
  readonly #stages: StageRun[];
  readonly #waiting: Set<StageRun>;
  readonly #pending: Pending[] = [];
  readonly #running: { attempt: Attempt; pending: Pending }[] = [];
  readonly #left = new Map<StageRun, number>();
  #now: number;
  #nextTask: number;

  constructor(app: AppSpec, job: JobSpec, startMs: number, nextTask: number, random: Random) {
    this.#app = app;
    this.#random = random;
    this.#now = startMs;
    this.#nextTask = nextTask;
    this.#slots = app.executors.flatMap((executor) =>
      Array.from({ length: executor.cores }, () => ({ executor, freeMs: executor.addedMs })),
    );
    this.#stages = job.stages.map((stage) => ({ stage, submittedMs: -1, completedMs: -1, attempts: [] }));
    this.#waiting = new Set(this.#stages);
  }

  run(): { stages: StageRun[]; nextTask: number } {
    this.#submitReady();
    while (this.#waiting.size > 0 || this.#pending.length > 0 || this.#running.length > 0) {
      this.#launch();
      this.#step();
    }
    return { stages: this.#stages, nextTask: this.#nextTask };
  }

  #submitReady(): void {
    for (const run of this.#waiting) {
      const parents = this.#stages.filter((other) => run.stage.parents.includes(other.stage.id));
      if (!parents.every((parent) => parent.completedMs >= 0 && parent.completedMs <= this.#now)) continue;
      this.#waiting.delete(run);
      run.submittedMs = this.#now;
      this.#left.set(run, run.stage.tasks.length);
      for (const index of run.stage.tasks.keys()) this.#pending.push({ run, index, attempt: 0 });
    }
  }

  #isAlive(executor: ExecutorSpec): boolean {
    return executor.addedMs <= this.#now && (executor.removedMs === null || executor.removedMs > this.#now);
  }

  #launch(): void {
    const free = this.#slots.filter((slot) => slot.freeMs <= this.#now && this.#isAlive(slot.executor));
    while (free.length > 0 && this.#pending.length > 0) {
      const [slot] = free.splice(this.#random.integer(0, free.length - 1), 1);
      const next = this.#pending.shift();
      if (!slot || !next) return;
      this.#start(slot, next);
    }
  }

  #start(slot: Slot, pending: Pending): void {
    const spec = pending.run.stage.tasks[pending.index];
    if (!spec) return;
    const { host, removedMs } = slot.executor;
    const slow = this.#app.slowHosts[host] ?? 1;
    const fails = pending.attempt < spec.failures && (spec.failsOn === null || spec.failsOn === host);
    const runMs = Math.round(spec.runMs * slow * (fails ? 0.7 : 1));
    const works = Math.round(spec.deserializeMs + runMs + spec.serializeMs + spec.delayMs);
    const lost = removedMs !== null && removedMs < this.#now + works;
    const workedUntilMs = lost ? removedMs : this.#now + works;
    slot.freeMs = workedUntilMs;
    const attempt: Attempt = {
      taskId: this.#nextTask++,
      index: pending.index,
      attempt: pending.attempt,
      executor: slot.executor,
      launchMs: this.#now,
      workedUntilMs,
      finishMs: workedUntilMs + (lost || fails ? 0 : Math.round(spec.fetchResultMs)),
      status: lost ? "lost" : fails ? "failed" : "success",
      runMs,
      spec,
    };
    pending.run.attempts.push(attempt);
    this.#running.push({ attempt, pending });
  }

  /** Goes on to the next moment at which something changes. */
  #step(): void {
    const moments = [
      ...this.#running.map(({ attempt }) => attempt.workedUntilMs),
      ...this.#running.map(({ attempt }) => attempt.finishMs),
      ...(this.#pending.length > 0 ? this.#app.executors.map((e) => e.addedMs) : []),
      ...this.#stages.filter((s) => s.completedMs > this.#now).map((s) => s.completedMs),
    ].filter((ms) => ms > this.#now);
    if (moments.length === 0) throw new Error("the application cannot go on: no executor is left");
    this.#now = moments.reduce((a, b) => Math.min(a, b));
    for (let i = this.#running.length - 1; i >= 0; i--) {
      const running = this.#running[i];
      if (running && running.attempt.finishMs <= this.#now) {
        this.#running.splice(i, 1);
        this.#end(running.attempt, running.pending);
      }
    }
    this.#submitReady();
  }

  #end(attempt: Attempt, pending: Pending): void {
    if (attempt.status !== "success") {
      this.#pending.unshift({ ...pending, attempt: pending.attempt + 1 });
      return;
    }
    const left = (this.#left.get(pending.run) ?? 1) - 1;
    this.#left.set(pending.run, left);
    if (left === 0) pending.run.completedMs = this.#now + 5 + Math.round(pending.run.stage.completionDelayMs);
  }
}
