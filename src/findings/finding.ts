import type { App } from "./app.ts";
import type { LimitName } from "./limits.ts";
import type { StageView } from "./stage-view.ts";

/** Every cause a verdict may name, in the order of the report's contract. */
export const CAUSES = [
  "skew",
  "stragglers",
  "slow-node",
  "shuffle-volume",
  "too-few-partitions",
  "too-many-small-tasks",
  "under-parallelism",
  "single-partition",
  "spill",
  "gc-pressure",
  "gc-pressure-cache",
  "shuffle-fetch-wait",
  "python-transport",
  "retry-churn",
  "executor-loss",
  "scan-overhead",
  "scheduling-wait",
  "driver-gap",
  "driver-collect",
  "join-strategy",
  "cache-incomplete",
  "serialization",
  "streaming-lag",
  "late-data-dropped",
  "failure",
] as const;

export type Cause = (typeof CAUSES)[number];
export type Severity = "critical" | "warning" | "info";
export type Confidence = "high" | "medium" | "low";

/** Layers of a fix, in the order in which to try them. */
export const LAYERS = ["layout", "reuse", "optimizer", "configuration"] as const;
export type Layer = (typeof LAYERS)[number];

export interface Advice {
  layer: Layer;
  text: string;
}

export interface RejectedAdvice {
  advice: string;
  why: string;
}

/** What a cause says about one stage, or about the application. */
export interface Judgement {
  /** The cause's limit is passed; null: the log cannot say, and the evidence says why. */
  passed: boolean | null;
  /** Wall clock a perfect fix would save, ms; null: this cause has no price. */
  priceMs: number | null;
  /** Numbers and where they were read. */
  evidence: string[];
  confidence?: Confidence;
}

export interface Remedy {
  title: string;
  advice: Advice[];
  rejected: RejectedAdvice[];
  /** For the stage that reads the shuffle. */
  recommendedPartitions?: number;
}

interface Explained {
  cause: Cause;
  /** What the cause means, for `sparklog explain` and docs/findings.md. */
  about: string;
  /** How to check it in the Spark UI. */
  check: string;
  limits: readonly LimitName[];
}

/** A cause that is judged stage by stage. */
export interface StageCause extends Explained {
  judge(view: StageView, app: App): Judgement;
  remedy(view: StageView, app: App): Remedy;
}

/** A cause that is judged over the whole application. */
export interface AppCause extends Explained {
  judge(app: App): AppJudgement;
  remedy(app: App): Remedy;
}

export interface AppJudgement extends Judgement {
  /** The stage it shows most in, if any. */
  stage?: { stageId: number; stageAttemptId: number };
}

export function defineStageCause(cause: StageCause): StageCause {
  return cause;
}

export function defineAppCause(cause: AppCause): AppCause {
  return cause;
}

/** "cannot say" with its reason. */
export function cannotSay(why: string): Judgement {
  return { passed: null, priceMs: null, evidence: [`cannot say: ${why}`] };
}

/** Advice texts in the order layout, reuse, optimizer, configuration. */
export function adviceTexts(advice: readonly Advice[]): string[] {
  return LAYERS.flatMap((layer) => advice.filter((a) => a.layer === layer).map((a) => a.text));
}
