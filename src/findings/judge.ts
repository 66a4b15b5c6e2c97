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

/** What was judged, stage by stage from the target on, then the application; of what passed no limit only the weightiest. */
export interface Rulings {
  /** The target first, then by own time, slowest first. */
  views: StageView[];
  stages: StageRuling[];
  app: AppRuling[];
}

export function judgeAll(app: App): Rulings {
  const views: StageView[] = [];
  const judged = new Judgements();
  // Stage by stage: the tasks of all of them do not fit in memory at once.
  for (const stage of judgedStages(app)) {
    const view = app.view(stage);
    views.push(view);
    for (const cause of STAGE_CAUSES)
      judged.add({ cause, view, judgement: inItsPlace(cause.judge(view, app), view, app) });
  }
  const rulings = judged.list();
  const sums = new Map<Cause, number>();
  for (const { cause, view, judgement } of rulings) {
    if (judgement.passed && isWorthOfStage(judgement.priceMs ?? 0, view, app)) {
      sums.set(cause.cause, (sums.get(cause.cause) ?? 0) + (judgement.priceMs ?? 0));
    }
  }
  const stages = rulings.map((ruling) => ({
    ...ruling,
    holds: stageHolds(ruling, sums.get(ruling.cause.cause) ?? 0, app),
  }));
  const appRulings = APP_CAUSES.map((cause) => {
    const judgement = cause.judge(app);
    return { cause, judgement, holds: appHolds(judgement, app) };
  });
  return { views, stages, app: appRulings };
}

type Ruling = Omit<StageRuling, "holds">;

/** Every judgement that passed its limit and, of each cause, the weightiest of the others: nobody reads the rest's evidence. */
class Judgements {
  readonly #passed: [at: number, judged: Ruling][] = [];
  readonly #others = new Map<Cause, [at: number, judged: Ruling]>();
  #count = 0;

  add(judged: Ruling): void {
    const at = this.#count++;
    if (judged.judgement.passed === true) {
      this.#passed.push([at, judged]);
      return;
    }
    const known = this.#others.get(judged.cause.cause);
    if (!known || isWeightier(judged.judgement, known[1].judgement))
      this.#others.set(judged.cause.cause, [at, judged]);
  }

  /** In the order in which they were added. */
  list(): Ruling[] {
    return [...this.#passed, ...this.#others.values()]
      .sort((a, b) => a[0] - b[0])
      .map(([, judged]) => judged);
  }
}

/** Of two judgements that passed no limit: one that cannot say, then the dearer. */
function isWeightier(judgement: Judgement, than: Judgement): boolean {
  const order = Number(judgement.passed === null) - Number(than.passed === null);
  return order > 0 || (order === 0 && (judgement.priceMs ?? 0) > (than.priceMs ?? 0));
}

/** A streaming query that keeps up with its input ends nothing sooner by a faster stage. */
function inItsPlace(judgement: Judgement, view: StageView, app: App): Judgement {
  const at = view.fact.submission_time_ms;
  if (judgement.passed !== true || at === null || !isDuring(at, app)) return judgement;
  const note = "its streaming query keeps up with its input, so nothing would end sooner";
  return { ...judgement, passed: false, priceMs: null, evidence: [...judgement.evidence, note] };
}

/** Whether a query that keeps up with its input was in a micro-batch then. */
function isDuring(timeMs: number, app: App): boolean {
  for (const { startMs, endMs } of app.wall?.keepsUp ?? [])
    if (startMs <= timeMs && timeMs < endMs) return true;
  return false;
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
