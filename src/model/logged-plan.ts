/** A plan cut out of its line: parsed, and beside it the text that it was parsed from. */
export class LoggedPlan {
  readonly sparkPlanInfo: unknown;
  /** sparkPlanInfo as it stands in the log. */
  readonly text: string;
  /** Equal for equal texts of plan and description. */
  readonly hash: string;

  constructor(sparkPlanInfo: unknown, text: string, hash: string) {
    this.sparkPlanInfo = sparkPlanInfo;
    this.text = text;
    this.hash = hash;
  }
}
