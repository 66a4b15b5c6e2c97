import { formatCount, formatShare } from "../format/count.ts";
import { formatDuration } from "../format/duration.ts";
import type { App } from "./app.ts";
import { IDLE_CAUSES, LATE_CAUSES } from "./causes/index.ts";
import { oversizedPartitions, tooFewPartitions } from "./causes/too-few-partitions.ts";
import type { Cause, Confidence, Severity } from "./finding.ts";
import type { AppRuling, Rulings, StageRuling } from "./judge.ts";
import type { StageView } from "./stage-view.ts";
import { isWorthOfApplication } from "./worth.ts";

/** The one first cause of an application, by the first rule that holds. */
export interface Choice {
  cause: Cause | "healthy" | "cannot-say";
  title: string;
  confidence: Confidence;
  severity: Severity;
  /** The stage it names, if any. */
  view: StageView | null;
  /** Why this rule and not one before it. */
  because: string;
}

const CUT = new Set([
  "truncated",
  "compacted",
  "damaged-block",
  "missing-roll",
  "missing-head",
  "unreadable-part",
]);

export function chooseVerdict(app: App, rulings: Rulings): Choice {
  return (
    chooseFailure(app, rulings) ??
    chooseCannotSay(app) ??
    chooseIdle(app, rulings) ??
    chooseStage(app, rulings) ??
    chooseThin(app, rulings) ??
    chooseLate(app, rulings) ??
    chooseOversized(app, rulings) ??
    healthy(app)
  );
}

function chooseFailure(app: App, rulings: Rulings): Choice | null {
  const ruling = rulings.app.find((r) => r.cause.cause === "failure");
  if (!ruling?.holds) return null;
  return fromApp(app, ruling, "critical", "a run that failed is first of all a failed run");
}

function chooseCannotSay(app: App): Choice | null {
  const why = whyNot(app);
  return why === null
    ? null
    : {
        cause: "cannot-say",
        title: `Cannot say: ${why}`,
        confidence: "high",
        severity: "info",
        view: null,
        because: why,
      };
}

/** null: the log can carry a verdict. */
function whyNot(app: App): string | null {
  const { facts } = app;
  if (!app.wall || app.windowMs <= 0)
    return "the log holds no two moments between which anything could be measured";
  if (facts.jobs.length > 0 && facts.stages.every((s) => s.task_ends === 0))
    return "jobs were submitted, but no task of them ended in this log";
  const cut = facts.issues.find((issue) => CUT.has(issue.code));
  if (cut) return `the log is not whole (${cut.code}), so what was lost may have been the cause`;
  if (
    facts.application?.end_time_ms == null &&
    facts.stages.some((s) => s.status === "active" && s.task_starts > s.task_ends)
  ) {
    return "the log ends while tasks were running";
  }
  const stage = app.target?.stage;
  const expected = stage?.number_of_tasks ?? 0;
  if (stage?.status === "complete" && expected > 0) {
    const missing = expected - stage.ended_indices;
    if (missing > app.limits.missingTasks * expected)
      return `stage ${stage.stage_id} is complete, but ${formatShare(missing / expected)} of its ${formatCount(expected)} tasks have no end in the log`;
  }
  return null;
}

/** Highest price of a cause that holds at a stage. */
function dearest(rulings: Rulings): number {
  return rulings.stages.reduce((most, r) => (r.holds ? Math.max(most, r.judgement.priceMs ?? 0) : most), 0);
}

function chooseIdle(app: App, rulings: Rulings): Choice | null {
  const idle = rulings.app
    .filter((r) => IDLE_CAUSES.includes(r.cause) && r.holds)
    .sort((a, b) => (b.judgement.priceMs ?? 0) - (a.judgement.priceMs ?? 0))[0];
  if (!idle || (idle.judgement.priceMs ?? 0) <= dearest(rulings)) return null;
  return fromApp(
    app,
    idle,
    severityOf(app, idle.judgement.priceMs),
    "more wall clock passed without any task than any cause in a stage would give back",
  );
}

function chooseStage(app: App, rulings: Rulings): Choice | null {
  for (const view of rulings.views) {
    if (view.ownMs < app.limits.stageShare * app.windowMs) continue;
    const ruling = rulings.stages.find((r) => r.view === view && r.holds);
    if (!ruling) continue;
    const atTarget = view.key === rulings.views[0]?.key;
    return fromStage(
      app,
      ruling,
      atTarget
        ? "the first cause that holds at the slowest stage of the longest job"
        : "no cause holds at the slowest stage; the first that holds at another one",
    );
  }
  return null;
}

/** No stage weighs enough alone, but one cause does over all of them. */
function chooseThin(app: App, rulings: Rulings): Choice | null {
  const gate = app.limits.stageShare * app.windowMs;
  if (rulings.views.some((view) => view.ownMs >= gate)) return null;
  const sums = new Map<Cause, { sum: number; worst: StageRuling }>();
  for (const ruling of rulings.stages) {
    if (ruling.judgement.passed !== true) continue;
    const price = ruling.judgement.priceMs ?? 0;
    const known = sums.get(ruling.cause.cause);
    const worst = known && (known.worst.judgement.priceMs ?? 0) >= price ? known.worst : ruling;
    sums.set(ruling.cause.cause, { sum: (known?.sum ?? 0) + price, worst });
  }
  const best = [...sums.values()].sort((a, b) => b.sum - a.sum)[0];
  if (!best || !isWorthOfApplication(best.sum, app)) return null;
  const choice = fromStage(app, best.worst, "no stage weighs enough alone; over all stages this cause does");
  return { ...choice, title: `${choice.title}; over all stages ${formatDuration(best.sum)}` };
}

function chooseLate(app: App, rulings: Rulings): Choice | null {
  for (const cause of LATE_CAUSES) {
    const ruling = rulings.app.find((r) => r.cause === cause);
    if (ruling?.holds)
      return fromApp(app, ruling, severityOf(app, ruling.judgement.priceMs), "no cause holds in a stage");
  }
  return null;
}

function chooseOversized(app: App, rulings: Rulings): Choice | null {
  const view = rulings.views.find(
    (v) => v.ownMs >= app.limits.stageShare * app.windowMs && oversizedPartitions(v, app) !== null,
  );
  if (!view) return null;
  return {
    cause: "too-few-partitions",
    title: `${tooFewPartitions.remedy(view, app).title}; nothing spills yet, so no time is lost`,
    confidence: "medium",
    severity: "info",
    view,
    because: "only a size limit is passed",
  };
}

function healthy(app: App): Choice {
  const target = app.target
    ? `; the slowest stage is stage ${app.target.stage.stage_id} with ${formatDuration(app.target.stage.own_time_ms)} of ${formatDuration(app.windowMs)}`
    : "";
  return {
    cause: "healthy",
    title: `Nothing stands out${target}`,
    confidence: app.target ? "medium" : "low",
    severity: "info",
    view: app.target ? app.view(app.target.stage) : null,
    because: "no cause passes its limit at a price that matters",
  };
}

export function severityOf(app: App, priceMs: number | null): Severity {
  return priceMs !== null && priceMs >= app.limits.criticalShare * app.windowMs ? "critical" : "warning";
}

function fromStage(app: App, { cause, view, judgement }: StageRuling, because: string): Choice {
  return {
    cause: cause.cause,
    title: cause.remedy(view, app).title,
    confidence: judgement.confidence ?? "medium",
    severity: severityOf(app, judgement.priceMs),
    view,
    because,
  };
}

function fromApp(app: App, { cause, judgement }: AppRuling, severity: Severity, because: string): Choice {
  const stage = judgement.stage;
  const fact =
    stage &&
    app.facts.stages.find((s) => s.stage_id === stage.stageId && s.stage_attempt_id === stage.stageAttemptId);
  return {
    cause: cause.cause,
    title: cause.remedy(app).title,
    confidence: judgement.confidence ?? "medium",
    severity,
    view: fact ? app.view(fact) : null,
    because,
  };
}
