/** Milliseconds for a reader: "350 ms", "12.4 s", "3.5 min", "2.11 h". null is "unknown". */
export function formatDuration(ms: number | bigint | null): string {
  if (ms === null) return "unknown";
  const value = Number(ms);
  if (value < 1000) return `${Math.round(value)} ms`;
  if (value < 60_000) return `${(value / 1000).toFixed(1)} s`;
  if (value < 3_600_000) return `${(value / 60_000).toFixed(1)} min`;
  return `${(value / 3_600_000).toFixed(2)} h`;
}
