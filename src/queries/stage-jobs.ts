import { defineQuery, type Int } from "./query.ts";

export interface StageJobsRow {
  stage_id: Int;
  job_id: Int;
}

/** One row a stage and job that lists it, by stage. */
export const stageJobs = defineQuery<StageJobsRow>({
  name: "stage-jobs",
  about: "One row a stage and job that lists it, by stage.",
  columns: ["stage_id", "job_id"],
  sql: /* sql */ `
    SELECT stage_id, job_id
    FROM job_stage
    WHERE log_id = $log_id
    ORDER BY stage_id, job_id
  `,
});
