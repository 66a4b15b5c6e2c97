import type { TaskConsumer } from "../tasks/task-batch.ts";
import { createScratch, type Db, measure, reopenScratch, SCRATCH_PAGE_SIZE } from "./open-store.ts";
import { RowWriter } from "./row-writer.ts";
import { TaskPageWriter } from "./task-page-writer.ts";
import { TaskWriter } from "./task-writer.ts";

/** A scratch database holds one log. */
export const SCRATCH_LOG_ID = 1;

/** How the rows of task_data are written: as pages of our own making (faster), or by SQL statements. */
export type TaskWriting = "pages" | "statements";

/**
 * The new database that one log is loaded into. Rows of task_data can be read after sealTasks() only; those of other
 * tables after rows.flush().
 */
export class ScratchStore {
  readonly path: string;
  readonly rows: RowWriter;
  readonly tasks: TaskConsumer;
  #db: Db;
  readonly #pages: TaskPageWriter | null;

  constructor(path: string, writing: TaskWriting = "pages") {
    this.path = path;
    this.#db = createScratch(path);
    this.rows = new RowWriter(this.#db, SCRATCH_LOG_ID);
    this.#pages =
      writing === "pages" ? new TaskPageWriter(SCRATCH_PAGE_SIZE, SCRATCH_LOG_ID, `${path}-pages`) : null;
    this.tasks = this.#pages ?? new TaskWriter(this.#db, SCRATCH_LOG_ID);
    this.#db.exec("BEGIN");
  }

  /** The connection of the moment: sealTasks() replaces it. */
  get db(): Db {
    return this.#db;
  }

  /** Puts task_data in its place. No task may be written afterwards. */
  sealTasks(): void {
    if (!this.#pages) return;
    const rootPage = this.#db
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'task_data'")
      .pluck()
      .get();
    this.commit();
    this.#db.close();
    this.#pages.finish(this.path, Number(rootPage));
    this.#db = reopenScratch(this.path);
    this.rows.moveTo(this.#db);
    this.#db.exec("BEGIN");
  }

  commit(): void {
    this.rows.flush();
    this.#db.exec("COMMIT");
  }

  /** Ends the load. */
  finish(): void {
    this.commit();
    measure(this.#db);
  }

  close(): void {
    this.#pages?.discard();
    if (this.#db.open) this.#db.close();
  }
}
