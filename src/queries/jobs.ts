import { defineQuery, type Int } from "./query.ts";

export interface JobsRow {
  job_id: Int;
  status: string;
  submission_time_ms: Int | null;
  completion_time_ms: Int | null;
  name: string | null;
  description: string | null;
  execution_id: Int | null;
  root_execution_id: Int | null;
  num_tasks: Int;
  completed_tasks: Int;
  failed_tasks: Int;
  killed_tasks: Int;
  failure: string | null;
}

/** One row a job, by id. */
export const jobs = defineQuery<JobsRow>({
  name: "jobs",
  about: "One row a job, by id.",
  columns: [
    "job_id",
    "status",
    "submission_time_ms",
    "completion_time_ms",
    "name",
    "description",
    "execution_id",
    "root_execution_id",
    "num_tasks",
    "completed_tasks",
    "failed_tasks",
    "killed_tasks",
    "failure",
  ],
  sql: /* sql */ `
    SELECT job_id, status, submission_time_ms, completion_time_ms, name, description, execution_id,
      root_execution_id, num_tasks, completed_tasks, failed_tasks, killed_tasks, failure
    FROM job
    WHERE log_id = $log_id
    ORDER BY job_id
  `,
});
