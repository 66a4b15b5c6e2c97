import { formatBytes } from "../../format/bytes.ts";
import { formatCount, formatRatio } from "../../format/count.ts";
import type { App } from "../app.ts";
import type { StageFact } from "../facts.ts";
import { type Advice, cannotSay, defineStageCause } from "../finding.ts";
import { describeSetting } from "../settings.ts";
import type { StageView } from "../stage-view.ts";

export const joinStrategy = defineStageCause({
  cause: "join-strategy",
  about:
    "A join shuffles and sorts a large side although the other side, as measured, is small enough to be broadcast; or a nested-loop or cartesian join multiplies rows.",
  check:
    "SQL page: SortMergeJoin with one small Exchange below it (data size), or CartesianProduct or BroadcastNestedLoopJoin with many output rows.",
  limits: ["broadcastBytes", "joinShuffleBytes", "explosion"],

  judge(view, app) {
    if (view.plan.length === 0)
      return view.executionId === null
        ? { passed: false, priceMs: null, evidence: [`${view.label} belongs to no SQL execution`] }
        : cannotSay(`no plan of ${view.label} is in the log`);
    const explosion = explodingJoin(view, app);
    if (explosion) return { passed: true, priceMs: null, evidence: [explosion], confidence: "medium" };
    const small = smallSide(view, app);
    if (small) return { passed: true, priceMs: null, evidence: small.evidence, confidence: "medium" };
    return {
      passed: false,
      priceMs: null,
      evidence: [
        `no join of ${view.label} has a side below ${formatBytes(broadcastLimit(view, app))} beside a large one, and none multiplies rows`,
      ],
    };
  },

  remedy(view, app) {
    const small = smallSide(view, app);
    const advice: Advice[] = small
      ? [
          {
            layer: "optimizer",
            text: `Broadcast the side of stage ${small.stage.stage_id} (${formatBytes(small.stage.shuffle_bytes_written)} as shuffled, ${formatCount(small.stage.shuffle_records_written)} rows) with a broadcast hint; check first that it is that small on every run and fits the executors' memory.`,
          },
          {
            layer: "configuration",
            text: `${describeSetting(app.settings.get("spark.sql.autoBroadcastJoinThreshold", view.executionId))}; statistics of the table (ANALYZE TABLE) let Spark choose the broadcast itself.`,
          },
        ]
      : [{ layer: "layout", text: "Give the join an equality condition, or reduce both sides before it." }];
    return {
      title: small
        ? `The join of ${view.label} shuffles its large side although the other has only ${formatCount(small.stage.shuffle_records_written)} rows (${formatBytes(small.stage.shuffle_bytes_written)})`
        : `A nested-loop or cartesian join multiplies rows in ${view.label}`,
      advice,
      rejected: [{ advice: "more shuffle partitions", why: "the large side need not be shuffled at all" }],
    };
  },
});

const JOINS = new Set(["SortMergeJoin", "ShuffledHashJoin"]);

interface SmallSide {
  stage: StageFact;
  evidence: string[];
}

/** A shuffled inner join (either side may be broadcast) of which one side is small and the other large. */
export function smallSide(view: StageView, app: App): SmallSide | null {
  if (convertsItself(view, app)) return null;
  const join = view.plan.find((o) => JOINS.has(o.kind) && !/Outer|Semi|Anti|Existence/.test(o.simple_string));
  const sides = [...view.feeders].sort(
    (a, b) => (a.shuffle_bytes_written ?? 0) - (b.shuffle_bytes_written ?? 0),
  );
  const [small, large] = [sides[0], sides.at(-1)];
  if (!join || !small || !large || small === large) return null;
  const limit = broadcastLimit(view, app);
  const bytes = small.shuffle_bytes_written ?? 0;
  if (bytes > limit || (large.shuffle_bytes_written ?? 0) < app.limits.joinShuffleBytes) return null;
  const threshold = app.settings.get("spark.sql.autoBroadcastJoinThreshold", view.executionId);
  const off = Number(threshold.value) < 0 ? "broadcast is switched off: " : "";
  return {
    stage: small,
    evidence: [
      `${join.kind} in the plan of ${view.label}: stage ${small.stage_id} brings ${formatCount(small.shuffle_records_written)} rows, ${formatBytes(bytes)}; stage ${large.stage_id} ${formatCount(large.shuffle_records_written)} rows, ${formatBytes(large.shuffle_bytes_written)} [SQL page; Stages page, Shuffle Write]`,
      `${off}${describeSetting(threshold)}`,
    ],
  };
}

/** With adaptive execution Spark measures both sides and broadcasts the small one itself, unless that is switched off. */
function convertsItself(view: StageView, app: App): boolean {
  const threshold = app.settings.bytes("spark.sql.autoBroadcastJoinThreshold", view.executionId) ?? 0;
  return (
    threshold > 0 &&
    app.settings.atLeast(3, 0) &&
    app.settings.isTrue("spark.sql.adaptive.enabled", view.executionId)
  );
}

function broadcastLimit(view: StageView, app: App): number {
  return Math.max(
    app.limits.broadcastBytes,
    app.settings.bytes("spark.sql.autoBroadcastJoinThreshold", view.executionId) ?? 0,
  );
}

function explodingJoin(view: StageView, app: App): string | null {
  const join = view.operators.find(
    (o) =>
      (o.kind === "CartesianProduct" || o.kind === "BroadcastNestedLoopJoin") &&
      o.metric === "number of output rows",
  );
  const rowsIn = (view.fact.input_records_read ?? 0) + (view.fact.shuffle_records_read ?? 0);
  if (!join || rowsIn <= 0 || (join.total ?? 0) < app.limits.explosion * rowsIn) return null;
  return `${join.kind} in ${view.label} makes ${formatCount(join.total)} rows of ${formatCount(rowsIn)} read, ${formatRatio((join.total ?? 0) / rowsIn)}x [SQL page]`;
}
