type Whole = number | bigint;

/** What is judged of an operator's place: columns of sql_placement. */
export interface MeasuredPlacement {
  kind: string;
  rows_in: Whole | null;
  rows_out: Whole | null;
}

/** Fewer rows than this are moved in no time. */
const MANY_ROWS = 1_000_000;
/** A filter that drops less than half of its rows saves little by standing lower. */
const DROPPED = 0.5;
/** Rows made of one row that multiply the data: the limit of shuffle volume, too. */
const GROWTH = 2;

/** True where the place of an operator costs enough to be named. Python and windows over all rows always do. */
export function placementCosts({ kind, rows_in, rows_out }: MeasuredPlacement): boolean {
  if (kind === "python-boundary" || kind === "window-without-partition") return true;
  if (rows_in === null || rows_out === null || Number(rows_in) === 0) return false;
  const ratio = Number(rows_out) / Number(rows_in);
  const isMany = Math.max(Number(rows_in), Number(rows_out)) >= MANY_ROWS;
  return isMany && (kind.startsWith("filter-above") ? 1 - ratio >= DROPPED : ratio >= GROWTH);
}
