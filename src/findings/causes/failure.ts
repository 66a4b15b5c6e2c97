import { formatCount } from "../../format/count.ts";
import type { App } from "../app.ts";
import type { JobFact } from "../facts.ts";
import { failureAdvice, failureClass, normaliseFailure } from "../failure-class.ts";
import { type AppJudgement, defineAppCause } from "../finding.ts";

const SHUTDOWN = /cancelled because SparkContext was shut down/i;
const CANCELLED =
  /cancelled (as )?part of (cancelled )?job group|cancelled part of job group|cancelled by user|cancelled because SparkContext was shut down/i;

export const failure = defineAppCause({
  cause: "failure",
  about:
    "The last job that ended for a reason of its own failed, or the application was shut down with a job still running: its numbers say what happened until then.",
  check: "Jobs page > Failed Jobs; Stages page > Failed Stages > Failure Reason.",
  limits: [],

  judge(app): AppJudgement {
    const failed = failedJob(app);
    if (!failed) {
      const ended = app.facts.jobs.filter((job) => job.status !== "running").length + app.facts.leftOut.jobs;
      return {
        passed: false,
        priceMs: null,
        evidence: [`${formatCount(ended)} jobs ended, the last of them well [Jobs page]`],
      };
    }
    const stage = app.facts.stages.findLast(
      (s) => s.status === "failed" && failed.stage_ids.includes(s.stage_id),
    );
    const text = failed.failure ?? stage?.failure_reason ?? "no text in the log";
    const others = app.facts.jobs.filter((job) => job.status === "failed" && job !== failed).length;
    return {
      passed: true,
      priceMs: null,
      evidence: [
        `job ${failed.job_id} failed: ${firstLine(text)} [Jobs page, Failed Jobs]`,
        `class: ${failureClass("", text)}`,
        ...(others > 0
          ? [`${others} other job${others === 1 ? "" : "s"} failed or were cancelled as well`]
          : []),
      ],
      confidence: "high",
      ...(stage ? { stage: { stageId: stage.stage_id, stageAttemptId: stage.stage_attempt_id } } : {}),
    };
  },

  remedy(app) {
    const failed = failedJob(app);
    const text = failed?.failure ?? "";
    const kind = failureClass("", text);
    return {
      title: `Job ${failed?.job_id ?? "?"} failed (${kind}): ${normaliseFailure(text || "no text in the log").slice(0, 120)}`,
      advice: failureAdvice(kind).map((advice) => ({ layer: "layout", text: advice })),
      rejected: [{ advice: "tuning for speed", why: "the run did not finish; first make it end well" }],
    };
  },
});

/** The job to name; null: the run did not fail. */
export function failedJob(app: App): JobFact | null {
  const jobs = [...app.facts.jobs].sort((a, b) => (a.completion_time_ms ?? 0) - (b.completion_time_ms ?? 0));
  const own = jobs.filter(
    (job) => job.status !== "running" && !(job.status === "failed" && CANCELLED.test(job.failure ?? "")),
  );
  const last = own.at(-1);
  if (last?.status === "failed") return firstWithSameEnd(own, last);
  const shutDown =
    app.wall?.interactive === true
      ? undefined
      : jobs.find((job) => job.status === "failed" && SHUTDOWN.test(job.failure ?? ""));
  if (!shutDown) return null;
  return own.find((job) => job.status === "failed") ?? shutDown;
}

/** Several jobs may fail with one text at one time: the first of them is named. */
function firstWithSameEnd(jobs: readonly JobFact[], last: JobFact): JobFact {
  return (
    jobs.find((job) => job.status === "failed" && job.completion_time_ms === last.completion_time_ms) ?? last
  );
}

function firstLine(text: string): string {
  return (text.trim().split(/\r?\n/, 1)[0] ?? "").slice(0, 300);
}
