import type { InitialJoins } from "../plan/joins.ts";
import type { PlanSummary } from "../plan/plan-summary.ts";
import { isRecord, type PlanMetric } from "../plan/plan-tree.ts";
import { type UpdateBudget, UpdateLog } from "./update-log.ts";

/** A SQL execution that is not folded yet. */
export class SqlExecution {
  readonly id: number;
  /** Metric types by accumulator id: those of every plan version so far. */
  readonly declared = new Map<number, string>();
  /** Jobs and whether they are done; null while running. */
  readonly jobs = new Map<number, boolean | null>();
  readonly stageIds = new Set<number>();
  start: SqlStart | null = null;
  endTime: number | null = null;
  ended = false;
  errorMessage: string | null = null;
  planVersions = 0;
  initialPlanId: number | null = null;
  planId: number | null = null;
  initialSummary: PlanSummary | null = null;
  initialJoins: InitialJoins = new Map();
  readonly #budget: UpdateBudget;
  #driverLog: UpdateLog | null = null;
  readonly #driverIds: number[] = [];
  readonly #driverColumn = new Map<number, number>();
  readonly #driverLarge = new Map<number, bigint[]>();
  readonly #driverMax = new Map<number, number>();

  constructor(id: number, budget: UpdateBudget) {
    this.id = id;
    this.#budget = budget;
  }

  declare(metrics: readonly PlanMetric[]): void {
    for (const { accumulatorId, metricType } of metrics) this.declared.set(accumulatorId, metricType);
  }

  /** Every driver value stands for itself, also several of one accumulator. */
  addDriverValue(accumulatorId: number, value: number | bigint): void {
    this.#driverLog ??= new UpdateLog(this.#budget);
    let column = this.#driverColumn.get(accumulatorId);
    if (column === undefined) {
      column = this.#driverIds.push(accumulatorId) - 1;
      this.#driverColumn.set(accumulatorId, column);
    }
    this.#driverMax.set(column, Math.max(this.#driverMax.get(column) ?? Number(value), Number(value)));
    if (typeof value === "number") this.#driverLog.append(column, value);
    else this.#driverLarge.set(column, [...(this.#driverLarge.get(column) ?? []), value]);
  }

  get driverAccumulators(): readonly number[] {
    return this.#driverIds;
  }

  /** Driver values of one accumulator, zeros among them; null if there are none. */
  driverValues(accumulatorId: number): { values: Float64Array; large: bigint[]; max: number } | null {
    const column = this.#driverColumn.get(accumulatorId);
    if (column === undefined || !this.#driverLog) return null;
    return {
      values: this.#driverLog.column(column),
      large: this.#driverLarge.get(column) ?? [],
      max: this.#driverMax.get(column) ?? 0,
    };
  }

  /** Spark's rule: an execution is done when its end and the ends of all its jobs were read. */
  get isDone(): boolean {
    return this.ended && [...this.jobs.values()].every((succeeded) => succeeded !== null);
  }

  /** Status as Spark 3.4+ shows it; older logs have no errorMessage and go by their jobs. */
  get status(): "running" | "completed" | "failed" {
    if (this.errorMessage !== null) return this.errorMessage === "" ? "completed" : "failed";
    if (!this.ended) return "running";
    return [...this.jobs.values()].includes(false) ? "failed" : "completed";
  }

  drop(): void {
    this.#driverLog?.drop();
  }
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
    description: readText(json.description),
    details: readText(json.details),
    time: readTime(json.time),
    jobTags: Array.isArray(jobTags) && jobTags.length > 0 ? jobTags.filter(isText).join(",") : null,
    jobGroup: readText(json.jobGroupId),
    modifiedConfigs: isRecord(modifiedConfigs)
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

export function readText(value: unknown): string | null {
  return isText(value) ? value : null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
