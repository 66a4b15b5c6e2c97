import { IssueLog } from "../../src/issues.ts";
import { type SqlMemory, SqlModel } from "../../src/model/sql-model.ts";
import type { RowSink, TableName, Tables } from "../../src/store/rows.ts";
import { type TASK_COLUMN, TASK_STATUS, TaskBatch } from "../../src/tasks/task-batch.ts";

/** Keeps rows in memory, table by table. */
export class MemoryRows implements RowSink {
  readonly tables = new Map<TableName, Tables[TableName][]>();

  insert<T extends TableName>(table: T, row: Tables[T]): void {
    const rows = this.tables.get(table);
    if (rows) rows.push(row);
    else this.tables.set(table, [row]);
  }

  of<T extends TableName>(table: T): Tables[T][] {
    return (this.tables.get(table) ?? []) as Tables[T][];
  }
}

// biome-ignore lint/suspicious/noExplicitAny: events of a log have any shape
type Event = any;

const HANDLERS: Record<string, (model: SqlModel, event: Event) => void> = {
  SparkListenerSQLExecutionStart: (model, event) => model.executionStart(event),
  SparkListenerSQLAdaptiveExecutionUpdate: (model, event) => model.adaptiveExecutionUpdate(event),
  SparkListenerSQLAdaptiveSQLMetricUpdates: (model, event) => model.adaptiveMetricUpdates(event),
  SparkListenerDriverAccumUpdates: (model, event) => model.driverAccumUpdates(event),
  SparkListenerSQLExecutionEnd: (model, event) => model.executionEnd(event),
  SparkListenerJobStart: (model, event) => {
    const id = event.Properties?.["spark.sql.execution.id"];
    const stages = (event["Stage Infos"] ?? []).map((stage: Event) => ({
      stageId: stage["Stage ID"],
      numberOfTasks: stage["Number of Tasks"],
    }));
    model.jobStart(event["Job ID"], id === undefined ? null : Number(id), stages);
  },
  SparkListenerStageSubmitted: (model, event) => {
    const stage = event["Stage Info"];
    model.stageSubmitted(stage["Stage ID"], stage["Stage Attempt ID"] ?? 0, stage["Number of Tasks"]);
  },
  SparkListenerJobEnd: (model, event) => {
    model.jobEnd(event["Job ID"], event["Job Result"]?.Result === "JobSucceeded");
  },
};

/** A stand-in for ingest: hands the SQL part of parsed events to a SqlModel in log order. */
export class SqlReplay {
  readonly rows = new MemoryRows();
  readonly issues = new IssueLog();
  readonly model: SqlModel;
  readonly #batch = new TaskBatch();

  constructor(memory?: SqlMemory) {
    this.model = new SqlModel(this.rows, this.issues, memory);
    this.#batch.clear();
  }

  event(event: Event): void {
    const name = String(event.Event).split(".").at(-1) ?? "";
    if (name === "SparkListenerTaskStart") return;
    if (name === "SparkListenerTaskEnd") this.#task(event);
    else {
      this.#flush();
      HANDLERS[name]?.(this.model, event);
    }
  }

  finish(): MemoryRows {
    this.#flush();
    this.model.finish();
    return this.rows;
  }

  #task(event: Event): void {
    const batch = this.#batch;
    const info = event["Task Info"];
    const set = (column: keyof typeof TASK_COLUMN, value: number) => {
      batch.column(column)[batch.rows] = value;
    };
    set("stage_id", event["Stage ID"]);
    set("stage_attempt_id", event["Stage Attempt ID"] ?? 0);
    set("task_id", info["Task ID"]);
    set("task_index", info.Index);
    const succeeded = event["Task End Reason"]?.Reason === "Success";
    set("status", succeeded ? TASK_STATUS.success : TASK_STATUS.failed);
    for (const accumulable of info.Accumulables ?? []) {
      if (accumulable.Metadata !== "sql" || !/^-?\d+$/.test(String(accumulable.Update))) continue;
      const update = Number(accumulable.Update);
      batch.addUpdate(
        accumulable.ID,
        update,
        Number.isSafeInteger(update) ? undefined : BigInt(accumulable.Update),
      );
    }
    batch.endRow();
    if (batch.full) this.#flush();
  }

  #flush(): void {
    this.model.tasks(this.#batch);
    this.#batch.clear();
  }
}
