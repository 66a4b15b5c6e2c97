import { formatShare } from "../format/count.ts";
import { formatDuration } from "../format/duration.ts";
import { type Interval, total } from "../stats/intervals.ts";
import type { App } from "./app.ts";
import {
  type Advice,
  type AppCause,
  type AppJudgement,
  defineAppCause,
  type RejectedAdvice,
} from "./finding.ts";
import type { IdleCause } from "./wall-clock.ts";

export interface IdleText {
  about: string;
  check: string;
  where: string;
  title: string;
  advice: Advice[];
}

const REJECTED: RejectedAdvice[] = [
  { advice: "tuning stages", why: "no task ran in this time, so no stage setting touches it" },
  { advice: "more executors", why: "the executors that were there stood idle" },
];

/** One class of idle time as a cause of the application. */
export function idleCause(cause: IdleCause, text: IdleText): AppCause {
  return defineAppCause({
    cause,
    about: text.about,
    check: text.check,
    limits: [
      "idleShare",
      "priceMs",
      "startupMs",
      ...(cause === "driver-collect" ? (["collectBytes"] as const) : []),
    ],
    judge: (app) => judge(app, cause, text.where),
    remedy: (app) => ({
      title: `For ${formatDuration(idleMs(app, cause))} of ${formatDuration(app.windowMs)} ${text.title} (${placeOf(app, longest(app, cause))})`,
      advice: text.advice,
      rejected: REJECTED,
    }),
  });
}

function judge(app: App, cause: IdleCause, where: string): AppJudgement {
  if (!app.wall)
    return {
      passed: null,
      priceMs: null,
      evidence: ["cannot say: the log holds no two moments to measure between"],
    };
  const ms = idleMs(app, cause);
  const share = app.windowMs > 0 ? ms / app.windowMs : 0;
  const piece = longest(app, cause);
  const evidence = [
    `${formatDuration(ms)} of ${formatDuration(app.windowMs)} (${formatShare(share)}): no task worked and ${where} [Jobs page, Event Timeline]`,
  ];
  if (piece)
    evidence.push(`longest stretch: ${formatDuration(piece.endMs - piece.startMs)}, ${placeOf(app, piece)}`);
  if (app.wall.interactive)
    evidence.push(
      "the application is a shell or notebook: time in which no job ran is its user's and not counted",
    );
  return {
    passed: share >= app.limits.idleShare && ms >= app.limits.priceMs,
    priceMs: ms,
    evidence,
    confidence: "high",
  };
}

function idleMs(app: App, cause: IdleCause): number {
  return app.wall ? total(app.wall.idle[cause]) : 0;
}

function longest(app: App, cause: IdleCause): Interval | null {
  let best: Interval | null = null;
  for (const piece of app.wall?.idle[cause] ?? [])
    if (!best || piece.endMs - piece.startMs > best.endMs - best.startMs) best = piece;
  return best;
}

/** Between which jobs a stretch lies. */
function placeOf(app: App, piece: Interval | null): string {
  if (!piece) return "nowhere";
  const { jobs } = app.facts;
  const before = jobs.findLast(
    (job) => (job.completion_time_ms ?? Number.POSITIVE_INFINITY) <= piece.startMs + 1,
  );
  const after = jobs.find((job) => (job.submission_time_ms ?? 0) >= piece.endMs - 1);
  const during = jobs.find(
    (job) =>
      (job.submission_time_ms ?? Number.POSITIVE_INFINITY) <= piece.startMs &&
      (job.completion_time_ms ?? Number.POSITIVE_INFINITY) >= piece.endMs,
  );
  if (during) return `while job ${during.job_id} ran`;
  if (!before) return "before the first job's tasks";
  return after ? `between job ${before.job_id} and job ${after.job_id}` : `after job ${before.job_id}`;
}
