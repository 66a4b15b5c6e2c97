const UNITS: Record<string, number> = { "": 0, b: 0, k: 1, m: 2, g: 3, t: 4, p: 5 };

/** Bytes of a Spark setting: "10MB", "10m", "10485760", "-1". Null if it is no size. */
export function readByteSize(text: string): number | null {
  const parts = /^\s*(-?\d{1,18})\s*([bkmgtp]?)b?\s*$/i.exec(text);
  const power = UNITS[parts?.[2]?.toLowerCase() ?? ""];
  if (!parts || power === undefined) return null;
  const bytes = Number(parts[1]) * 1024 ** power;
  return Number.isFinite(bytes) ? bytes : null;
}
