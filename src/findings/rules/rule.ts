import type { App } from "../app.ts";
import type { Advice, RejectedAdvice } from "../finding.ts";
import type { Rulings } from "../judge.ts";
import type { LimitName } from "../limits.ts";

/** Something worth knowing that is no cause of its own; always "info". */
export interface Remark {
  title: string;
  stageId?: number;
  stageAttemptId?: number;
  executionId?: number | null;
  evidence: string[];
  advice: Advice[];
  rejected?: RejectedAdvice[];
  recommendedPartitions?: number;
}

export interface Rule {
  rule: string;
  about: string;
  /** How to check it in the Spark UI. */
  check: string;
  limits: readonly LimitName[];
  evaluate(app: App, rulings: Rulings): Remark[];
}

export function defineRule(rule: Rule): Rule {
  return rule;
}
