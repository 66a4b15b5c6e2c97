import type { Report } from "../report.ts";

/**
 * One JSON object in pieces; integers beyond 2^53 - 1 as decimal strings, what is no finite number as null. Jobs, stages
 * and SQL executions are a line each and pass through one at a time.
 */
export function* jsonPieces(report: Report): Generator<string> {
  const { slowestStages: _stages, longestExecutions: _executions, ...printed } = report;
  let before = "{";
  for (const [key, value] of Object.entries(printed)) {
    yield `${before}\n  ${JSON.stringify(key)}: `;
    before = ",";
    if (value === report.executors) yield* jsonBlocks(value, "  ");
    else if (value === report.jobs || value === report.stages || value === report.sql) yield* lines(value);
    else yield JSON.stringify(value, jsonSafe, 2).replaceAll("\n", "\n  ");
  }
  yield "\n}\n";
}

function* lines(rows: Iterable<unknown>): Generator<string> {
  let before = "[\n    ";
  for (const row of rows) {
    yield before + line(row);
    before = ",\n    ";
  }
  yield before.startsWith(",") ? "\n  ]" : "[]";
}

/**
 * Rows as JSON.stringify breaks a list of them into lines, one at a time.
 * @param margin white space before the list's own lines
 */
export function* jsonBlocks(rows: Iterable<unknown>, margin: string): Generator<string> {
  let before = `[\n${margin}  `;
  for (const row of rows) {
    yield before + JSON.stringify(row, jsonSafe, 2).replaceAll("\n", `\n${margin}  `);
    before = `,\n${margin}  `;
  }
  yield before.startsWith(",") ? `\n${margin}]` : "[]";
}

/** A replacer makes JSON.stringify many times slower, and nearly no row needs it: without one a bigint throws. */
function line(row: unknown): string {
  try {
    return JSON.stringify(row);
  } catch {
    return JSON.stringify(row, jsonSafe);
  }
}

/** A replacer for JSON.stringify that knows bigint and leaves no NaN or Infinity. */
export function jsonSafe(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return typeof value === "number" && !Number.isFinite(value) ? null : value;
}
