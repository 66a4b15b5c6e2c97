import type { ExecutionFact, Facts, JobFact, OperatorFact, StageFact, StageOperatorFact } from "./facts.ts";
import { stageKey } from "./facts.ts";
import { groupBy } from "./group-by.ts";

/** Operators that hand rows to Python workers. */
export const PYTHON_KINDS = /Python|Pandas|MapInArrow|FlatMapGroupsInArrow/;

/** Facts by what they are asked for: an application may have tens of thousands of stages. Built once. */
export class FactsIndex {
  readonly jobOfStage = new Map<number, JobFact>();
  readonly stagesById: ReadonlyMap<number, StageFact[]>;
  readonly operatorsOfStage: ReadonlyMap<string, StageOperatorFact[]>;
  /** SQL executions of which some stage reported metrics of a Python operator. */
  readonly pythonMeasured: ReadonlySet<number>;
  /** Cached plans left out. */
  readonly planOfExecution: ReadonlyMap<number, OperatorFact[]>;
  readonly execution: ReadonlyMap<number, ExecutionFact>;
  readonly rddsOfStage: ReadonlyMap<string, Facts["stageRdds"][number]>;
  readonly #exchangesRead: ReadonlyMap<string, Facts["exchangeStages"][number][]>;
  readonly #exchangeWriters: ReadonlyMap<string, Facts["exchangeStages"][number][]>;

  constructor(facts: Facts) {
    for (const job of facts.jobs) {
      for (const id of job.stage_ids) if (!this.jobOfStage.has(id)) this.jobOfStage.set(id, job);
    }
    this.stagesById = groupBy(facts.stages, (stage) => stage.stage_id);
    this.operatorsOfStage = groupBy(facts.stageOperators, stageKey);
    this.pythonMeasured = new Set(
      facts.stageOperators.filter((o) => PYTHON_KINDS.test(o.kind)).map((o) => o.execution_id),
    );
    this.planOfExecution = groupBy(
      facts.planOperators.filter((o) => o.in_cache === 0),
      (o) => o.execution_id,
    );
    this.execution = new Map(facts.executions.map((x) => [x.execution_id, x]));
    this.rddsOfStage = new Map(facts.stageRdds.map((r) => [stageKey(r), r]));
    const links = facts.exchangeStages;
    this.#exchangesRead = groupBy(
      links.filter((l) => l.side === "read"),
      stageKey,
    );
    this.#exchangeWriters = groupBy(
      links.filter((l) => l.side === "write"),
      exchangeKey,
    );
  }

  /** Ids of the stages that wrote the exchanges which a stage's tasks read, as far as their metrics say. */
  writersFor(key: string): number[] {
    const read = this.#exchangesRead.get(key) ?? [];
    return read
      .flatMap((link) => this.#exchangeWriters.get(exchangeKey(link)) ?? [])
      .map((link) => link.stage_id);
  }
}

function exchangeKey(link: { execution_id: number; node_id: number }): string {
  return `${link.execution_id}.${link.node_id}`;
}
