/** An integer column: a bigint only beyond 2^53 - 1, where a number would round. */
export type Int = number | bigint;

/** A parsed JSON object of unknown shape. Integers beyond 2^53 arrive as bigint (see ingest/parse-line.ts). */
export type Json = Readonly<Record<string, unknown>>;

const EMPTY: Json = Object.freeze({});

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; anything else is an empty one, so that absent keys read as absent. */
export function object(value: unknown): Json {
  return isObject(value) ? value : EMPTY;
}

export function array(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

/** An integer that fits SQLite's 64 bits, from a number, a bigint or a decimal string; null otherwise (NaN, 1.5, "x"). */
export function int(value: unknown): Int | null {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : null;
  if (typeof value === "bigint") return value <= MAX_INT64 && value >= MIN_INT64 ? value : null;
  if (typeof value === "string" && /^-?\d{1,19}$/.test(value)) return int(narrow(BigInt(value)));
  return null;
}

/** An id or a count: an integer of at most 2^53 - 1, not negative. */
export function smallInt(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Times outside 1973 .. 2100 are no times: 0 and -1 mean "not yet", the rest is damage. */
export const FIRST_TIME_MS = 1e11;
export const LAST_TIME_MS = 4.1e12;

/** A time of an event in epoch ms; null where it is absent, "not yet" or cannot be one. */
export function time(value: unknown): number | null {
  return typeof value === "number" &&
    Number.isInteger(value) &&
    value >= FIRST_TIME_MS &&
    value <= LAST_TIME_MS
    ? value
    : null;
}

/** A finite number from a number or a numeric string; null for NaN, Infinity and text. */
export function real(value: unknown): number | null {
  if (typeof value === "string" && /^-?[\d.]+(e[+-]?\d+)?$/i.test(value.trim())) return real(Number(value));
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function bool(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

/** A bigint only where a number would round. */
export function narrow(value: bigint): Int {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER)
    ? Number(value)
    : value;
}

/** String entries of a map: numbers and booleans as text, the rest left out. */
export function textEntries(value: unknown): [string, string][] {
  if (!isObject(value)) return [];
  const entries: [string, string][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === "string") entries.push([key, item]);
    else if (typeof item === "number" || typeof item === "boolean" || typeof item === "bigint")
      entries.push([key, String(item)]);
  }
  return entries;
}

/** ISO-8601 text as epoch ms; null where it is none, or is the epoch itself ("not set yet"). */
export function isoTime(value: unknown): number | null {
  if (typeof value !== "string") return null;
  return time(Date.parse(value));
}
