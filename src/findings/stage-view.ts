import type { App } from "./app.ts";
import type { ExecutionFact, OperatorFact, StageFact, StageOperatorFact } from "./facts.ts";
import { stageKey } from "./facts.ts";
import { measureTail, type Tail } from "./tail.ts";
import { sampleTasks, type TaskSample } from "./task-sample.ts";

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
  /** null: its tasks were not loaded, or it has none. */
  sample: TaskSample | null;
  tail: Tail | null;
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
  const job = app.facts.jobs.find((j) => j.stage_ids.includes(fact.stage_id));
  const executionId = job?.execution_id ?? null;
  const execution = app.facts.executions.find((x) => x.execution_id === executionId) ?? null;
  const plan = app.facts.planOperators.filter((o) => o.execution_id === executionId && o.in_cache === 0);
  const operators = app.facts.stageOperators.filter((o) => stageKey(o) === key);
  const rdds = app.facts.stageRdds.find((r) => stageKey(r) === key);
  const tasks = app.facts.tasks.get(key);
  const sample = tasks ? sampleTasks(tasks) : null;
  const slots = app.slotsDuring(fact);
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
    sample,
    tail:
      sample && sample.count > 0
        ? measureTail(sample, { ownMs, slots, slotsOf: app.slotsOf }, app.limits)
        : null,
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

/**
 * Stages that wrote what this one reads: its parents where they ran under their own id, else the writers of the
 * exchanges that its tasks read (with adaptive execution the parent in the job is a skipped stand-in).
 */
function feedersOf(app: App, fact: StageFact): StageFact[] {
  const links = app.facts.exchangeStages;
  const key = stageKey(fact);
  const read = new Set(
    links
      .filter((l) => l.side === "read" && stageKey(l) === key)
      .map((l) => `${l.execution_id}.${l.node_id}`),
  );
  const writers = new Set(
    links
      .filter((l) => l.side === "write" && read.has(`${l.execution_id}.${l.node_id}`))
      .map((l) => l.stage_id),
  );
  for (const parent of fact.parent_ids) writers.add(parent);
  writers.delete(fact.stage_id);
  return app.facts.stages.filter((s) => writers.has(s.stage_id) && (s.shuffle_bytes_written ?? 0) > 0);
}
