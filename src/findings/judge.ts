import type { App } from "./app.ts";
import { APP_CAUSES, STAGE_CAUSES } from "./causes/index.ts";
import { type StageFact, stageKey } from "./facts.ts";
import type { AppCause, AppJudgement, Cause, Judgement, StageCause } from "./finding.ts";
import type { StageView } from "./stage-view.ts";
import { isWorthOfApplication, isWorthOfStage } from "./worth.ts";

/** What one cause said about one stage, and whether it holds: limit passed and worth its price. */
export interface StageRuling {
  cause: StageCause;
  view: StageView;
  judgement: Judgement;
  holds: boolean;
}

export interface AppRuling {
  cause: AppCause;
  judgement: AppJudgement;
  holds: boolean;
}

/** Everything that was judged, stage by stage from the target on, then the application. */
export interface Rulings {
  /** The target first, then by own time, slowest first. */
  views: StageView[];
  stages: StageRuling[];
  app: AppRuling[];
}

export function judgeAll(app: App): Rulings {
  // Stage by stage: the tasks of all of them do not fit in memory at once.
  const judged = judgedStages(app).flatMap((stage) => {
    const view = app.view(stage);
    return STAGE_CAUSES.map((cause) => ({
      cause,
      view,
      judgement: inItsPlace(cause.judge(view, app), view, app),
    }));
  });
  const views = [...new Set(judged.map(({ view }) => view))];
  const sums = new Map<Cause, number>();
  for (const { cause, view, judgement } of judged) {
    if (judgement.passed && isWorthOfStage(judgement.priceMs ?? 0, view, app)) {
      sums.set(cause.cause, (sums.get(cause.cause) ?? 0) + (judgement.priceMs ?? 0));
    }
  }
  const stages = judged.map((ruling) => ({
    ...ruling,
    holds: stageHolds(ruling, sums.get(ruling.cause.cause) ?? 0, app),
  }));
  const appRulings = APP_CAUSES.map((cause) => {
    const judgement = cause.judge(app);
    return { cause, judgement, holds: appHolds(judgement, app) };
  });
  return { views, stages, app: appRulings };
}

/** A streaming query that keeps up with its input ends nothing sooner by a faster stage. */
function inItsPlace(judgement: Judgement, view: StageView, app: App): Judgement {
  const at = view.fact.submission_time_ms;
  const keepsUp = at !== null && app.wall?.keepsUp.some((batch) => batch.startMs <= at && at < batch.endMs);
  if (!keepsUp || judgement.passed !== true) return judgement;
  const note = "its streaming query keeps up with its input, so nothing would end sooner";
  return { ...judgement, passed: false, priceMs: null, evidence: [...judgement.evidence, note] };
}

/** Stages whose tasks were read: the target and those with a good part of the wall clock. */
function judgedStages(app: App): StageFact[] {
  const target = app.target ? stageKey(app.target.stage) : null;
  return app.facts.stages
    .filter((stage) => app.facts.tasks.has(stageKey(stage)))
    .sort(
      (a, b) =>
        Number(stageKey(b) === target) - Number(stageKey(a) === target) ||
        (b.own_time_ms ?? 0) - (a.own_time_ms ?? 0),
    );
}

function stageHolds(
  { view, judgement }: { view: StageView; judgement: Judgement },
  sum: number,
  app: App,
): boolean {
  if (judgement.passed !== true) return false;
  if (judgement.priceMs === null) return view.ownMs >= app.limits.priceMs;
  return isWorthOfStage(judgement.priceMs, view, app) && isWorthOfApplication(sum, app);
}

function appHolds(judgement: AppJudgement, app: App): boolean {
  return (
    judgement.passed === true && (judgement.priceMs === null || isWorthOfApplication(judgement.priceMs, app))
  );
}
