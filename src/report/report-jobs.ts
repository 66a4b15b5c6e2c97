import type { JobStagesRow } from "../queries/job-stages.ts";
import type { JobsRow } from "../queries/jobs.ts";
import type { ReportJob } from "./report.ts";

export function reportJobs(rows: readonly JobsRow[], jobStages: readonly JobStagesRow[]): ReportJob[] {
  const stagesOf = new Map<number, number[]>();
  for (const { job_id, stage_id } of jobStages) {
    const stages = stagesOf.get(Number(job_id));
    if (stages) stages.push(Number(stage_id));
    else stagesOf.set(Number(job_id), [Number(stage_id)]);
  }
  return rows.map((row) => ({
    jobId: row.job_id,
    status: row.status,
    submittedMs: row.submission_time_ms,
    completedMs: row.completion_time_ms,
    durationMs:
      row.submission_time_ms === null || row.completion_time_ms === null
        ? null
        : Math.max(0, Number(row.completion_time_ms) - Number(row.submission_time_ms)),
    stageIds: stagesOf.get(Number(row.job_id)) ?? [],
    sqlExecutionId: row.execution_id,
    description: row.description,
    failure: row.failure,
  }));
}
