import type { App } from "./app.ts";
import type { ExecutionFact, OperatorFact, StageFact, StageOperatorFact } from "./facts.ts";
import { stageKey } from "./facts.ts";
import { measureTail, type Tail } from "./tail.ts";
import type { TaskSample } from "./task-sample.ts";

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
            { ownMs, slots, slotsOf: app.slotsOf, fresh: app.freshExecutors(fact) },
            app.limits,
          )
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
