import { int, object, smallInt, text } from "../json.ts";
import type { ScratchFile } from "../scratch-file.ts";
import type { Int, StageRow } from "../store/rows.ts";
import type { StringTable } from "../tasks/string-table.ts";
import { BATCH_ROWS, TASK_STATUS, type TaskBatch, type TaskConsumer } from "../tasks/task-batch.ts";
import type { ExactValues, TaskColumns } from "../tasks/task-columns.ts";
import type { ModelContext } from "./context.ts";
import { ParkedMap } from "./parked-map.ts";
import { type PackedColumns, StageColumns } from "./stage-columns.ts";
import type { LiveJob, StageInfo } from "./stage-info.ts";
import { NO_TOTALS, type StageSummary, summarizeStage } from "./summarize-stage.ts";
import { summarizeStageExecutors } from "./summarize-stage-executors.ts";

/** How many bytes of task columns the live stages may hold together; beyond it the largest goes to a scratch file. */
const COLUMN_BUDGET_BYTES = 32 * 1024 ** 2;

/** Different texts of stages that are kept to be shared. */
const MAX_SHARED_TEXTS = 1000;

/** Lines counted as the History Server counts them. */
interface Counts {
  starts: number;
  ends: number;
  succeeded: number;
  failed: number;
  killed: number;
}

export interface LiveStage {
  id: number;
  attempt: number;
  info: StageInfo | null;
  status: "pending" | "active" | "complete" | "failed" | "skipped";
  pool: string | null;
  /** Ids of the jobs that list it. */
  jobs: Set<number>;
  counts: Counts;
  firstLaunch: number | null;
  firstRow: number | null;
  lastRow: number | null;
  /** null: given up for lack of room, or written; the table has them. */
  columns: StageColumns | null;
  /** Its row is in the database. */
  written: boolean;
  /** Resubmitted ends by executor: no tasks, but failed ends of its executor summary. */
  resubmitted: Map<string, number> | null;
  /** Something came after it was written, or a value passed 2^53: made anew from the table at the end. */
  stale: boolean;
}

/** Hands on the tasks of one stage attempt, read back from the table within its range of rows. */
export type LoadTasks = (stage: LiveStage, take: (batch: TaskBatch) => void) => ExactValues;

type PackedStage = Omit<LiveStage, "columns"> & { columns: PackedColumns | null };

/** Of columns of which no value passes 2^53: others are read back from the table. */
const NOTHING_ROUNDED: ExactValues = { isRounded: () => false, exact: () => new BigInt64Array(0) };

/** Stage attempts: what they are told by their own events and what follows from their tasks. */
export class StageModel implements TaskConsumer {
  readonly #context: ModelContext;
  readonly #strings: StringTable;
  readonly #jobs: ParkedMap<LiveJob>;
  readonly #scratch: ScratchFile;
  readonly #budget: number;
  /** Attempts by stage id. */
  readonly #stages: ParkedMap<LiveStage[]>;
  /** Stage ids of which an attempt is not written, or not as it is now. */
  readonly #unwritten = new Set<number>();
  readonly #holding = new Set<LiveStage>();
  readonly #texts = new Map<string, string>();
  /** Ids of jobs of which tasks ended after their JobEnd: the History Server counts those too. */
  readonly lateJobs = new Set<number>();
  #held = 0;
  #taskRows = 0;

  /** @param jobs the jobs seen; their counts are changed here */
  constructor(
    context: ModelContext,
    strings: StringTable,
    jobs: ParkedMap<LiveJob>,
    scratch: ScratchFile,
    budget: number = COLUMN_BUDGET_BYTES,
  ) {
    this.#context = context;
    this.#strings = strings;
    this.#jobs = jobs;
    this.#scratch = scratch;
    this.#budget = budget;
    this.#stages = new ParkedMap(scratch, {
      pack: (attempts) => attempts.map((stage) => this.#pack(stage)),
      unpack: (attempts) => (attempts as PackedStage[]).map((stage) => this.#unpack(stage)),
    });
  }

  /** A job lists the stage: it becomes pending unless it is known. */
  announce(info: StageInfo, jobId: number): void {
    const stage = this.get(info.stageId, info.stageAttemptId);
    stage.info ??= this.#lean(info);
    for (const attempt of this.#stages.get(info.stageId) ?? []) attempt.jobs.add(jobId);
  }

  submitted(info: StageInfo, pool: string | null): LiveStage {
    const stage = this.get(info.stageId, info.stageAttemptId);
    stage.info = this.#lean(info);
    if (stage.status === "pending" || stage.status === "skipped") stage.status = "active";
    stage.pool = pool;
    // A retry belongs to the jobs of its first attempt, and makes the stage incomplete for them again.
    for (const other of this.#stages.get(info.stageId) ?? [])
      for (const job of other.jobs) stage.jobs.add(job);
    for (const job of this.#jobsOf(stage)) job.completedStageIds.delete(stage.id);
    this.#context.clock.see(info.submission_time_ms as number | null);
    return stage;
  }

  completed(info: StageInfo): LiveStage {
    const stage = this.get(info.stageId, info.stageAttemptId);
    stage.info = this.#lean(info);
    stage.status =
      info.failure_reason !== null ? "failed" : info.submission_time_ms !== null ? "complete" : "skipped";
    this.#context.clock.see(info.completion_time_ms as number | null);
    for (const job of this.#jobsOf(stage)) {
      if (stage.status === "failed") job.failedStages++;
      else job.completedStageIds.add(stage.id);
    }
    this.#writeReportedTotals(stage, info);
    if (stage.written) this.#outdate(stage);
    else if (stage.counts.ends >= stage.counts.starts) this.#write(stage);
    return stage;
  }

  /** Pending stages of an ended job were skipped: their output existed already. */
  skipPending(job: LiveJob): { stages: number; tasks: number } {
    const skipped = { stages: 0, tasks: 0 };
    for (const id of job.stageIds) {
      for (const stage of this.#stages.get(id) ?? []) {
        if (stage.status !== "pending" || stage.counts.ends > 0) continue;
        stage.status = "skipped";
        skipped.stages++;
        skipped.tasks += Number(stage.info?.number_of_tasks ?? 0);
        this.#write(stage);
      }
    }
    return skipped;
  }

  taskStarted(stageId: number, attempt: number, launch: number | null): void {
    const stage = this.get(stageId, attempt);
    stage.counts.starts++;
    if (stage.status === "pending") stage.status = "active";
    if (launch !== null && (stage.firstLaunch === null || launch < stage.firstLaunch))
      stage.firstLaunch = launch;
    if (stage.written) this.#outdate(stage);
  }

  /** A Resubmitted TaskEnd: its task succeeded before, and counts as failed too. */
  resubmitted(stageId: number, attempt: number, executorId: string): void {
    const stage = this.repeatedEnd(stageId, attempt);
    stage.counts.failed++;
    stage.resubmitted ??= new Map();
    stage.resubmitted.set(executorId, (stage.resubmitted.get(executorId) ?? 0) + 1);
    for (const job of this.#jobsOf(stage)) {
      job.failedTasks++;
      if (job.ended) this.lateJobs.add(job.id);
    }
  }

  /** A TaskEnd that adds no task, such as a repeated line. */
  repeatedEnd(stageId: number, attempt: number): LiveStage {
    const stage = this.get(stageId, attempt);
    stage.counts.ends++;
    // It has no start of its own; the balance tells whether tasks still run.
    stage.counts.starts++;
    if (stage.written) this.#outdate(stage);
    return stage;
  }

  tasks(batch: TaskBatch): void {
    const ids = batch.column("stage_id");
    const attempts = batch.column("stage_attempt_id");
    let from = 0;
    while (from < batch.rows) {
      let to = from + 1;
      while (to < batch.rows && ids[to] === ids[from] && attempts[to] === attempts[from]) to++;
      this.#append(this.get(ids[from] ?? 0, attempts[from] ?? 0), batch, from, to);
      from = to;
    }
    this.#taskRows += batch.rows;
    this.#keepToBudget();
  }

  get(stageId: number, attempt: number): LiveStage {
    let attempts = this.#stages.get(stageId);
    if (!attempts) {
      attempts = [];
      this.#stages.set(stageId, attempts);
    }
    for (const stage of attempts) if (stage.attempt === attempt) return stage;
    const stage: LiveStage = {
      id: stageId,
      attempt,
      info: null,
      status: "pending",
      pool: null,
      jobs: new Set(),
      counts: { starts: 0, ends: 0, succeeded: 0, failed: 0, killed: 0 },
      firstLaunch: null,
      firstRow: null,
      lastRow: null,
      columns: null,
      written: false,
      resubmitted: null,
      stale: false,
    };
    attempts.push(stage);
    this.#unwritten.add(stageId);
    return stage;
  }

  /** Writes what is not written yet, and what changed since it was. The task table must be complete. */
  finish(load: LoadTasks): void {
    for (const stageId of this.#unwritten)
      for (const stage of this.#stages.get(stageId) ?? []) {
        if (stage.written && !stage.stale) continue;
        if (stage.counts.ends > 0 && (stage.stale || stage.columns === null)) this.#writeAnew(stage, load);
        else this.#writeColumns(stage);
      }
  }

  #writeAnew(stage: LiveStage, load: LoadTasks): void {
    const columns = new StageColumns();
    columns.spill(this.#scratch);
    const exact = load(stage, (batch) => columns.append(batch, 0, batch.rows));
    this.#insert(stage, columns, exact);
  }

  #pack(stage: LiveStage): PackedStage {
    const { columns } = stage;
    this.#release(stage);
    return { ...stage, columns: columns?.pack(this.#scratch) ?? null };
  }

  #unpack(stage: PackedStage): LiveStage {
    return { ...stage, columns: stage.columns && StageColumns.unpack(stage.columns, this.#scratch) };
  }

  *#jobsOf(stage: LiveStage): Iterable<LiveJob> {
    for (const id of stage.jobs) {
      const job = this.#jobs.get(id);
      if (job) yield job;
    }
  }

  /** What was written is no longer all: the stage is made anew from the table at the end. */
  #outdate(stage: LiveStage): void {
    stage.stale = true;
    this.#unwritten.add(stage.id);
  }

  /** What a stage is remembered by. Its lists, and a call site for each, would make memory grow with the stages. */
  #lean(info: StageInfo): StageInfo {
    return {
      ...info,
      name: this.#shared(info.name),
      details: this.#shared(info.details),
      rdds: [],
      accumulables: [],
    };
  }

  /** One string for equal texts: stages of a loop have the same call site. */
  #shared(text: string | null): string | null {
    if (text === null) return null;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= MAX_SHARED_TEXTS) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }

  #append(stage: LiveStage, batch: TaskBatch, from: number, to: number): void {
    stage.firstRow ??= this.#taskRows + from;
    stage.lastRow = this.#taskRows + to - 1;
    if (stage.status === "pending") stage.status = "active";
    this.#count(stage, batch, from, to);
    if (stage.written || stage.stale || hasBig(batch, from, to)) {
      this.#outdate(stage);
      this.#release(stage);
      return;
    }
    stage.columns ??= new StageColumns(Number(stage.info?.number_of_tasks ?? 0));
    const before = stage.columns.bytes;
    stage.columns.append(batch, from, to);
    this.#held += stage.columns.bytes - before;
    this.#holding.add(stage);
    const finished = stage.status === "complete" || stage.status === "failed";
    if (finished && stage.counts.ends >= stage.counts.starts) this.#write(stage);
  }

  #count(stage: LiveStage, batch: TaskBatch, from: number, to: number): void {
    const status = batch.column("status");
    let succeeded = 0;
    let failed = 0;
    for (let row = from; row < to; row++) {
      if (status[row] === TASK_STATUS.success) succeeded++;
      else if (status[row] === TASK_STATUS.failed) failed++;
    }
    const killed = to - from - succeeded - failed;
    stage.counts.ends += to - from;
    stage.counts.succeeded += succeeded;
    stage.counts.failed += failed;
    stage.counts.killed += killed;
    for (const job of this.#jobsOf(stage)) {
      job.completedTasks += succeeded;
      job.failedTasks += failed;
      job.killedTasks += killed;
      if (job.ended) this.lateJobs.add(job.id);
    }
  }

  #keepToBudget(): void {
    while (this.#held > this.#budget) {
      let largest: LiveStage | null = null;
      for (const stage of this.#holding)
        if (!largest || (stage.columns?.bytes ?? 0) > (largest.columns?.bytes ?? 0)) largest = stage;
      if (!largest?.columns) return;
      this.#held -= largest.columns.bytes;
      largest.columns.spill(this.#scratch);
      this.#holding.delete(largest);
    }
  }

  #release(stage: LiveStage): void {
    this.#held -= stage.columns?.bytes ?? 0;
    stage.columns = null;
    this.#holding.delete(stage);
  }

  #write(stage: LiveStage): void {
    if (!stage.stale) this.#writeColumns(stage);
  }

  #writeColumns(stage: LiveStage): void {
    this.#insert(stage, stage.columns ?? new StageColumns(), NOTHING_ROUNDED);
    this.#release(stage);
  }

  #insert(stage: LiveStage, columns: StageColumns, exact: ExactValues): void {
    const { rows } = this.#context;
    const key = { stage_id: stage.id, stage_attempt_id: stage.attempt };
    const tasks: TaskColumns = { rows: columns.rows, blocks: () => columns.blocks(), ...exact };
    const summary = tasks.rows > 0 ? summarizeStage(tasks) : null;
    rows.insert("stage", stageRow(stage, summary));
    if (summary) rows.insert("stage_distribution", { ...key, quantiles_json: summary.quantilesJson });
    if (tasks.rows > 0)
      for (const row of summarizeStageExecutors(key, tasks, this.#strings)) {
        row.failed = Number(row.failed) + (stage.resubmitted?.get(row.executor_id) ?? 0);
        rows.insert("stage_executor", row);
      }
    if (summary && summary.overflowed.length > 0)
      this.#context.issues.add(
        "bad-values",
        `stage ${stage.id}.${stage.attempt}: the sum of ${summary.overflowed.join(", ")} passes 2^63 - 1 and is left out`,
      );
    stage.written = true;
    stage.stale = false;
    const attempts = this.#stages.get(stage.id) ?? [];
    if (attempts.every((attempt) => attempt.written && !attempt.stale)) this.#unwritten.delete(stage.id);
  }

  /** StageCompleted carries the attempt's own totals and the user's accumulators. */
  #writeReportedTotals({ id, attempt }: LiveStage, info: StageInfo): void {
    const { rows } = this.#context;
    const totals = new Map<string, Int>();
    for (const item of info.accumulables) {
      const accumulable = object(item);
      const name = text(accumulable.Name);
      const metric = REPORTED.get(name ?? "");
      const value = metric === undefined ? null : int(accumulable.Value);
      if (metric !== undefined && value !== null) totals.set(metric, value);
      if (accumulable.Internal === true || accumulable.Metadata === "sql") continue;
      const accumulatorId = smallInt(accumulable.ID);
      if (accumulatorId === null) continue;
      rows.insert("stage_accumulable", {
        stage_id: id,
        stage_attempt_id: attempt,
        accumulator_id: accumulatorId,
        name,
        value: valueText(accumulable.Value),
      });
    }
    const members = Array.from(totals, ([metric, value]) => `"${metric}":${value}`);
    if (members.length > 0)
      rows.insert("stage_reported", {
        stage_id: id,
        stage_attempt_id: attempt,
        totals_json: `{${members.join()}}`,
      });
  }
}

/** Accumulators of StageCompleted -> column of stage. */
const REPORTED = new Map(
  Object.entries({
    executorDeserializeTime: "executor_deserialize_time_ms",
    executorDeserializeCpuTime: "executor_deserialize_cpu_time_ns",
    executorRunTime: "executor_run_time_ms",
    executorCpuTime: "executor_cpu_time_ns",
    resultSize: "result_size_bytes",
    jvmGCTime: "jvm_gc_time_ms",
    resultSerializationTime: "result_serialization_time_ms",
    memoryBytesSpilled: "memory_bytes_spilled",
    diskBytesSpilled: "disk_bytes_spilled",
    "shuffle.read.remoteBytesRead": "remote_bytes_read",
    "shuffle.read.localBytesRead": "local_bytes_read",
    "shuffle.read.fetchWaitTime": "fetch_wait_time_ms",
    "shuffle.read.recordsRead": "shuffle_records_read",
    "shuffle.write.bytesWritten": "shuffle_bytes_written",
    "shuffle.write.recordsWritten": "shuffle_records_written",
    "shuffle.write.writeTime": "shuffle_write_time_ns",
    "input.bytesRead": "input_bytes_read",
    "input.recordsRead": "input_records_read",
    "output.bytesWritten": "output_bytes_written",
    "output.recordsWritten": "output_records_written",
  }).map(([name, column]) => [`internal.metrics.${name}`, column]),
);

function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function hasBig(batch: TaskBatch, from: number, to: number): boolean {
  for (const at of batch.big.keys()) {
    const row = at % BATCH_ROWS;
    if (row >= from && row < to) return true;
  }
  return false;
}

function stageRow(stage: LiveStage, summary: StageSummary | null): StageRow {
  const info = stage.info;
  const firsts = [stage.firstLaunch, summary?.firstLaunch ?? null].filter((launch) => launch !== null);
  return {
    stage_id: stage.id,
    stage_attempt_id: stage.attempt,
    name: info?.name ?? null,
    details: info?.details ?? null,
    status: stage.status,
    number_of_tasks: info?.number_of_tasks ?? null,
    submission_time_ms: info?.submission_time_ms ?? null,
    // StageSubmitted of some versions already carries a Completion Time (a race in the driver).
    completion_time_ms: stage.status === "active" ? null : (info?.completion_time_ms ?? null),
    first_task_launched_time_ms: firsts.length > 0 ? Math.min(...firsts) : null,
    failure_reason: info?.failure_reason ?? null,
    parent_ids_json: info?.parent_ids_json ?? "[]",
    resource_profile_id: info?.resource_profile_id ?? null,
    pool: stage.pool,
    shuffle_push_enabled: info?.shuffle_push_enabled ?? null,
    own_time_ms: null,
    first_task_rowid: stage.firstRow === null ? null : stage.firstRow + 1,
    last_task_rowid: stage.lastRow === null ? null : stage.lastRow + 1,
    task_starts: stage.counts.starts,
    task_ends: stage.counts.ends,
    succeeded: stage.counts.succeeded,
    failed: stage.counts.failed,
    killed: stage.counts.killed,
    ...(summary?.totals ?? NO_TOTALS),
  };
}
