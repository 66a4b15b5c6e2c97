/** A time of day in UTC, to the second: "2025-01-01 00:00:07 UTC". null is "unknown". */
export function formatTime(ms: number | bigint | null): string {
  if (ms === null) return "unknown";
  return `${new Date(Number(ms)).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
