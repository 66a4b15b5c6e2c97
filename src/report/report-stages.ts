import { type Int, narrow, type RunQuery } from "../queries/query.ts";
import { slowestStageRunTimes } from "../queries/slowest-stage-run-times.ts";
import { slowestStages } from "../queries/slowest-stages.ts";
import { stageJobs } from "../queries/stage-jobs.ts";
import { type StageMetricsRow, stageMetrics } from "../queries/stage-metrics.ts";
import { type StageQuantilesRow, stageQuantiles } from "../queries/stage-quantiles.ts";
import { type StagesRow, stages } from "../queries/stages.ts";
import { OrderedGroups } from "./ordered-groups.ts";
import type { Quantiles, ReportInt, ReportStage, StageSummary } from "./report.ts";

/** "executor_run_time_ms" -> "executorRunTimeMs". */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The report's `stages[]`: every attempt by id, skipped stages included. */
export function* reportStages(run: RunQuery, applicationMs: number | null): Generator<ReportStage> {
  const metrics = new OrderedGroups(run.each(stageMetrics), (row) => [row.stage_id, row.stage_attempt_id]);
  const jobs = jobsByStage(run);
  const nameOf = camelCaseOnce();
  try {
    for (const row of run.each(stages)) {
      const [own] = metrics.take(row.stage_id, row.stage_attempt_id);
      const named = own
        ? Object.fromEntries(quantilesOfStage(run, own).map(([name, values]) => [nameOf(name), values]))
        : {};
      yield {
        ...summarize(row, named.executorRunTimeMs ?? null, applicationMs),
        jobIds: jobs(row.stage_id),
        metrics: named,
      };
    }
  } finally {
    metrics.close();
    jobs.close();
  }
}

/** An integer of 16 digits or more may be beyond 2^53, where JSON.parse rounds. */
const LARGE = /\d{16}/;

function quantilesOfStage(run: RunQuery, row: StageMetricsRow): [metric: string, Quantiles][] {
  if (LARGE.test(row.quantiles_json)) {
    const { stage_id, stage_attempt_id } = row;
    const own = `stage_id = ${stage_id} AND stage_attempt_id = ${stage_attempt_id}`;
    return [...run.each(narrow(stageQuantiles, own))].map((exact) => [exact.metric, quantilesOf(exact)]);
  }
  const metrics = Object.entries(JSON.parse(row.quantiles_json) as Record<string, number[]>);
  return metrics.map(
    ([metric, [, min = 0, p05 = 0, p25 = 0, p50 = 0, p75 = 0, p95 = 0, p99 = 0, max = 0]]) => [
      metric,
      { min, p05, p25, p50, p75, p95, p99, max },
    ],
  );
}

function camelCaseOnce(): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const made = known.get(name) ?? camelCase(name);
    known.set(name, made);
    return made;
  };
}

/** What the printed formats list: the attempts with most own time, slowest first. */
export function summarizeSlowest(run: RunQuery, applicationMs: number | null): StageSummary[] {
  const runTimes = run(slowestStageRunTimes);
  return run(slowestStages).map((row) => {
    const own = runTimes.find(
      (q) => q.stage_id === row.stage_id && q.stage_attempt_id === row.stage_attempt_id,
    );
    return summarize(row, own ? quantilesOf(own) : null, applicationMs);
  });
}

interface JobsOfStages {
  (stageId: Int): number[];
  close(): void;
}

/** Jobs of a stage, for ids asked in ascending order; each as often as it has attempts. */
function jobsByStage(run: RunQuery): JobsOfStages {
  const groups = new OrderedGroups(run.each(stageJobs), (row) => [row.stage_id]);
  let last: { stageId: Int; jobIds: number[] } | null = null;
  const of = (stageId: Int): number[] => {
    if (last?.stageId !== stageId)
      last = { stageId, jobIds: groups.take(stageId).map(({ job_id }) => Number(job_id)) };
    return last.jobIds;
  };
  return Object.assign(of, { close: () => groups.close() });
}

/** Totals are sums over all ended tasks with metrics. */
function summarize(row: StagesRow, run: Quantiles | null, applicationMs: number | null): StageSummary {
  const durationMs = stageDuration(row);
  return {
    stageId: Number(row.stage_id),
    stageAttemptId: Number(row.stage_attempt_id),
    name: row.name,
    status: row.status,
    submittedMs: row.submission_time_ms,
    completedMs: row.completion_time_ms,
    firstTaskLaunchedMs: row.first_task_launched_time_ms,
    durationMs,
    ownTimeMs: row.own_time_ms,
    shareOfApplication: share(durationMs, applicationMs),
    expectedTasks: row.number_of_tasks,
    lowerBound: isLowerBound(row),
    tasks: Number(row.tasks),
    taskEnds: Number(row.task_ends),
    succeeded: Number(row.succeeded),
    failed: Number(row.failed),
    killed: Number(row.killed),
    inputBytes: row.input_bytes_read,
    inputRecords: row.input_records_read,
    outputBytes: row.output_bytes_written,
    outputRecords: row.output_records_written,
    shuffleReadBytes: row.shuffle_bytes_read,
    shuffleReadRecords: row.shuffle_records_read,
    shuffleWriteBytes: row.shuffle_bytes_written,
    shuffleWriteRecords: row.shuffle_records_written,
    shuffleWriteOverInput: ratio(row.shuffle_bytes_written, row.input_bytes_read),
    memoryBytesSpilled: row.memory_bytes_spilled,
    diskBytesSpilled: row.disk_bytes_spilled,
    spillingTasks: Number(row.spilling_tasks),
    jvmGcTimeMs: row.jvm_gc_time_ms,
    executorRunTimeMs: row.executor_run_time_ms,
    executorCpuTimeNs: row.executor_cpu_time_ns,
    runTimeMs: run,
    skewRatio: run === null ? null : ratio(run.max, run.p50),
    failureReason: row.failure_reason,
  };
}

/** Completion - first task launch, as the stage page shows it; 0 where the clock went back; null without either. */
function stageDuration(row: StagesRow): number | null {
  if (row.completion_time_ms === null || row.first_task_launched_time_ms === null) return null;
  return Math.max(0, Number(row.completion_time_ms) - Number(row.first_task_launched_time_ms));
}

/** Task ends are missing: an index of a complete stage has none, or the stage itself reports more run time. */
function isLowerBound(row: StagesRow): boolean {
  const missing =
    row.status === "complete" && Number(row.completed_indices) < Number(row.number_of_tasks ?? 0);
  return missing || Number(row.reported_run_time_ms ?? 0) > Number(row.executor_run_time_ms ?? 0);
}

function quantilesOf({ min, p05, p25, p50, p75, p95, p99, max }: StageQuantilesRow): Quantiles {
  return { min, p05, p25, p50, p75, p95, p99, max };
}

export function ratio(value: ReportInt, base: ReportInt): number | null {
  if (value === null || base === null || Number(base) <= 0) return null;
  return Math.round((Number(value) / Number(base)) * 1e4) / 1e4;
}

export function share(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null || whole <= 0) return null;
  return Math.min(1, Math.round((part / whole) * 1e4) / 1e4);
}
