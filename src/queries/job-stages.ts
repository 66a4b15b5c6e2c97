import { defineQuery, type Int } from "./query.ts";

export interface JobStagesRow {
  job_id: Int;
  stage_id: Int;
}

/** One row a job and stage, by job. */
export const jobStages = defineQuery<JobStagesRow>({
  name: "job-stages",
  about: "One row a job and stage, by job.",
  columns: ["job_id", "stage_id"],
  sql: /* sql */ `
    SELECT job_id, stage_id
    FROM job_stage
    WHERE log_id = $log_id
    ORDER BY job_id, stage_id
  `,
});
