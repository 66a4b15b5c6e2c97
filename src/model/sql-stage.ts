import type { Folded, MetricValues } from "./fold-metric.ts";
import { type FrozenLog, type UpdateBudget, UpdateLog } from "./update-log.ts";

/** Which accumulators an execution's plans declare. */
export interface DeclaredMetrics {
  has(accumulatorId: number): boolean;
}

/** One stage attempt of an execution. */
export interface StageKey {
  executionId: number;
  stageId: number;
  attemptId: number;
  /** Slots; 0: the log did not say, so the highest index seen decides. */
  numberOfTasks: number;
}

/** One accumulator that tasks of a stage have updated. */
export interface StageMetric {
  stage: SqlStage;
  /** For SqlStage.values. */
  column: number;
  accumulatorId: number;
  /** The largest single update and the first task that gave it. */
  max: number;
  maxTaskId: number;
  /** foldPositive of its values, once it is known. */
  positive: Folded | null;
}

/** A stage as plain data. */
export interface FrozenStage {
  key: StageKey;
  log: FrozenLog;
  ids: Float64Array<ArrayBuffer>;
  counted: Uint8Array<ArrayBuffer>;
  maxValue: Float64Array<ArrayBuffer>;
  maxTask: Float64Array<ArrayBuffer>;
  completed: Uint8Array<ArrayBuffer>;
  highestIndex: number;
  pending: Map<number, Map<number, number | bigint>>;
  large: Map<number, bigint[]>;
}

/**
 * SQL accumulator updates of the newest attempt of one stage, by Spark's rule: one slot a task index, the last update
 * of an index counts until the index has ended successfully. A column is one accumulator, numbered as first seen.
 */
export class SqlStage {
  readonly key: StageKey;
  readonly declared: DeclaredMetrics;
  readonly #log: UpdateLog;
  readonly #columnOf = new Map<number, number>();
  #ids = new Float64Array(16);
  #counted = new Uint8Array(16);
  #maxValue = new Float64Array(16);
  #maxTask = new Float64Array(16);
  /** Columns whose number is below this; further ones are free. */
  #columns = 0;
  #next = 0;
  #completed = new Uint8Array(8);
  #highestIndex = -1;
  /** Updates of indexes that have not succeeded yet: a retry overwrites them. */
  readonly #pending: Map<number, Map<number, number | bigint>>;
  readonly #large: Map<number, bigint[]>;

  constructor(key: StageKey, declared: DeclaredMetrics, budget: UpdateBudget, frozen?: FrozenStage) {
    this.key = key;
    this.declared = declared;
    this.#log = new UpdateLog(budget, frozen?.log);
    this.#pending = frozen?.pending ?? new Map();
    this.#large = frozen?.large ?? new Map();
    if (!frozen) return;
    this.#columns = frozen.ids.length;
    this.#ids = frozen.ids;
    this.#counted = frozen.counted;
    this.#maxValue = frozen.maxValue;
    this.#maxTask = frozen.maxTask;
    this.#completed = frozen.completed;
    this.#highestIndex = frozen.highestIndex;
    for (const [column, id] of frozen.ids.entries()) this.#columnOf.set(id, column);
  }

  /** What it holds, as plain data; the stage itself is dropped. */
  freeze(): FrozenStage {
    return {
      key: this.key,
      log: this.#log.freeze(),
      ids: this.#ids.slice(0, this.#columns),
      counted: this.#counted.slice(0, this.#columns),
      maxValue: this.#maxValue.slice(0, this.#columns),
      maxTask: this.#maxTask.slice(0, this.#columns),
      completed: this.#completed,
      highestIndex: this.#highestIndex,
      pending: this.#pending,
      large: this.#large,
    };
  }

  hasSlot(index: number): boolean {
    return index >= 0 && (this.key.numberOfTasks === 0 || index < this.key.numberOfTasks);
  }

  /** True if updates of this task index still count. */
  accepts(index: number): boolean {
    return this.hasSlot(index) && ((this.#completed[index >> 3] ?? 0) & (1 << (index & 7))) === 0;
  }

  /** Updates from..to of a task that did not succeed. */
  addUnfinished(index: number, taskId: number, updates: Updates, from: number, to: number): void {
    this.#highestIndex = Math.max(this.#highestIndex, index);
    const slots = this.#pending.get(index) ?? new Map<number, number | bigint>();
    this.#pending.set(index, slots);
    for (let at = from; at < to; at++) {
      const column = this.#column(updates.ids[at] ?? -1);
      if (column < 0) continue;
      const value = updates.values[at] ?? 0;
      this.#noteMax(column, value, taskId);
      slots.set(column, updates.large.get(at) ?? value);
    }
  }

  /** Updates from..to of a task that succeeded: they are final. */
  addSucceeded(index: number, taskId: number, updates: Updates, from: number, to: number): void {
    this.#highestIndex = Math.max(this.#highestIndex, index);
    const earlier = this.#pending.size === 0 ? undefined : this.#pending.get(index);
    const { ids, values, large } = updates;
    for (let at = from; at < to; at++) {
      const column = this.#column(ids[at] ?? -1);
      if (column < 0) continue;
      earlier?.delete(column);
      const value = values[at] ?? 0;
      this.#noteMax(column, value, taskId);
      const exact = large.size === 0 ? undefined : large.get(at);
      if (exact !== undefined) this.#addLarge(column, exact);
      else if (value !== 0) this.#log.append(column, value);
    }
    if (earlier) this.#settle(index, earlier);
    this.#complete(index);
  }

  /** Lets columns count that a newer plan version declares. */
  recheckDeclared(): void {
    for (let column = 0; column < this.#columns; column++) {
      if (this.#counted[column] === UNDECLARED && this.declared.has(this.#ids[column] ?? -1)) {
        this.#counted[column] = DECLARED;
      }
    }
  }

  /** The accumulators that have an update. */
  metrics(): StageMetric[] {
    for (const [index, slots] of this.#pending) this.#settle(index, slots);
    const metrics: StageMetric[] = [];
    for (let column = 0; column < this.#columns; column++) {
      if (this.#counted[column] === UPDATED) metrics.push(this.#metric(column));
    }
    return metrics;
  }

  /** All slots of one column. */
  values(column: number): MetricValues {
    const values = this.#log.column(column);
    const large = this.#large.get(column) ?? NONE;
    const slots = this.key.numberOfTasks || this.#highestIndex + 1;
    return { values, large, zeros: Math.max(0, slots - values.length - large.length) };
  }

  drop(): void {
    this.#log.drop();
  }

  #metric(column: number): StageMetric {
    return {
      stage: this,
      column,
      accumulatorId: this.#ids[column] ?? -1,
      max: this.#maxValue[column] ?? 0,
      maxTaskId: this.#maxTask[column] ?? 0,
      positive: null,
    };
  }

  /** Column of an accumulator, or -1 if no plan declares it. Tasks list accumulators in one order: the next is tried first. */
  #column(id: number): number {
    let column = this.#next;
    if (column >= this.#columns || this.#ids[column] !== id)
      column = this.#columnOf.get(id) ?? this.#addColumn(id);
    this.#next = column + 1;
    return this.#counted[column] === UNDECLARED ? -1 : column;
  }

  #addColumn(id: number): number {
    const column = this.#columns++;
    if (column === this.#ids.length) this.#grow(Math.max(16, column * 2));
    this.#ids[column] = id;
    this.#counted[column] = this.declared.has(id) ? DECLARED : UNDECLARED;
    this.#columnOf.set(id, column);
    return column;
  }

  #noteMax(column: number, value: number, taskId: number): void {
    if (this.#counted[column] === UPDATED && value <= (this.#maxValue[column] ?? 0)) return;
    this.#counted[column] = UPDATED;
    this.#maxValue[column] = value;
    this.#maxTask[column] = taskId;
  }

  #addLarge(column: number, value: bigint): void {
    const list = this.#large.get(column);
    if (list) list.push(value);
    else this.#large.set(column, [value]);
  }

  #settle(index: number, slots: Map<number, number | bigint>): void {
    for (const [column, value] of slots) {
      if (typeof value === "bigint") this.#addLarge(column, value);
      else if (value !== 0) this.#log.append(column, value);
    }
    this.#pending.delete(index);
  }

  #complete(index: number): void {
    const byte = index >> 3;
    if (byte >= this.#completed.length) {
      const completed = new Uint8Array(Math.max(byte + 1, 2 * this.#completed.length));
      completed.set(this.#completed);
      this.#completed = completed;
    }
    this.#completed[byte] = (this.#completed[byte] ?? 0) | (1 << (index & 7));
  }

  #grow(size: number): void {
    const ids = new Float64Array(size);
    ids.set(this.#ids);
    this.#ids = ids;
    const counted = new Uint8Array(size);
    counted.set(this.#counted);
    this.#counted = counted;
    const maxValue = new Float64Array(size);
    maxValue.set(this.#maxValue);
    this.#maxValue = maxValue;
    const maxTask = new Float64Array(size);
    maxTask.set(this.#maxTask);
    this.#maxTask = maxTask;
  }
}

const NONE: readonly bigint[] = [];
const UNDECLARED = 0;
const DECLARED = 1;
const UPDATED = 2;

/** The accumulator columns of a TaskBatch. */
export interface Updates {
  ids: Float64Array;
  values: Float64Array;
  large: ReadonlyMap<number, bigint>;
}
