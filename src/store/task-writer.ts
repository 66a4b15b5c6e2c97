import type { Statement } from "better-sqlite3";
import { BATCH_ROWS, TASK_COLUMNS, type TaskBatch, type TaskConsumer } from "../tasks/task-batch.ts";
import type { Db } from "./open-store.ts";

/** Rows per statement: 50 is as fast as 500 and stays far below SQLite's limit of values. */
const ROWS_PER_STATEMENT = 50;

/** Writes batches of tasks into task_data by prepared multi-row statements. */
export class TaskWriter implements TaskConsumer {
  readonly #logId: number;
  readonly #one: Statement;
  readonly #many: Statement;

  constructor(db: Db, logId: number) {
    this.#logId = logId;
    const columns = ["log_id", ...TASK_COLUMNS];
    const row = `(${columns.map(() => "?").join(", ")})`;
    const insert = (rows: number) =>
      db.prepare(`INSERT INTO task_data (${columns.join(", ")}) VALUES ${Array(rows).fill(row).join(", ")}`);
    this.#one = insert(1);
    this.#many = insert(ROWS_PER_STATEMENT);
  }

  tasks(batch: TaskBatch): void {
    let from = 0;
    for (; from + ROWS_PER_STATEMENT <= batch.rows; from += ROWS_PER_STATEMENT)
      this.#many.run(this.#values(batch, from, from + ROWS_PER_STATEMENT));
    for (; from < batch.rows; from++) this.#one.run(this.#values(batch, from, from + 1));
  }

  #values(batch: TaskBatch, from: number, to: number): (number | bigint | null)[] {
    const values: (number | bigint | null)[] = [];
    for (let row = from; row < to; row++) {
      values.push(this.#logId);
      for (let column = 0; column < batch.columns.length; column++) {
        const value = batch.columns[column]?.[row] ?? Number.NaN;
        const exact = batch.big.size > 0 ? batch.big.get(column * BATCH_ROWS + row) : undefined;
        values.push(exact ?? (Number.isNaN(value) ? null : value));
      }
    }
    return values;
  }
}
