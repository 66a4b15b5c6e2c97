import { jobStages } from "../queries/job-stages.ts";
import { jobs } from "../queries/jobs.ts";
import type { RunQuery } from "../queries/query.ts";
import { OrderedGroups } from "./ordered-groups.ts";
import type { ReportJob } from "./report.ts";

/** The report's `jobs[]`, by id. */
export function* reportJobs(run: RunQuery): Generator<ReportJob> {
  const stages = new OrderedGroups(run.each(jobStages), (row) => [row.job_id]);
  try {
    for (const row of run.each(jobs)) {
      yield {
        jobId: row.job_id,
        status: row.status,
        submittedMs: row.submission_time_ms,
        completedMs: row.completion_time_ms,
        durationMs:
          row.submission_time_ms === null || row.completion_time_ms === null
            ? null
            : Math.max(0, Number(row.completion_time_ms) - Number(row.submission_time_ms)),
        stageIds: stages.take(row.job_id).map(({ stage_id }) => Number(stage_id)),
        sqlExecutionId: row.execution_id,
        description: row.description,
        failure: row.failure,
      };
    }
  } finally {
    stages.close();
  }
}
