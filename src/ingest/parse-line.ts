import { isObject, type Json, narrow } from "../json.ts";

/** JSON text outside strings: an integer of 16 digits or more, which a double may round; no part of a fraction. */
const LONG_INTEGER = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])(-?\d{16,})(?![\d.eE])/g;
const MAYBE_LONG_INTEGER = /[:[,]\s*-?\d{16,}/;
/** Marks an integer held as text between the two passes; no event holds such a string. */
const MARK = "\u0000int:";

/**
 * One line as an object. Integers beyond 2^53 come out as bigint, exact.
 * @returns null where the line is no JSON object: cut, damaged, a scalar
 */
export function parseLine(line: string): Json | null {
  try {
    const value: unknown = MAYBE_LONG_INTEGER.test(line) ? parseExactly(line) : JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function parseExactly(line: string): unknown {
  const marked = line.replace(LONG_INTEGER, (match, digits: string | undefined) =>
    digits === undefined ? match : JSON.stringify(MARK + digits),
  );
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === "string" && value.startsWith(MARK) ? narrow(BigInt(value.slice(MARK.length))) : value,
  );
}
