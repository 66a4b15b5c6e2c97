/** How much an issue with the data matters: info (numbers stand), data-loss (numbers are lower bounds), error. */
export type Severity = "info" | "data-loss" | "error";

/** Every kind of trouble with the data of a log, with its severity. Codes are part of the JSON report. */
export const ISSUE_SEVERITY = {
  truncated: "data-loss",
  "incomplete-application": "data-loss",
  "bad-lines": "data-loss",
  "bad-times": "data-loss",
  "bad-values": "data-loss",
  "missing-roll": "data-loss",
  "missing-head": "data-loss",
  "event-loss": "data-loss",
  compacted: "data-loss",
  "damaged-block": "data-loss",
  "huge-line": "data-loss",
  "unreadable-part": "error",
  "duplicate-events": "info",
  "duplicate-part": "info",
  "unknown-event": "info",
  "codec-mismatch": "info",
  "in-progress": "info",
  slice: "info",
} as const satisfies Record<string, Severity>;

export type IssueCode = keyof typeof ISSUE_SEVERITY;

/** Where in the log: part and line count from 0 and 1; byteOffset is in the part. */
export interface IssuePlace {
  part?: number;
  line?: number;
  byteOffset?: number;
}

/** One kind of trouble; further occurrences of the same code and message key only raise the count. */
export interface Issue extends IssuePlace {
  code: IssueCode;
  severity: Severity;
  count: number;
  message: string;
}

/** What takes issues. */
export interface IssueSink {
  /** @param key what makes two occurrences the same issue; by default one issue a code */
  add(code: IssueCode, message: string, place?: IssuePlace, key?: string, count?: number): void;
}

/** Collects issues, folding repeats: the first place is kept, later ones only count. */
export class IssueLog implements IssueSink {
  readonly #issues = new Map<string, Issue>();

  add(code: IssueCode, message: string, place: IssuePlace = {}, key: string = code, count = 1): void {
    const known = this.#issues.get(key);
    if (known) known.count += count;
    else this.#issues.set(key, { code, severity: ISSUE_SEVERITY[code], count, message, ...place });
  }

  has(code: IssueCode): boolean {
    return this.list().some((issue) => issue.code === code);
  }

  list(): Issue[] {
    return [...this.#issues.values()];
  }
}
