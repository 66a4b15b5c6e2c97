/** A plan cut out of its line: parsed, and beside it the text that it was parsed from. */
export class LoggedPlan {
  readonly sparkPlanInfo: unknown;
  /** sparkPlanInfo as it stands in the log. */
  readonly text: string;
  /** Equal for equal texts of plan and description. */
  readonly hash: string;

  /** The text as UTF-8, in memory that is good until the event was handled; null: not at hand. */
  readonly bytes: Uint8Array | null;

  constructor(sparkPlanInfo: unknown, text: string, hash: string, bytes: Uint8Array | null = null) {
    this.sparkPlanInfo = sparkPlanInfo;
    this.text = text;
    this.hash = hash;
    this.bytes = bytes;
  }
}
