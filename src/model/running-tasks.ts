import {
  STARTED_COLUMNS,
  TASK_COLUMN,
  TASK_COLUMNS,
  TASK_STATUS,
  type TaskBatch,
} from "../tasks/task-batch.ts";

const STARTED_AT = STARTED_COLUMNS.map((name) => TASK_COLUMN[name]);

/** Tasks that started and have not ended, as rows of one growing array; freed rows are used again. */
export class RunningTasks {
  readonly #slots = new Map<number, number>();
  readonly #free: number[] = [];
  #values = new Float64Array(STARTED_COLUMNS.length * 256);
  #used = 0;

  get size(): number {
    return this.#slots.size;
  }

  /**
   * @param batch holds the started task in the given row
   * @returns false where the task id is running already: a repeated line
   */
  start(taskId: number, batch: TaskBatch, row: number): boolean {
    if (this.#slots.has(taskId)) return false;
    const slot = this.#free.pop() ?? this.#used++;
    const at = slot * STARTED_COLUMNS.length;
    if (at >= this.#values.length) {
      const larger = new Float64Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    for (let index = 0; index < STARTED_AT.length; index++)
      this.#values[at + index] = (batch.columns[STARTED_AT[index] as number] as Float64Array)[row] as number;
    this.#slots.set(taskId, slot);
    return true;
  }

  /** @returns false where no such task was running */
  end(taskId: number): boolean {
    const slot = this.#slots.get(taskId);
    if (slot === undefined) return false;
    this.#slots.delete(taskId);
    this.#free.push(slot);
    return true;
  }

  /** Hands the tasks that never ended on, in batches, as rows with status running and without metrics. */
  drain(batch: TaskBatch, take: (batch: TaskBatch) => void): void {
    batch.clear();
    const columns = TASK_COLUMNS.map((name) => batch.column(name));
    for (const slot of this.#slots.values()) {
      for (const column of columns) column[batch.rows] = Number.NaN;
      for (const [index, name] of STARTED_COLUMNS.entries())
        batch.column(name)[batch.rows] = this.#values[slot * STARTED_COLUMNS.length + index] ?? Number.NaN;
      batch.column("status")[batch.rows] = TASK_STATUS.running;
      batch.endRow();
      if (batch.full) {
        take(batch);
        batch.clear();
      }
    }
    if (batch.rows > 0) take(batch);
    batch.clear();
    this.#slots.clear();
  }
}
