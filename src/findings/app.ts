import type { StageTasks } from "../queries/stage-tasks.ts";
import { type Interval, total, union } from "../stats/intervals.ts";
import { type NumberColumn, narrowed } from "../stats/number-column.ts";
import type { ExecutorFact, Facts, JobFact, StageFact } from "./facts.ts";
import { stageKey } from "./facts.ts";
import { FactsIndex } from "./facts-index.ts";
import { type FailureSummary, summarizeFailures } from "./failures.ts";
import { groupBy } from "./group-by.ts";
import type { Limits } from "./limits.ts";
import { Settings } from "./settings.ts";
import { type StageView, viewStage } from "./stage-view.ts";
import { sampleTasks, type TaskSample } from "./task-sample.ts";
import { measureWallClock, type WallClock } from "./wall-clock.ts";
import { WorkerSlots } from "./worker-slots.ts";

/** The stage that the checks look at. */
export interface Target {
  stage: StageFact;
  /** Jobs of one root SQL execution count as one job. */
  jobIds: number[];
  rootExecutionId: number | null;
  jobMs: number;
  /** A slower stage of another job, if there is one. */
  slowerElsewhere: StageFact | null;
}

/** One application, with what all causes share. Built once a diagnosis; nothing in it changes after. */
export class App {
  readonly facts: Facts;
  readonly limits: Limits;
  readonly settings: Settings;
  readonly index: FactsIndex;
  /** null: nothing in the log has two times. */
  readonly wall: WallClock | null;
  readonly target: Target | null;
  readonly #views = new Map<string, StageView>();
  readonly #samples = new WeakMap<StageTasks, TaskSample>();
  #failures: FailureSummary | null = null;
  readonly #slotTimes = new Map<number | null, WorkerSlots>();
  readonly #lastLife: ReadonlyMap<string, ExecutorFact>;
  readonly #lastAddedOf = new Map<string, number>();
  #lastAdded = 0;
  readonly #taskCpus = new Map<number | null, number>();
  /** First launches of all stages, in order. */
  readonly #firstLaunches: Float64Array;

  constructor(facts: Facts, limits: Limits) {
    this.facts = facts;
    this.limits = limits;
    this.settings = new Settings(facts);
    this.index = new FactsIndex(facts);
    this.wall = measureWallClock(facts, limits);
    this.#firstLaunches = Float64Array.from(
      facts.stages.flatMap((stage) => stage.first_task_launched_time_ms ?? []),
    ).sort();
    this.#lastLife = new Map(facts.executors.map((e) => [e.executor_id, e]));
    for (const { executor_id, added_time_ms } of facts.executors) {
      const added = Math.max(this.#lastAddedOf.get(executor_id) ?? 0, added_time_ms ?? 0);
      this.#lastAddedOf.set(executor_id, added);
      this.#lastAdded = Math.max(this.#lastAdded, added);
    }
    this.target = findTarget(facts, this.wall?.endMs ?? null);
  }

  /** Wall clock that is judged, ms; 0 where it is unknown. */
  get windowMs(): number {
    return this.wall?.windowMs ?? 0;
  }

  /** Failed and killed attempts, gone through when first asked for. */
  get failures(): FailureSummary {
    this.#failures ??= summarizeFailures(this.facts.failures);
    return this.#failures;
  }

  view(stage: StageFact): StageView {
    const key = stageKey(stage);
    const known = this.#views.get(key);
    if (known) return known;
    const view = viewStage(this, stage);
    this.#views.set(key, view);
    return view;
  }

  /** The sample of a stage's tasks, made once for as long as they are held; null where they were not read. */
  sampleOf(key: string): TaskSample | null {
    const tasks = this.facts.tasks.get(key);
    if (!tasks) return null;
    const known = this.#samples.get(tasks) ?? sampleTasks(tasks);
    this.#samples.set(tasks, known);
    return known;
  }

  /** CPUs that one task of a resource profile asks for. */
  taskCpus(resourceProfileId: number | null): number {
    const known = this.#taskCpus.get(resourceProfileId);
    if (known !== undefined) return known;
    const asked = this.facts.resourceProfiles.find(
      (r) => r.resource_profile_id === resourceProfileId && r.kind === "task" && r.resource === "cpus",
    )?.amount;
    const cpus = asked ?? this.settings.number("spark.task.cpus") ?? 1;
    const sane = cpus > 0 ? cpus : 1;
    this.#taskCpus.set(resourceProfileId, sane);
    return sane;
  }

  /** Tasks that an executor runs at once, in its last life; 1 where its cores are unknown. */
  readonly slotsOf = (executorId: string): number => {
    const executor = this.#lastLife.get(executorId);
    return executor ? Math.max(1, this.#slots(executor)) : 1;
  };

  /** Which executors joined a running application after the stage before this one had begun; null: none did. */
  freshExecutors(stage: StageFact): ((executorId: string) => boolean) | null {
    const began = stage.first_task_launched_time_ms;
    if (began === null) return null;
    const before = lastBelow(this.#firstLaunches, began) ?? began;
    return this.#lastAdded > before ? (id) => (this.#lastAddedOf.get(id) ?? 0) > before : null;
  }

  /** Tasks that could run at once, averaged over the time in which tasks of the stage ran; at least 1. */
  slotsDuring(stage: StageFact): number {
    const from = stage.first_task_launched_time_ms ?? stage.submission_time_ms;
    const to = stage.last_task_finished_time_ms ?? stage.completion_time_ms;
    if (from === null || to === null) return this.peakSlots(stage.resource_profile_id);
    const average = this.#slotsOver(stage.resource_profile_id).average(from, Math.max(to, from + 1));
    return Math.max(1, average > 0 ? average : this.#mostRunning(stage));
  }

  /** Most slots at one moment up to a time, of one resource profile. */
  peakSlots(resourceProfileId: number | null, untilMs: number = Number.POSITIVE_INFINITY): number {
    return Math.max(1, this.#slotsOver(resourceProfileId).peak(untilMs));
  }

  #slotsOver(resourceProfileId: number | null): WorkerSlots {
    const known = this.#slotTimes.get(resourceProfileId);
    if (known) return known;
    const lives = this.#workers(resourceProfileId).map((e) => ({
      addedMs: e.added_time_ms,
      removedMs: e.removed_time_ms,
      slots: this.#slots(e),
    }));
    // Where the clock went back between the two, there is no time to speak of.
    const sane = lives.filter(({ addedMs, removedMs }) => (removedMs ?? Infinity) >= (addedMs ?? -Infinity));
    const made = new WorkerSlots(sane);
    this.#slotTimes.set(resourceProfileId, made);
    return made;
  }

  /** Executors that tasks of a profile may run on. The driver counts in local mode only, where it runs the tasks. */
  #workers(resourceProfileId: number | null): ExecutorFact[] {
    return this.facts.executors.filter(
      (e) =>
        (e.executor_id !== "driver" || e.completed_tasks + e.failed_tasks + e.killed_tasks > 0) &&
        (resourceProfileId === null ||
          e.resource_profile_id === null ||
          e.resource_profile_id === resourceProfileId),
    );
  }

  #slots(executor: ExecutorFact): number {
    const cpus = this.taskCpus(executor.resource_profile_id);
    return executor.total_cores === null ? 0 : Math.floor(executor.total_cores / cpus + 1e-9);
  }

  /** Most tasks of the stage at one moment: stands in where no executor event is in the log. */
  #mostRunning(stage: StageFact): number {
    const tasks = this.facts.tasks.get(stageKey(stage));
    if (!tasks) return 1;
    const began = stage.first_task_launched_time_ms ?? 0;
    const launches = sortedSince(began, tasks.columns.launch_time_ms);
    const ends = sortedSince(began, tasks.columns.finish_time_ms);
    let ended = 0;
    let most = 1;
    for (let launched = 0; launched < launches.length; launched++) {
      while (ended < ends.length && (ends[ended] ?? 0) <= (launches[launched] ?? 0)) ended++;
      most = Math.max(most, launched + 1 - ended);
    }
    return most;
  }
}

interface JobGroup {
  jobs: JobFact[];
  rootExecutionId: number | null;
  ms: number;
}

/** The slowest stage, by own time, of the longest job; jobs of one root SQL execution are one job. */
export function findTarget(facts: Facts, endMs: number | null): Target | null {
  const groups = groupJobs(facts.jobs, endMs).sort((a, b) => b.ms - a.ms);
  const slowest = slowestOf(facts.stages);
  for (const group of groups) {
    const ids = new Set(group.jobs.flatMap((job) => job.stage_ids));
    const stage = slowestOf(facts.stages.filter((s) => ids.has(s.stage_id)));
    if (!stage) continue;
    return {
      stage,
      jobIds: group.jobs.map((job) => job.job_id),
      rootExecutionId: group.rootExecutionId,
      jobMs: group.ms,
      slowerElsewhere: slowest && slowest !== stage && !ids.has(slowest.stage_id) ? slowest : null,
    };
  }
  return slowest
    ? { stage: slowest, jobIds: [], rootExecutionId: null, jobMs: 0, slowerElsewhere: null }
    : null;
}

function groupJobs(jobs: readonly JobFact[], endMs: number | null): JobGroup[] {
  const groups = groupBy(jobs, (job) => {
    const root = job.root_execution_id ?? job.execution_id;
    return root === null ? `job ${job.job_id}` : `execution ${root}`;
  });
  return [...groups.values()].map((members) => ({
    jobs: members,
    rootExecutionId: members[0]?.root_execution_id ?? members[0]?.execution_id ?? null,
    ms: total(union(...members.map((job) => jobSpan(job, endMs)))),
  }));
}

function jobSpan(job: JobFact, endMs: number | null): Interval[] {
  const end = job.completion_time_ms ?? endMs;
  return job.submission_time_ms === null || end === null
    ? []
    : [{ startMs: job.submission_time_ms, endMs: end }];
}

/** Stages with tasks only; of equals the first. */
function slowestOf(stages: readonly StageFact[]): StageFact | null {
  return stages.reduce<StageFact | null>(
    (slowest, stage) => ((stage.own_time_ms ?? 0) > (slowest?.own_time_ms ?? 0) ? stage : slowest),
    null,
  );
}

/** Times from a moment on, in order. They fit half the space where they are weeks. */
function sortedSince(startMs: number, times: NumberColumn): NumberColumn {
  return narrowed(Float64Array.from(times, (ms) => ms - startMs)).sort();
}

/** The largest of sorted numbers that is below one; null: none is. */
function lastBelow(sorted: Float64Array, limit: number): number | null {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1] ?? null;
}
