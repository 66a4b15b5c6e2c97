import type { BroadcastThreshold } from "./broadcast-threshold.ts";

type Whole = number | bigint;

/** What is judged of a join: columns of sql_join. */
export interface MeasuredJoin {
  kind: string;
  join_type: string | null;
  build_side: string | null;
  left_bytes: Whole | null;
  left_rows: Whole | null;
  right_bytes: Whole | null;
  right_rows: Whole | null;
  output_rows: Whole | null;
}

export type JoinFault =
  | "small-side-not-broadcast"
  | "broadcast-too-large"
  | "nested-loop"
  | "cartesian"
  | "row-expansion";

export interface JoinJudgement {
  fault: JoinFault;
  /** The side it is about; null: both. */
  side: "left" | "right" | null;
  /** Bytes of that side, or rows out over rows of the larger side. */
  value: number | null;
  /** The broadcast threshold, or the ratio allowed. */
  limit: number | null;
}

/** A join that emits this many rows for each row of its larger side multiplies data: the limit of shuffle volume, too. */
export const ROW_EXPANSION = 2;
/** Broadcasts below this size hurt nobody, whatever the threshold says. */
const HARMLESS_BROADCAST_BYTES = 64 * 1024 ** 2;

/** Sides that may be broadcast: the side whose rows must all appear cannot be. */
const MAY_BUILD: ReadonlyMap<string, ("left" | "right")[]> = new Map(
  Object.entries({
    Inner: ["left", "right"],
    Cross: ["left", "right"],
    LeftOuter: ["right"],
    LeftSemi: ["right"],
    LeftAnti: ["right"],
    LeftSingle: ["right"],
    RightOuter: ["left"],
  }),
);

/** What is wrong with a join, by its measured sizes and the broadcast threshold in force. */
export function judgeJoin(join: MeasuredJoin, threshold: BroadcastThreshold): JoinJudgement[] {
  return [
    ...smallSide(join, threshold),
    ...largeBroadcast(join, threshold),
    ...allPairs(join),
    ...expansion(join),
  ];
}

function smallSide(join: MeasuredJoin, { bytes: limit }: BroadcastThreshold): JoinJudgement[] {
  if (limit === null || (join.kind !== "SortMergeJoin" && join.kind !== "ShuffledHashJoin")) return [];
  const type = join.join_type?.startsWith("ExistenceJoin") ? "LeftSemi" : (join.join_type ?? "");
  const small = (MAY_BUILD.get(type) ?? [])
    .map((side) => ({ side, bytes: bytesOf(join, side) }))
    .filter(
      (entry): entry is { side: "left" | "right"; bytes: number } =>
        entry.bytes !== null && entry.bytes <= limit,
    )
    .sort((a, b) => a.bytes - b.bytes)[0];
  return small ? [{ fault: "small-side-not-broadcast", side: small.side, value: small.bytes, limit }] : [];
}

/** Broadcast because of a hint or a wrong estimate: the threshold would not have allowed it. */
function largeBroadcast(join: MeasuredJoin, threshold: BroadcastThreshold): JoinJudgement[] {
  if (!join.kind.startsWith("Broadcast") || !isSide(join.build_side)) return [];
  const limit = Math.max(threshold.bytes ?? 0, HARMLESS_BROADCAST_BYTES);
  const value = bytesOf(join, join.build_side);
  return value !== null && value > limit
    ? [{ fault: "broadcast-too-large", side: join.build_side, value, limit }]
    : [];
}

function allPairs({ kind }: MeasuredJoin): JoinJudgement[] {
  if (kind === "CartesianProduct") return [{ fault: "cartesian", side: null, value: null, limit: null }];
  if (kind === "BroadcastNestedLoopJoin")
    return [{ fault: "nested-loop", side: null, value: null, limit: null }];
  return [];
}

function expansion(join: MeasuredJoin): JoinJudgement[] {
  const { left_rows, right_rows, output_rows } = join;
  if (left_rows === null || right_rows === null || output_rows === null) return [];
  const larger = Math.max(Number(left_rows), Number(right_rows));
  const ratio = larger > 0 ? Number(output_rows) / larger : 0;
  return ratio >= ROW_EXPANSION
    ? [{ fault: "row-expansion", side: null, value: ratio, limit: ROW_EXPANSION }]
    : [];
}

function bytesOf(join: MeasuredJoin, side: "left" | "right"): number | null {
  const bytes = side === "left" ? join.left_bytes : join.right_bytes;
  return bytes === null ? null : Number(bytes);
}

function isSide(side: string | null): side is "left" | "right" {
  return side === "left" || side === "right";
}
