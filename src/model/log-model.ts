import type { IssueLog } from "../issues.ts";
import { type Json, object, smallInt, text, time } from "../json.ts";
import { ScratchFile } from "../scratch-file.ts";
import type { RowSink } from "../store/rows.ts";
import { executorId } from "../tasks/executor-id.ts";
import { StringTable } from "../tasks/string-table.ts";
import { BATCH_ROWS, TASK_COLUMN, TaskBatch, type TaskConsumer } from "../tasks/task-batch.ts";
import { appendTaskEnd, appendTaskStart, taskExtras } from "../tasks/task-end.ts";
import { describeFailure } from "../tasks/task-failure.ts";
import { ApplicationModel } from "./application-model.ts";
import { LogClock, type ModelContext } from "./context.ts";
import { ExecutorModel } from "./executor-model.ts";
import { IdSet } from "./id-set.ts";
import { JobModel } from "./job-model.ts";
import { ParkedMap } from "./parked-map.ts";
import { RunningTasks } from "./running-tasks.ts";
import { SqlModel } from "./sql-model.ts";
import { type LiveJob, type StageInfo, stageInfo } from "./stage-info.ts";
import { StageModel } from "./stage-model.ts";
import { StorageModel } from "./storage-model.ts";
import { StreamingModel } from "./streaming-model.ts";

/** Lines that have no partner: what a lossless log would not have. */
export interface Unmatched {
  taskEndsWithoutStart: number;
  repeatedTaskEnds: number;
  taskEndsWithoutId: number;
}

/**
 * What is known of one log while it is read. Event handlers call it; it turns events into rows, keeping only what
 * still lives (running jobs, stages, tasks, executions).
 */
export class LogModel {
  readonly context: ModelContext;
  readonly strings = new StringTable();
  readonly application: ApplicationModel;
  readonly executors: ExecutorModel;
  readonly stages: StageModel;
  readonly jobs: JobModel;
  readonly storage: StorageModel;
  readonly streaming: StreamingModel;
  readonly sql: SqlModel;
  readonly running = new RunningTasks();
  /** Ended tasks on their way to the consumers. */
  readonly batch = new TaskBatch();
  readonly unmatched: Unmatched = { taskEndsWithoutStart: 0, repeatedTaskEnds: 0, taskEndsWithoutId: 0 };
  taskEnds = 0;
  oddValues = 0;
  oddTimes = 0;
  readonly #ended = new IdSet();
  /** One started task. */
  readonly #startBatch = new TaskBatch();
  /** What was not asked for lately of jobs, stages and RDDs. */
  readonly #scratch = new ScratchFile();
  readonly #consumers: TaskConsumer[];

  /** @param consumers further takers of ended tasks (the task table, the time line), after the models */
  constructor(rows: RowSink, issues: IssueLog, consumers: TaskConsumer[]) {
    this.context = { rows, issues, clock: new LogClock() };
    this.application = new ApplicationModel(this.context);
    this.executors = new ExecutorModel(this.context, this.strings, this.#scratch);
    const jobs = new ParkedMap<LiveJob>(this.#scratch);
    this.stages = new StageModel(this.context, this.strings, jobs, this.#scratch);
    this.jobs = new JobModel(this.context, jobs, this.stages);
    this.storage = new StorageModel(this.context, this.#scratch);
    this.streaming = new StreamingModel(this.context);
    this.sql = new SqlModel(rows, issues);
    this.#consumers = [...consumers, this.stages, this.executors, this.sql];
  }

  jobStart(json: Json): void {
    this.flushTasks();
    const job = this.jobs.start(json);
    if (!job) return;
    const stages = job.stages.map((info) => ({
      stageId: info.stageId,
      numberOfTasks: Number(info.number_of_tasks ?? 0),
    }));
    this.sql.jobStart(job.jobId, job.executionId, stages);
  }

  jobEnd(json: Json): void {
    this.flushTasks();
    const ended = this.jobs.end(json);
    if (ended) this.sql.jobEnd(ended.jobId, ended.succeeded);
  }

  stageSubmitted(json: Json): void {
    const info = stageInfo(json["Stage Info"]);
    if (!info) return;
    this.flushTasks();
    this.stages.submitted(info, text(object(json.Properties)["spark.scheduler.pool"]));
    this.storage.stageRdds(info.stageId, info.stageAttemptId, info.rdds);
    this.sql.stageSubmitted(info.stageId, info.stageAttemptId, Number(info.number_of_tasks ?? 0));
  }

  stageCompleted(json: Json): StageInfo | null {
    const info = stageInfo(json["Stage Info"]);
    if (!info) return null;
    this.flushTasks();
    this.stages.completed(info);
    this.storage.stageRdds(info.stageId, info.stageAttemptId, info.rdds);
    return info;
  }

  /** The plain reading of a TaskStart. */
  taskStart(json: Json): void {
    if (appendTaskStart(json, this.#startBatch, this.strings)) this.taskStarted(this.#startBatch, 0);
    this.#startBatch.clear();
  }

  /** Takes the started task in a row of a batch. */
  taskStarted(batch: TaskBatch, row: number): void {
    const { columns } = batch;
    const taskId = (columns[TASK_COLUMN.task_id] as Float64Array)[row] as number;
    if (!this.running.start(taskId, batch, row) || this.#ended.has(taskId)) return;
    const launch = numberOrNull((columns[TASK_COLUMN.launch_time_ms] as Float64Array)[row] as number);
    const stageId = (columns[TASK_COLUMN.stage_id] as Float64Array)[row] as number;
    const attempt = (columns[TASK_COLUMN.stage_attempt_id] as Float64Array)[row] as number;
    this.context.clock.see(launch);
    this.stages.taskStarted(stageId, attempt, launch);
    this.executors.taskStarted((columns[TASK_COLUMN.executor] as Float64Array)[row] as number);
  }

  /** The plain reading of a TaskEnd. */
  taskEnd(json: Json): void {
    this.taskEnds++;
    const info = object(json["Task Info"]);
    const taskId = smallInt(info["Task ID"]);
    const stageId = smallInt(json["Stage ID"]);
    if (taskId === null || stageId === null) {
      this.unmatched.taskEndsWithoutId++;
      return;
    }
    const executor = executorId(info["Executor ID"]);
    const endReason = object(json["Task End Reason"]);
    const reason = text(endReason.Reason) ?? "Success";
    this.executors.peaks(executor, object(json["Task Executor Metrics"]));
    if (reason === "Resubmitted") {
      this.flushTasks();
      this.stages.resubmitted(stageId, smallInt(json["Stage Attempt ID"]) ?? 0, executor ?? "unknown");
      this.executors.resubmitted(executor ?? "unknown");
      this.#failure(json, taskId, stageId, endReason);
      return;
    }
    if (!this.#isFirstEnd(taskId)) {
      this.#repeatedEnd(stageId, smallInt(json["Stage Attempt ID"]) ?? 0);
      return;
    }
    const odd = appendTaskEnd(json, this.batch, this.strings);
    this.oddValues += odd.values;
    this.oddTimes += odd.times;
    for (const extra of taskExtras(json))
      this.context.rows.insert("task_extra", { task_id: taskId, ...extra });
    if (reason !== "Success") this.#failure(json, taskId, stageId, endReason);
    if (this.batch.full) this.flushTasks();
  }

  /**
   * Notes the end of the task in a row of a batch of scanned tasks, which appendEnded is to take afterwards.
   * @returns false for a repeated line: its row is to be left out, and the rows before it are to be appended first
   */
  taskEnded(batch: TaskBatch, row: number): boolean {
    this.taskEnds++;
    return this.#isFirstEnd(batch.columns[TASK_COLUMN.task_id]?.[row] ?? Number.NaN);
  }

  /** Takes the row of a task that ended before. */
  taskEndedAgain(batch: TaskBatch, row: number): void {
    const value = (column: number): number => batch.columns[column]?.[row] ?? Number.NaN;
    this.#repeatedEnd(value(TASK_COLUMN.stage_id), value(TASK_COLUMN.stage_attempt_id));
  }

  /** Takes rows from .. to of a batch of scanned tasks. */
  appendEnded(batch: TaskBatch, from: number, to: number): void {
    for (let at = from; at < to; ) {
      const end = Math.min(to, at + BATCH_ROWS - this.batch.rows);
      this.batch.append(batch, at, end);
      if (this.batch.full) this.flushTasks();
      at = end;
    }
  }

  /** Matches an end with its start. @returns false for a repeated line, which adds nothing */
  #isFirstEnd(taskId: number): boolean {
    const hadStart = this.running.end(taskId);
    if (!this.#ended.add(taskId)) return false;
    if (!hadStart) this.unmatched.taskEndsWithoutStart++;
    return true;
  }

  #repeatedEnd(stageId: number, attempt: number): void {
    this.unmatched.repeatedTaskEnds++;
    this.flushTasks();
    this.stages.repeatedEnd(stageId, attempt);
  }

  taskGettingResult(json: Json): void {
    this.context.clock.see(time(object(json["Task Info"])["Getting Result Time"]));
  }

  stageExecutorMetrics(
    executor: string | null,
    stageId: number | null,
    attempt: number,
    metrics: Json,
  ): void {
    this.executors.peaks(executor, metrics);
    if (executor === null || stageId === null) return;
    for (const [metric, value] of Object.entries(metrics)) {
      if (typeof value === "number" && Number.isSafeInteger(value) && value > 0)
        this.context.rows.insert("stage_executor_peak", {
          stage_id: stageId,
          stage_attempt_id: attempt,
          executor_id: executor,
          metric,
          value,
        });
    }
  }

  /** Removes the scratch file. Nothing can be asked for afterwards. */
  close(): void {
    this.#scratch.close();
  }

  /** Hands the gathered tasks on. Called before every event that asks for a state they belong to. */
  flushTasks(): void {
    if (this.batch.rows === 0) return;
    this.#seeTimes();
    for (const consumer of this.#consumers) consumer.tasks(this.batch);
    this.batch.clear();
  }

  #seeTimes(): void {
    for (const name of ["launch_time_ms", "finish_time_ms"] as const) {
      const times = this.batch.column(name);
      let first = Infinity;
      let last = -Infinity;
      for (let row = 0; row < this.batch.rows; row++) {
        const value = times[row] ?? Number.NaN;
        if (value < first) first = value;
        if (value > last) last = value;
      }
      if (first !== Infinity) this.context.clock.see(first);
      if (last !== -Infinity) this.context.clock.see(last);
    }
  }

  #failure(json: Json, taskId: number, stageId: number, endReason: Json): void {
    const info = object(json["Task Info"]);
    const failure = describeFailure(endReason);
    const launch = time(info["Launch Time"]);
    const finish = time(info["Finish Time"]);
    const executor = executorId(info["Executor ID"]);
    if (failure.reason === "ExecutorLostFailure") this.executors.taskLoss(executor, failure.details);
    else this.executors.taskError(executor, failure.class_name ?? failure.message);
    this.context.rows.insert("task_failure", {
      ...failure,
      task_id: taskId,
      stage_id: stageId,
      stage_attempt_id: smallInt(json["Stage Attempt ID"]) ?? 0,
      executor_id: executor,
      host: text(info.Host),
      finish_time_ms: finish,
      duration_ms: launch !== null && finish !== null ? Math.max(0, finish - launch) : null,
      executor_run_time_ms: smallInt(object(json["Task Metrics"])["Executor Run Time"]),
    });
  }
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
