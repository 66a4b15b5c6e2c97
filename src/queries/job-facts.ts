import { defineQuery, type Int } from "./query.ts";

export interface JobFactsRow {
  job_id: Int;
  status: string;
  submission_time_ms: Int | null;
  completion_time_ms: Int | null;
  name: string | null;
  description: string | null;
  execution_id: Int | null;
  root_execution_id: Int | null;
  streaming_query_id: string | null;
  streaming_batch_id: Int | null;
  failure: string | null;
  /** JSON array of its stage ids. */
  stage_ids_json: string;
}

/** One row a job with the ids of its stages, in order of submission. */
export const jobFacts = defineQuery<JobFactsRow>({
  name: "job-facts",
  about: "One row a job with the ids of its stages, in order of submission.",
  columns: [
    "job_id",
    "status",
    "submission_time_ms",
    "completion_time_ms",
    "name",
    "description",
    "execution_id",
    "root_execution_id",
    "streaming_query_id",
    "streaming_batch_id",
    "failure",
    "stage_ids_json",
  ],
  sql: /* sql */ `
    SELECT
      j.job_id,
      j.status,
      j.submission_time_ms,
      j.completion_time_ms,
      j.name,
      j.description,
      j.execution_id,
      j.root_execution_id,
      j.streaming_query_id,
      j.streaming_batch_id,
      j.failure,
      (
        SELECT json_group_array(s.stage_id)
        FROM job_stage AS s
        WHERE s.log_id = j.log_id
          AND s.job_id = j.job_id
      ) AS stage_ids_json
    FROM job AS j
    WHERE j.log_id = $log_id
    ORDER BY j.submission_time_ms, j.job_id
  `,
});
