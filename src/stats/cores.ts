/** One executor life as the core count sees it. Times are epoch ms. */
export interface CoreLife {
  cores: number;
  startMs: number;
  /** null: lived to the end. */
  endMs: number | null;
}

/**
 * Cores over time: the most at any moment, those left at the end, and core-hours. An executor that is removed at the
 * moment another is added has made room for it.
 */
export function coreUse(
  lives: readonly CoreLife[],
  endMs: number,
): { peak: number; atEnd: number; coreHours: number } {
  const changes = lives.flatMap((life) => [
    { at: life.startMs, cores: life.cores },
    ...(life.endMs === null ? [] : [{ at: life.endMs, cores: -life.cores }]),
  ]);
  changes.sort((a, b) => a.at - b.at || a.cores - b.cores);
  let now = 0;
  let peak = 0;
  for (const change of changes) {
    now += change.cores;
    peak = Math.max(peak, now);
  }
  const coreMs = lives.reduce(
    (sum, life) => sum + life.cores * Math.max(0, (life.endMs ?? endMs) - life.startMs),
    0,
  );
  return { peak, atEnd: now, coreHours: coreMs / 3_600_000 };
}
