/** Exit codes of the command; the README lists them. */
export const EXIT = { ok: 0, findings: 1, usage: 2, scanFailed: 3, internal: 70, interrupted: 130 } as const;

/**
 * Something the user can put right: no such path, an unknown format, a file that is no event log.
 * Printed as one line (what and where) and a hint (what to do), never with a stack.
 */
export class UserError extends Error {
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(message: string, hint?: string, exitCode: number = EXIT.usage) {
    super(message);
    this.name = "UserError";
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** A log into which nothing was written yet: no fault of anybody's, and nothing to report. */
export class EmptyLogError extends UserError {}
