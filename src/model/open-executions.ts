import { deserialize, serialize } from "node:v8";
import type { ScratchFile } from "../scratch-file.ts";
import { type FrozenExecution, SqlExecution } from "./sql-execution.ts";
import { type FrozenStage, SqlStage, type StageKey } from "./sql-stage.ts";
import type { UpdateBudget } from "./update-log.ts";

/** Metric definitions of running executions held in memory; each costs about 200 bytes with its stage columns. */
const DEFINITIONS_IN_MEMORY = 200_000;
/** Executions held in memory: a log that lost its ends would fill it with executions that never end. */
const EXECUTIONS_IN_MEMORY = 1000;

interface Parked {
  position: number;
  bytes: number;
  stageIds: number[];
}

/**
 * The SQL executions that are not folded yet, and the newest attempt of each of their stages. The least recently used
 * wait in the scratch file and come back when an event or a task asks for them.
 */
export class OpenExecutions {
  readonly #budget: UpdateBudget;
  readonly #scratch: ScratchFile;
  readonly #limit: number;
  /** Least recently used first. */
  readonly #executions = new Map<number, SqlExecution>();
  readonly #parked = new Map<number, Parked>();
  readonly #stages = new Map<number, SqlStage>();
  /** Execution of a stage that is parked. */
  readonly #parkedStages = new Map<number, number>();

  constructor(budget: UpdateBudget, scratch: ScratchFile, limit = EXECUTIONS_IN_MEMORY) {
    this.#budget = budget;
    this.#scratch = scratch;
    this.#limit = limit;
  }

  /** Ids of all of them. */
  ids(): number[] {
    return [...this.#parked.keys(), ...this.#executions.keys()];
  }

  get(id: number): SqlExecution | undefined {
    const execution = this.#executions.get(id) ?? this.#unpark(id);
    if (!execution) return undefined;
    this.#executions.delete(id);
    this.#executions.set(id, execution);
    return execution;
  }

  getOrAdd(id: number): SqlExecution {
    const known = this.get(id);
    if (known) return known;
    const execution = new SqlExecution(id, this.#budget);
    this.#executions.set(id, execution);
    this.#makeRoom();
    return execution;
  }

  /** Forgets an execution that was folded. */
  delete(id: number): void {
    this.#executions.get(id)?.drop();
    this.#executions.delete(id);
  }

  stage(stageId: number): SqlStage | undefined {
    const stage = this.#stages.get(stageId);
    if (stage) return stage;
    const executionId = this.#parkedStages.get(stageId);
    if (executionId === undefined) return undefined;
    this.get(executionId);
    return this.#stages.get(stageId);
  }

  /** Starts the slots of a stage attempt; an attempt before must be deleted first. */
  addStage(key: StageKey, execution: SqlExecution): void {
    this.#stages.set(key.stageId, new SqlStage(key, execution.facts.declared, this.#budget));
  }

  deleteStage(stageId: number): void {
    this.#stages.get(stageId)?.drop();
    this.#stages.delete(stageId);
  }

  #makeRoom(): void {
    let definitions = 0;
    for (const execution of this.#executions.values()) definitions += execution.facts.declared.size;
    for (const [id, execution] of this.#executions) {
      if (this.#executions.size <= 1) return;
      if (this.#executions.size <= this.#limit && definitions <= DEFINITIONS_IN_MEMORY) return;
      definitions -= execution.facts.declared.size;
      this.#park(id, execution);
    }
  }

  #park(id: number, execution: SqlExecution): void {
    const stages: FrozenStage[] = [];
    for (const stageId of execution.facts.stageIds) {
      const stage = this.#stages.get(stageId);
      if (stage?.key.executionId !== id) continue;
      stages.push(stage.freeze());
      this.#stages.delete(stageId);
      this.#parkedStages.set(stageId, id);
    }
    const bytes = serialize({ execution: execution.freeze(), stages });
    this.#executions.delete(id);
    const stageIds = stages.map(({ key }) => key.stageId);
    this.#parked.set(id, { position: this.#scratch.append(bytes), bytes: bytes.length, stageIds });
  }

  #unpark(id: number): SqlExecution | undefined {
    const parked = this.#parked.get(id);
    if (!parked) return undefined;
    this.#parked.delete(id);
    for (const stageId of parked.stageIds) this.#parkedStages.delete(stageId);
    const bytes = new Uint8Array(parked.bytes);
    this.#scratch.read(parked.position, bytes);
    const frozen = deserialize(bytes) as { execution: FrozenExecution; stages: FrozenStage[] };
    const execution = new SqlExecution(id, this.#budget, frozen.execution);
    this.#executions.set(id, execution);
    for (const stage of frozen.stages) {
      const { declared } = execution.facts;
      this.#stages.set(stage.key.stageId, new SqlStage(stage.key, declared, this.#budget, stage));
    }
    this.#makeRoom();
    return execution;
  }
}
