import type { AnswerValue } from "./answers.ts";

export type Plain = string | number | boolean | null;

/** One value on which the two sides disagree. */
export interface Difference {
  /** Kind of value, such as `stage.jvmGcTime`. */
  kind: string;
  /** Which one, such as `stage 4.0 jvmGcTime`. */
  where: string;
  ours: Plain;
  theirs: Plain;
}

/** Counts the values that both sides have, and keeps those that differ. */
export class Comparer {
  compared = 0;
  readonly differences: Difference[] = [];

  /**
   * @param kind entity and field, `stage.jvmGcTime`
   * @param which the entity's key and what else tells the place, `4.0`
   * @param theirs absent: the History Server does not say, so there is nothing to compare
   */
  value(kind: string, which: string, ours: Plain | undefined, theirs: AnswerValue | undefined): void {
    if (theirs === undefined || theirs === null || typeof theirs === "object") return;
    if (ours === undefined) throw new Error(`${kind}: no such column`);
    // The server prints 0 for what no task reported; null is how the database says so.
    if (ours === null && (theirs === 0 || theirs === "")) return;
    this.compared++;
    if (ours !== theirs) this.differences.push({ kind, where: `${kind} ${which}`, ours, theirs });
  }

  /** Compares the fields of one entity: REST name -> our column. */
  fields(
    entity: string,
    which: string,
    ours: Record<string, Plain>,
    theirs: { [key: string]: AnswerValue },
    columns: Readonly<Record<string, string>>,
  ): void {
    for (const [field, column] of Object.entries(columns))
      this.value(`${entity}.${field}`, which, ours[column], theirs[field]);
  }

  /** Compares two sets of keys or ids as sorted text. */
  set(kind: string, which: string, ours: readonly Plain[], theirs: readonly AnswerValue[]): void {
    const text = (values: readonly unknown[]) => values.map(String).sort().join(" ");
    this.value(kind, which, text(ours), text(theirs));
  }
}

/** Epoch milliseconds of the server's `2026-11-30T00:17:00.403GMT`; undefined for its "no time". */
export function timeOf(value: AnswerValue | undefined): number | undefined {
  if (typeof value !== "string") return undefined;
  const time = Date.parse(value.replace(/GMT$/, "Z"));
  return time < 0 ? undefined : time;
}
