import { array, type Json, object, smallInt, text, time } from "../json.ts";
import type { JobRow } from "../store/rows.ts";
import type { ModelContext } from "./context.ts";
import type { ParkedMap } from "./parked-map.ts";
import { type LiveJob, type StageInfo, stageInfo } from "./stage-info.ts";
import type { StageModel } from "./stage-model.ts";

/** Jobs from JobStart to JobEnd; counts as the History Server's jobs page makes them. */
export class JobModel {
  readonly #context: ModelContext;
  readonly #stages: StageModel;
  readonly #jobs: ParkedMap<LiveJob>;
  readonly #running = new Set<number>();
  /** JobEnd lines without their JobStart. */
  endsWithoutStart = 0;

  constructor(context: ModelContext, jobs: ParkedMap<LiveJob>, stages: StageModel) {
    this.#context = context;
    this.#jobs = jobs;
    this.#stages = stages;
  }

  /** @returns what the SQL model wants to know of the job */
  start(json: Json): { jobId: number; executionId: number | null; stages: StageInfo[] } | null {
    const jobId = smallInt(json["Job ID"]);
    if (jobId === null) return null;
    const properties = object(json.Properties);
    const infos = array(json["Stage Infos"])
      .map(stageInfo)
      .filter((info) => info !== null);
    const listed = array(json["Stage IDs"])
      .map(smallInt)
      .filter((id) => id !== null);
    const stageIds = [...new Set([...listed, ...infos.map((info) => info.stageId)])];
    const named = infos.reduce<StageInfo | null>((a, b) => (a && a.stageId > b.stageId ? a : b), null);
    const executionId = idText(properties["spark.sql.execution.id"]);
    const row: JobRow = {
      job_id: jobId,
      status: "running",
      submission_time_ms: this.#context.clock.see(time(json["Submission Time"])),
      completion_time_ms: null,
      name: named?.name ?? null,
      description: text(properties["spark.job.description"]),
      job_group: text(properties["spark.jobGroup.id"]),
      job_tags: text(properties["spark.job.tags"]),
      pool: text(properties["spark.scheduler.pool"]),
      num_tasks: infos
        .filter((info) => info.completion_time_ms === null)
        .reduce((sum, info) => sum + Number(info.number_of_tasks ?? 0), 0),
      execution_id: executionId,
      root_execution_id: idText(properties["spark.sql.execution.root.id"]) ?? executionId,
      streaming_query_id: text(properties["sql.streaming.queryId"]),
      streaming_batch_id: idText(properties["streaming.sql.batchId"]),
      failure: null,
      completed_tasks: 0,
      failed_tasks: 0,
      killed_tasks: 0,
      skipped_stages: 0,
      skipped_tasks: 0,
      completed_stages: 0,
      failed_stages: 0,
    };
    this.#jobs.set(jobId, {
      id: jobId,
      row,
      stageIds,
      completedStageIds: new Set(),
      completedTasks: 0,
      failedTasks: 0,
      killedTasks: 0,
      failedStages: 0,
      ended: false,
    });
    this.#running.add(jobId);
    for (const stage_id of stageIds) this.#context.rows.insert("job_stage", { job_id: jobId, stage_id });
    for (const info of infos) this.#stages.announce(info, jobId);
    return { jobId, executionId, stages: infos };
  }

  /** @returns the job's id and outcome, null where the id is missing */
  end(json: Json): { jobId: number; succeeded: boolean } | null {
    const jobId = smallInt(json["Job ID"]);
    if (jobId === null) return null;
    const result = object(json["Job Result"]);
    const succeeded = text(result.Result) === "JobSucceeded";
    const completed = this.#context.clock.see(time(json["Completion Time"]));
    const job = this.#jobs.get(jobId);
    if (!job || job.ended) {
      this.endsWithoutStart++;
      return { jobId, succeeded };
    }
    job.row.status = succeeded ? "succeeded" : "failed";
    job.row.completion_time_ms = completed;
    job.row.failure = succeeded ? null : (text(object(result.Exception).Message) ?? "no reason in the log");
    job.ended = true;
    const skipped = this.#stages.skipPending(job);
    job.row.skipped_stages = skipped.stages;
    job.row.skipped_tasks = skipped.tasks;
    this.#write(job);
    this.#running.delete(jobId);
    return { jobId, succeeded };
  }

  /** Writes (again) what is known of a job. */
  #write(job: LiveJob): void {
    job.row.completed_tasks = job.completedTasks;
    job.row.failed_tasks = job.failedTasks;
    job.row.killed_tasks = job.killedTasks;
    job.row.completed_stages = job.completedStageIds.size;
    job.row.failed_stages = job.failedStages;
    this.#context.rows.insert("job", job.row);
  }

  /** Writes the jobs that never ended, and again those of which tasks ended later. @returns how many never ended */
  finish(): number {
    for (const jobId of [...this.#stages.lateJobs, ...this.#running]) {
      const job = this.#jobs.get(jobId);
      if (job) this.#write(job);
    }
    return this.#running.size;
  }
}

/** Properties hold numbers as text. */
function idText(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return smallInt(number);
}
