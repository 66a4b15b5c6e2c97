import { isObject, text } from "../json.ts";
import type { InitialJoins } from "../plan/joins.ts";
import type { PlanSummary } from "../plan/plan-summary.ts";
import type { PlanMetric } from "../plan/plan-tree.ts";
import { type FrozenLog, type UpdateBudget, UpdateLog } from "./update-log.ts";

/** What is known of a SQL execution that is not folded yet. Plain data: it may wait in the scratch file. */
export interface ExecutionFacts {
  id: number;
  /** Metric types by accumulator id: those of every plan version so far. */
  declared: Map<number, string>;
  /** Jobs and whether they succeeded; null while running. */
  jobs: Map<number, boolean | null>;
  stageIds: Set<number>;
  start: SqlStart | null;
  endTime: number | null;
  ended: boolean;
  errorMessage: string | null;
  planVersions: number;
  initialPlanId: number | null;
  planId: number | null;
  initialSummary: PlanSummary | null;
  initialJoins: InitialJoins;
  /** Accumulators with driver values; the position is the column of the driver's log. */
  driverIds: number[];
  driverLarge: Map<number, bigint[]>;
  driverMax: number[];
}

/** An execution as plain data. */
export interface FrozenExecution {
  facts: ExecutionFacts;
  driverLog: FrozenLog | null;
}

export class SqlExecution {
  readonly facts: ExecutionFacts;
  readonly #budget: UpdateBudget;
  #driverLog: UpdateLog | null;
  readonly #driverColumn = new Map<number, number>();

  constructor(id: number, budget: UpdateBudget, frozen?: FrozenExecution) {
    this.#budget = budget;
    this.facts = frozen?.facts ?? newFacts(id);
    this.#driverLog = frozen?.driverLog ? new UpdateLog(budget, frozen.driverLog) : null;
    for (const [column, accumulatorId] of this.facts.driverIds.entries()) {
      this.#driverColumn.set(accumulatorId, column);
    }
  }

  get id(): number {
    return this.facts.id;
  }

  /** What it holds, as plain data; the execution itself is dropped. */
  freeze(): FrozenExecution {
    return { facts: this.facts, driverLog: this.#driverLog?.freeze() ?? null };
  }

  declare(metrics: readonly PlanMetric[]): void {
    const { declared } = this.facts;
    for (const { accumulatorId, metricType } of metrics) declared.set(accumulatorId, metricType);
  }

  /** Every driver value stands for itself, also several of one accumulator. */
  addDriverValue(accumulatorId: number, value: number | bigint): void {
    const { driverIds, driverLarge, driverMax } = this.facts;
    this.#driverLog ??= new UpdateLog(this.#budget);
    let column = this.#driverColumn.get(accumulatorId);
    if (column === undefined) {
      column = driverIds.push(accumulatorId) - 1;
      this.#driverColumn.set(accumulatorId, column);
    }
    driverMax[column] = Math.max(driverMax[column] ?? Number(value), Number(value));
    if (typeof value === "number") this.#driverLog.append(column, value);
    else driverLarge.set(column, [...(driverLarge.get(column) ?? []), value]);
  }

  /** Driver values of one accumulator, zeros among them; null if there are none. */
  driverValues(accumulatorId: number): { values: Float64Array; large: bigint[]; max: number } | null {
    const column = this.#driverColumn.get(accumulatorId);
    if (column === undefined || !this.#driverLog) return null;
    return {
      values: this.#driverLog.column(column),
      large: this.facts.driverLarge.get(column) ?? [],
      max: this.facts.driverMax[column] ?? 0,
    };
  }

  /** Spark's rule: an execution is done when its end and the ends of all its jobs were read. */
  get isDone(): boolean {
    return this.facts.ended && [...this.facts.jobs.values()].every((succeeded) => succeeded !== null);
  }

  /** Status as Spark 3.4+ shows it; older logs have no errorMessage and go by their jobs. */
  get status(): "running" | "completed" | "failed" {
    const { errorMessage, ended, jobs } = this.facts;
    if (errorMessage !== null) return errorMessage === "" ? "completed" : "failed";
    if (!ended) return "running";
    return [...jobs.values()].includes(false) ? "failed" : "completed";
  }

  drop(): void {
    this.#driverLog?.drop();
  }
}

function newFacts(id: number): ExecutionFacts {
  return {
    id,
    declared: new Map(),
    jobs: new Map(),
    stageIds: new Set(),
    start: null,
    endTime: null,
    ended: false,
    errorMessage: null,
    planVersions: 0,
    initialPlanId: null,
    planId: null,
    initialSummary: null,
    initialJoins: new Map(),
    driverIds: [],
    driverLarge: new Map(),
    driverMax: [],
  };
}

/** What SparkListenerSQLExecutionStart says beside the plan. */
export interface SqlStart {
  rootExecutionId: number;
  description: string | null;
  details: string | null;
  time: number | null;
  jobTags: string | null;
  jobGroup: string | null;
  modifiedConfigs: [string, string][];
}

export function readStart(json: Record<string, unknown>, executionId: number): SqlStart {
  const { modifiedConfigs, jobTags } = json;
  return {
    rootExecutionId: readInteger(json.rootExecutionId) ?? executionId,
    description: text(json.description),
    details: text(json.details),
    time: readTime(json.time),
    jobTags: Array.isArray(jobTags) && jobTags.length > 0 ? jobTags.filter(isText).join(",") : null,
    jobGroup: text(json.jobGroupId),
    modifiedConfigs: isObject(modifiedConfigs)
      ? Object.entries(modifiedConfigs).filter((entry): entry is [string, string] => isText(entry[1]))
      : [],
  };
}

/** A safe integer, also one written as text or bigint; null for anything else. */
export function readInteger(value: unknown): number | null {
  if (value === null || value === "" || typeof value === "object" || typeof value === "boolean") return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : null;
}

/** A 64-bit accumulator value: number, bigint or decimal text; null for anything else. */
export function readLong(value: unknown): number | bigint | null {
  if (typeof value === "bigint") return BigInt.asIntN(64, value);
  const integer = readInteger(value);
  if (integer !== null) return integer;
  return typeof value === "string" && /^-?\d{1,19}$/.test(value) ? BigInt.asIntN(64, BigInt(value)) : null;
}

/** Milliseconds since the epoch; Spark writes -1 and sometimes 0 for "not known". */
export function readTime(value: unknown): number | null {
  const time = readInteger(value);
  return time !== null && time > 0 ? time : null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
