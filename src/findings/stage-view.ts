import type { StageTasks } from "../queries/stage-tasks.ts";
import type { App } from "./app.ts";
import type { ExecutionFact, OperatorFact, StageFact, StageOperatorFact } from "./facts.ts";
import { stageKey } from "./facts.ts";
import { type Beside, measureTail, type Tail } from "./tail.ts";
import { elapsedMs, type TaskSample } from "./task-sample.ts";

interface Launched {
  launchMs: number;
  runMs: number;
}

/** One stage attempt with everything the causes ask about it, worked out once. */
export interface StageView {
  fact: StageFact;
  key: string;
  /** "stage 4", or "stage 4 (attempt 1)". */
  label: string;
  /** Share of the wall clock that is this stage's, ms. */
  ownMs: number;
  /** Tasks that could run at once, averaged over the time of the stage. */
  slots: number;
  /** null: its tasks were not loaded, or it has none. Read anew where others were looked at since. */
  readonly sample: TaskSample | null;
  tail: Tail | null;
  /** What shared the slots with it; null: nothing, as far as the log tells. */
  beside: Beside | null;
  executionId: number | null;
  execution: ExecutionFact | null;
  /** Operators that reported metrics from this stage's tasks. */
  operators: readonly StageOperatorFact[];
  /** Operators of the plan of its execution, cached plans left out. */
  plan: readonly OperatorFact[];
  /** Stages that wrote the shuffle it reads, as far as the log proves it. */
  feeders: readonly StageFact[];
  /** photon, gluten, comet, rapids or spark. */
  engine: string;
  readsCache: boolean;
  rddNames: string;
}

export function viewStage(app: App, fact: StageFact): StageView {
  const key = stageKey(fact);
  const { index } = app;
  const executionId = index.jobOfStage.get(fact.stage_id)?.execution_id ?? null;
  const { execution, plan } = executionOf(app, executionId);
  const operators = index.operatorsOfStage.get(key) ?? [];
  const rdds = index.rddsOfStage.get(key);
  const sample = app.sampleOf(key);
  const slots = app.slotsDuring(fact);
  const beside = sample ? besides(app, fact) : null;
  const ownMs = fact.own_time_ms ?? 0;
  const readsCache =
    (rdds?.persisted ?? 0) === 1 ||
    (rdds?.scans_cache ?? 0) === 1 ||
    operators.some((o) => o.kind === "InMemoryTableScan");
  return {
    fact,
    key,
    label:
      fact.stage_attempt_id > 0
        ? `stage ${fact.stage_id} (attempt ${fact.stage_attempt_id})`
        : `stage ${fact.stage_id}`,
    ownMs,
    slots,
    get sample() {
      return app.sampleOf(key);
    },
    tail:
      sample && sample.count > 0
        ? measureTail(
            sample,
            { ownMs, beside, slots, slotsOf: app.slotsOf, fresh: app.freshExecutors(fact) },
            app.limits,
          )
        : null,
    beside,
    executionId,
    execution,
    operators,
    plan,
    feeders: feedersOf(app, fact),
    engine: execution?.engine ?? app.facts.application?.engine ?? "spark",
    readsCache,
    rddNames: rdds?.rdd_names ?? "",
  };
}

function executionOf(app: App, id: number | null): Pick<StageView, "execution" | "plan"> {
  if (id === null) return { execution: null, plan: [] };
  return { execution: app.index.execution.get(id) ?? null, plan: app.index.planOfExecution.get(id) ?? [] };
}

/**
 * Stages that wrote what this one reads: its parents where they ran under their own id, else the writers of the
 * exchanges that its tasks read (with adaptive execution the parent in the job is a skipped stand-in).
 */
function feedersOf(app: App, fact: StageFact): StageFact[] {
  const writers = new Set([...app.index.writersFor(stageKey(fact)), ...fact.parent_ids]);
  writers.delete(fact.stage_id);
  return [...writers]
    .flatMap((id) => app.index.stagesById.get(id) ?? [])
    .filter((stage) => (stage.shuffle_bytes_written ?? 0) > 0);
}

/** What ran beside a stage, as far as its tasks were read; null: the stage had the slots to itself. */
function besides(app: App, fact: StageFact): Beside | null {
  const [from, to] = [fact.first_task_launched_time_ms, fact.last_task_finished_time_ms];
  if (from === null || to === null) return null;
  const tasks = app.facts.stages
    .filter((other) => other !== fact && overlaps(other, from, to))
    .flatMap((other) => launchedBetween(app.facts.tasks.get(stageKey(other)), from, to))
    .sort((a, b) => a.launchMs - b.launchMs);
  return tasks.length === 0
    ? null
    : { launchMs: tasks.map((t) => t.launchMs), runMs: tasks.map((t) => t.runMs) };
}

function overlaps(stage: StageFact, fromMs: number, toMs: number): boolean {
  const { first_task_launched_time_ms: first, last_task_finished_time_ms: last } = stage;
  return first !== null && first < toMs && (last ?? toMs) > fromMs;
}

function launchedBetween(tasks: StageTasks | undefined, fromMs: number, toMs: number): Launched[] {
  if (!tasks) return [];
  const { launch_time_ms: launch, finish_time_ms: finish } = tasks.columns;
  const launched: Launched[] = [];
  for (let row = 0; row < tasks.rows; row++) {
    const launchMs = launch[row] ?? 0;
    if (launchMs >= fromMs && launchMs < toMs)
      launched.push({ launchMs, runMs: elapsedMs(launch[row], finish[row]) });
  }
  return launched;
}
