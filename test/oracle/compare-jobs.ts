import type { Answer, Answers } from "./answers.ts";
import { JOB } from "./columns.ts";
import type { Rows } from "./compare-log.ts";
import { type Comparer, type Plain, timeOf } from "./comparer.ts";

export function compareJobs(comparer: Comparer, rows: Rows, answers: Answers): void {
  const jobs = new Map(rows("SELECT * FROM job").map((job) => [job.job_id, job]));
  comparer.value("job.count", "", jobs.size, answers.jobs.length);
  for (const theirs of answers.jobs) {
    const ours = jobs.get(theirs.jobId as number);
    const which = String(theirs.jobId);
    comparer.value("job.jobId", which, ours?.job_id ?? null, theirs.jobId);
    if (ours) compareJob(comparer, rows, which, ours, theirs);
  }
}

function compareJob(
  comparer: Comparer,
  rows: Rows,
  which: string,
  ours: Record<string, Plain>,
  theirs: Answer,
): void {
  comparer.fields("job", which, ours, theirs, JOB);
  comparer.value("job.status", which, String(ours.status).toUpperCase(), theirs.status);
  comparer.value("job.submissionTime", which, ours.submission_time_ms, timeOf(theirs.submissionTime));
  comparer.value("job.completionTime", which, ours.completion_time_ms, timeOf(theirs.completionTime));
  const stages = rows("SELECT stage_id FROM job_stage WHERE job_id = ?", which).map(
    ({ stage_id }) => stage_id,
  );
  comparer.set("job.stageIds", which, stages as Plain[], theirs.stageIds as number[]);
  const [indices] = rows(
    `SELECT COUNT(*) AS completed FROM (SELECT DISTINCT stage_id, task_index FROM task t
     WHERE status = 'success' AND stage_id IN (SELECT stage_id FROM job_stage WHERE job_id = ?)
     AND launch_time_ms >= ? AND finish_time_ms <= ?)`,
    which,
    Number(ours.submission_time_ms),
    Number(ours.completion_time_ms ?? Number.MAX_SAFE_INTEGER),
  );
  if (
    rows(
      "SELECT COUNT(*) AS n FROM job_stage a JOIN job_stage b USING (stage_id) WHERE a.job_id = ?",
      which,
    )[0]?.n === stages.length
  )
    comparer.value("job.numCompletedIndices", which, indices?.completed, theirs.numCompletedIndices);
}

/** The status of an execution and its lists of jobs; metric texts are compared by the test of the plans. */
export function compareSql(comparer: Comparer, rows: Rows, answers: Answers): void {
  const executions = new Map(rows("SELECT * FROM sql_execution").map((x) => [x.execution_id, x]));
  comparer.value("sql.count", "", executions.size, answers.sql.length);
  for (const theirs of answers.sql) {
    const ours = executions.get(theirs.id as number);
    const which = String(theirs.id);
    comparer.value("sql.id", which, ours?.execution_id ?? null, theirs.id);
    if (!ours) continue;
    comparer.value("sql.status", which, String(ours.status).toUpperCase(), theirs.status);
    comparer.value("sql.description", which, ours.description, theirs.description);
    comparer.value("sql.submissionTime", which, ours.start_time_ms, timeOf(theirs.submissionTime));
    comparer.value("sql.rootExecutionId", which, ours.root_execution_id, theirs.rootExecutionId);
    comparer.value("sql.errorMessage", which, ours.error_message, theirs.errorMessage);
    if (ours.end_time_ms !== null)
      comparer.value(
        "sql.duration",
        which,
        Number(ours.end_time_ms) - Number(ours.start_time_ms),
        theirs.duration,
      );
    for (const [field, status] of [
      ["runningJobIds", "running"],
      ["successJobIds", "succeeded"],
      ["failedJobIds", "failed"],
    ] as const) {
      const jobs = rows("SELECT job_id FROM job WHERE execution_id = ? AND status = ?", which, status);
      comparer.set(
        `sql.${field}`,
        which,
        jobs.map(({ job_id }) => job_id as Plain),
        theirs[field] as number[],
      );
    }
    compareConfigs(comparer, rows, which, theirs.modifiedConfigs as Answer | undefined);
  }
}

function compareConfigs(comparer: Comparer, rows: Rows, which: string, theirs: Answer | undefined): void {
  const found = rows("SELECT name, value FROM sql_modified_config WHERE execution_id = ?", which);
  const ours = new Map(found.map(({ name, value }) => [name, value as Plain]));
  for (const [name, value] of Object.entries(theirs ?? {}))
    comparer.value("sql.modifiedConfigs", `${which} ${name}`, ours.get(name) ?? null, value);
}
