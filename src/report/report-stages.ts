import type { JobStagesRow } from "../queries/job-stages.ts";
import type { StageQuantilesRow } from "../queries/stage-quantiles.ts";
import type { StagesRow } from "../queries/stages.ts";
import type { Quantiles, ReportInt, ReportStage } from "./report.ts";

/** "executor_run_time_ms" -> "executorRunTimeMs". */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

export function hasRun(status: string): boolean {
  return status !== "skipped" && status !== "pending";
}

/** Every attempt, skipped stages included; totals are sums over all ended tasks with metrics. */
export function reportStages(
  rows: readonly StagesRow[],
  quantiles: readonly StageQuantilesRow[],
  jobStages: readonly JobStagesRow[],
  applicationMs: number | null,
): ReportStage[] {
  const metricsOf = groupQuantiles(quantiles);
  const jobsOf = new Map<number, number[]>();
  for (const { job_id, stage_id } of jobStages) {
    const jobs = jobsOf.get(Number(stage_id));
    if (jobs) jobs.push(Number(job_id));
    else jobsOf.set(Number(stage_id), [Number(job_id)]);
  }
  return rows.map((row) => {
    const metrics = metricsOf.get(`${row.stage_id}.${row.stage_attempt_id}`) ?? {};
    const run = metrics.executorRunTimeMs ?? null;
    const durationMs = stageDuration(row);
    return {
      stageId: Number(row.stage_id),
      stageAttemptId: Number(row.stage_attempt_id),
      name: row.name,
      status: row.status,
      jobIds: jobsOf.get(Number(row.stage_id)) ?? [],
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
      metrics,
      skewRatio: run === null ? null : ratio(run.max, run.p50),
      failureReason: row.failure_reason,
    };
  });
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

function groupQuantiles(rows: readonly StageQuantilesRow[]): Map<string, Record<string, Quantiles>> {
  const groups = new Map<string, Record<string, Quantiles>>();
  for (const row of rows) {
    const key = `${row.stage_id}.${row.stage_attempt_id}`;
    const group = groups.get(key) ?? {};
    const { min, p05, p25, p50, p75, p95, p99, max } = row;
    group[camelCase(row.metric)] = { min, p05, p25, p50, p75, p95, p99, max };
    groups.set(key, group);
  }
  return groups;
}

export function ratio(value: ReportInt, base: ReportInt): number | null {
  if (value === null || base === null || Number(base) <= 0) return null;
  return Math.round((Number(value) / Number(base)) * 1e4) / 1e4;
}

export function share(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null || whole <= 0) return null;
  return Math.min(1, Math.round((part / whole) * 1e4) / 1e4);
}
