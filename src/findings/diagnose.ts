import { type Bin, logHistogram } from "../stats/histogram.ts";
import { App } from "./app.ts";
import { auditSettings } from "./audit.ts";
import { oversizedPartitions, tooFewPartitions } from "./causes/too-few-partitions.ts";
import { type Check, runChecks } from "./checks.ts";
import { followsFrom, skewSymptoms } from "./consequences.ts";
import { type CoreHours, measureCoreHours } from "./core-hours.ts";
import type { Facts, Judged } from "./facts.ts";
import {
  adviceTexts,
  CAUSES,
  type Cause,
  type Confidence,
  type RejectedAdvice,
  type Remedy,
  type Severity,
} from "./finding.ts";
import { type AppRuling, judgeAll, type Rulings, type StageRuling } from "./judge.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { RULES } from "./rules/index.ts";
import type { Rule } from "./rules/rule.ts";
import type { Setting } from "./settings.ts";
import type { StageView } from "./stage-view.ts";
import { type Choice, chooseVerdict, severityOf } from "./verdict.ts";
import type { WallClock } from "./wall-clock.ts";

/** One candidate cause, ruled in, out, or unknown, with its evidence. */
export interface CauseRuling {
  cause: Cause;
  status: "in" | "out" | "unknown";
  stageId: number | null;
  stageAttemptId: number | null;
  recoverableMs: number | null;
  evidence: string[];
  /** Why it is no cause of its own but follows from the verdict; null: it stands alone. */
  consequenceOf: string | null;
}

export interface Finding {
  /** Name of the rule; a cause's rule is named like it. */
  rule: string;
  cause: Cause | null;
  severity: Severity;
  confidence: Confidence;
  title: string;
  stageId: number | null;
  stageAttemptId: number | null;
  executionId: number | null;
  evidence: string[];
  advice: string[];
  rejectedAdvice: RejectedAdvice[];
  /** Wall clock that a perfect fix would save; null: it has no price. */
  recoverableMs: number | null;
  recommendedPartitions: number | null;
}

export interface Verdict {
  cause: Choice["cause"];
  title: string;
  confidence: Confidence;
  severity: Severity;
  stageId: number | null;
  stageAttemptId: number | null;
  because: string;
  /** Rules of the findings that the verdict rests on, its own first. */
  findings: string[];
  /** What follows from it. */
  consequences: string[];
}

export interface Diagnosis {
  verdict: Verdict;
  checks: Check[];
  causes: CauseRuling[];
  findings: Finding[];
  /** null: nothing could be measured. */
  wallClock: (WallClock["parts"] & { totalMs: number; judgedMs: number; interactive: boolean }) | null;
  coreHours: CoreHours;
  judged: Judged;
  /** Run times of the successful tasks of the stage that the checks look at, ms; null: it has none. */
  taskTimes: { stageId: number; stageAttemptId: number; bins: Bin[] } | null;
  /** Settings that matter, each with its source. */
  configuration: Setting[];
}

/** The diagnosis of one application: pure, from facts alone. */
export function diagnose(facts: Facts, options: { limits?: Limits } = {}): Diagnosis {
  const app = new App(facts, options.limits ?? DEFAULT_LIMITS);
  const rulings = judgeAll(app);
  const choice = chooseVerdict(app, rulings);
  const causes = CAUSES.map((cause) => ruleCause(app, rulings, choice, cause));
  const findings = [
    ...listFindings(app, rulings, choice),
    ...RULES.flatMap((rule) => remarks(rule, app, rulings)),
  ];
  const own = findings.filter(
    (f) => f.cause === choice.cause && f.stageId === (choice.view?.fact.stage_id ?? f.stageId),
  );
  return {
    verdict: {
      cause: choice.cause,
      title: choice.title,
      confidence: choice.confidence,
      severity: choice.severity,
      stageId: choice.view?.fact.stage_id ?? null,
      stageAttemptId: choice.view?.fact.stage_attempt_id ?? null,
      because: choice.because,
      findings: [...new Set(own.map((f) => f.rule))],
      consequences: [
        ...(choice.cause === "skew" && choice.view ? skewSymptoms(choice.view, app) : []),
        ...causes.filter((c) => c.consequenceOf !== null).map((c) => `${c.cause}: ${c.consequenceOf}`),
      ],
    },
    checks: runChecks(app),
    causes,
    findings,
    wallClock: app.wall && {
      totalMs: app.wall.totalMs,
      judgedMs: app.wall.windowMs,
      interactive: app.wall.interactive,
      ...app.wall.parts,
    },
    coreHours: measureCoreHours(app),
    judged: facts.judged,
    taskTimes: taskTimes(app),
    configuration: auditSettings(app),
  };
}

function taskTimes(app: App): Diagnosis["taskTimes"] {
  const view = app.target && app.view(app.target.stage);
  if (!view?.sample) return null;
  const { run, overtaken } = view.sample;
  const bins = logHistogram(run, (i) => overtaken[i] !== 1);
  return { stageId: view.fact.stage_id, stageAttemptId: view.fact.stage_attempt_id, bins };
}

function ruleCause(app: App, rulings: Rulings, choice: Choice, cause: Cause): CauseRuling {
  const ofApp = rulings.app.find((r) => r.cause.cause === cause);
  if (ofApp) return fromApp(app, ofApp, choice);
  const ofStages = rulings.stages.filter((r) => r.cause.cause === cause);
  const chosen =
    ofStages.find((r) => choice.cause === cause && r.view === choice.view) ?? weightiest(ofStages);
  if (!chosen) {
    return {
      cause,
      status: "unknown",
      stageId: null,
      stageAttemptId: null,
      recoverableMs: null,
      evidence: ["cannot say: no stage ran a task in this log"],
      consequenceOf: null,
    };
  }
  const { judgement, view, holds } = chosen;
  return {
    cause,
    status: ruled(judgement.passed, holds),
    stageId: view.fact.stage_id,
    stageAttemptId: view.fact.stage_attempt_id,
    recoverableMs: holds ? round(judgement.priceMs) : null,
    evidence: withGate(judgement.evidence, judgement.passed, holds, judgement.priceMs),
    consequenceOf: holds ? followsAtStage(app, rulings, chosen) : null,
  };
}

/** A stage where it holds, dearest first; else one where the limit is passed, then one that cannot say, then the target. */
function weightiest(rulings: readonly StageRuling[]): StageRuling | undefined {
  const rank = (r: StageRuling): number =>
    r.holds ? 3 : r.judgement.passed === true ? 2 : r.judgement.passed === null ? 1 : 0;
  return rulings.reduce<StageRuling | undefined>((best, r) => {
    if (!best) return r;
    const order = rank(r) - rank(best) || (r.judgement.priceMs ?? 0) - (best.judgement.priceMs ?? 0);
    return order > 0 ? r : best;
  }, undefined);
}

function ruled(passed: boolean | null, holds: boolean): CauseRuling["status"] {
  if (holds) return "in";
  return passed === null ? "unknown" : "out";
}

function withGate(
  evidence: readonly string[],
  passed: boolean | null,
  holds: boolean,
  priceMs: number | null,
): string[] {
  const light = passed === true && !holds;
  return light
    ? [
        ...evidence,
        `its limit is passed, but it would save too little to matter (${Math.round(priceMs ?? 0)} ms)`,
      ]
    : [...evidence];
}

function fromApp(app: App, { cause, judgement, holds }: AppRuling, choice: Choice): CauseRuling {
  return {
    cause: cause.cause,
    status: ruled(judgement.passed, holds),
    stageId: judgement.stage?.stageId ?? null,
    stageAttemptId: judgement.stage?.stageAttemptId ?? null,
    recoverableMs: holds ? round(judgement.priceMs) : null,
    evidence: withGate(judgement.evidence, judgement.passed, holds, judgement.priceMs),
    consequenceOf: holds && cause.cause !== choice.cause ? follows(app, choice, cause.cause) : null,
  };
}

function follows(app: App, choice: Choice, cause: Cause): string | null {
  return choice.cause === "healthy" || choice.cause === "cannot-say"
    ? null
    : followsFrom(choice.cause, choice.view, cause, app);
}

/** Of what holds at a stage the first in order is its cause; null: this is it, or it stands alone. */
function followsAtStage(
  app: App,
  rulings: Rulings,
  { cause, view }: Pick<StageRuling, "cause" | "view">,
): string | null {
  const first = rulings.stages.find((r) => r.view === view && r.holds);
  return first && first.cause !== cause ? followsFrom(first.cause.cause, view, cause.cause, app) : null;
}

/** Findings of the causes that hold, dearest first, then those without a price, then what is only worth knowing. */
function listFindings(app: App, rulings: Rulings, choice: Choice): Finding[] {
  const ofStages = rulings.stages.filter((r) => r.holds).map((r) => stageFinding(app, rulings, r, choice));
  const ofApp = rulings.app.filter((r) => r.holds).map((r) => appFinding(app, r, choice));
  const found = [...ofStages, ...ofApp];
  if (choice.severity === "info" && choice.cause === "too-few-partitions" && choice.view)
    found.push(oversizedFinding(app, choice.view, choice));
  const first = (f: Finding): number =>
    Number(
      f.cause === choice.cause &&
        (f.stageId === (choice.view?.fact.stage_id ?? null) || choice.view === null),
    );
  return found.sort((a, b) => (b.recoverableMs ?? 0) - (a.recoverableMs ?? 0) || first(b) - first(a));
}

function stageFinding(
  app: App,
  rulings: Rulings,
  { cause, view, judgement }: StageRuling,
  choice: Choice,
): Finding {
  const small = view.ownMs < app.limits.stageShare * app.windowMs;
  const consequence = followsAtStage(app, rulings, { cause, view });
  const isVerdict = view === choice.view && cause.cause === choice.cause;
  const severity = consequence || (small && !isVerdict) ? "info" : severityOf(app, judgement.priceMs);
  const extra = [
    ...(consequence ? [consequence] : []),
    ...(cause.cause === "skew" ? skewSymptoms(view, app) : []),
  ];
  return {
    rule: cause.cause,
    cause: cause.cause,
    severity,
    confidence: judgement.confidence ?? "medium",
    stageId: view.fact.stage_id,
    stageAttemptId: view.fact.stage_attempt_id,
    executionId: view.executionId,
    evidence: [...judgement.evidence, ...extra],
    ...remedyOf(cause.remedy(view, app), consequence),
    recoverableMs: round(judgement.priceMs),
  };
}

function appFinding(app: App, { cause, judgement }: AppRuling, choice: Choice): Finding {
  const consequence = cause.cause === choice.cause ? null : follows(app, choice, cause.cause);
  const severity = cause.cause === "failure" ? "critical" : severityOf(app, judgement.priceMs);
  return {
    rule: cause.cause,
    cause: cause.cause,
    severity: consequence ? "info" : severity,
    confidence: judgement.confidence ?? "medium",
    stageId: judgement.stage?.stageId ?? null,
    stageAttemptId: judgement.stage?.stageAttemptId ?? null,
    executionId: null,
    evidence: consequence ? [...judgement.evidence, consequence] : judgement.evidence,
    ...remedyOf(cause.remedy(app), consequence),
    recoverableMs: round(judgement.priceMs),
  };
}

/** What only follows from the verdict gets no advice of its own: the cause is to be treated. */
function remedyOf(
  remedy: Remedy,
  consequence: string | null,
): Pick<Finding, "title" | "advice" | "rejectedAdvice" | "recommendedPartitions"> {
  return {
    title: remedy.title,
    advice: consequence ? [] : adviceTexts(remedy.advice),
    rejectedAdvice: consequence ? [] : remedy.rejected,
    recommendedPartitions: consequence ? null : (remedy.recommendedPartitions ?? null),
  };
}

function remarks(rule: Rule, app: App, rulings: Rulings): Finding[] {
  return rule.evaluate(app, rulings).map((remark) => ({
    rule: rule.rule,
    cause: null,
    severity: "info",
    confidence: "high",
    title: remark.title,
    stageId: remark.stageId ?? null,
    stageAttemptId: remark.stageAttemptId ?? null,
    executionId: remark.executionId ?? null,
    evidence: remark.evidence,
    advice: adviceTexts(remark.advice),
    rejectedAdvice: remark.rejected ?? [],
    recoverableMs: null,
    recommendedPartitions: remark.recommendedPartitions ?? null,
  }));
}

function oversizedFinding(app: App, view: StageView, choice: Choice): Finding {
  return {
    rule: "too-few-partitions",
    cause: "too-few-partitions",
    severity: "info",
    confidence: choice.confidence,
    stageId: view.fact.stage_id,
    stageAttemptId: view.fact.stage_attempt_id,
    executionId: view.executionId,
    evidence: [oversizedPartitions(view, app) ?? choice.because],
    ...remedyOf(tooFewPartitions.remedy(view, app), null),
    recoverableMs: 0,
  };
}

function round(ms: number | null): number | null {
  return ms === null || !Number.isFinite(ms) ? null : Math.round(ms);
}
