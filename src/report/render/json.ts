import type { Report } from "../report.ts";

/** One JSON object; integers beyond 2^53 - 1 as decimal strings, what is no finite number as null. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, jsonSafe, 2)}\n`;
}

/** A replacer for JSON.stringify that knows bigint and leaves no NaN or Infinity. */
export function jsonSafe(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return typeof value === "number" && !Number.isFinite(value) ? null : value;
}
