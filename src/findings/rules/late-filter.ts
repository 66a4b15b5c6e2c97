import { formatCount, formatRatio } from "../../format/count.ts";
import type { StageOperatorFact } from "../facts.ts";
import type { StageView } from "../stage-view.ts";
import { defineRule } from "./rule.ts";

/** Rows out of a join / rows left by the filter above it from which most were joined for nothing. */
const DROPPED = 10;
const MIN_ROWS = 1_000_000;
const JOINS = /Join$|^CartesianProduct$/;

export const lateFilter = defineRule({
  rule: "late-filter",
  about:
    "A filter right above a join drops nearly all of the joined rows: they were shuffled, sorted and joined before being thrown away.",
  check: "SQL page: a Filter above a join, its number of output rows far below that of the join.",
  limits: [],

  evaluate(_app, rulings) {
    return rulings.views.flatMap((view) =>
      filtersAboveJoins(view).map(({ filter, join }) => ({
        title: `A filter above a join in ${view.label} keeps one of ${formatRatio((join.total ?? 0) / Math.max(1, filter.total ?? 0))} joined rows`,
        stageId: view.fact.stage_id,
        stageAttemptId: view.fact.stage_attempt_id,
        executionId: view.executionId,
        evidence: [
          `${join.kind} makes ${formatCount(join.total)} rows, ${filter.simple_string.slice(0, 100)} leaves ${formatCount(filter.total)} [SQL page, number of output rows]`,
        ],
        advice: [
          {
            layer: "optimizer" as const,
            text: "If the condition needs one side only, filter that side before the join; else make it part of the join's condition.",
          },
        ],
      })),
    );
  },
});

function filtersAboveJoins(view: StageView): { filter: StageOperatorFact; join: StageOperatorFact }[] {
  const rows = view.operators.filter((o) => o.metric === "number of output rows");
  const parent = new Map(view.plan.map((o) => [o.node_id, o.parent_node_id]));
  const kinds = new Map(view.plan.map((o) => [o.node_id, o.kind]));
  return rows
    .filter((o) => JOINS.test(o.kind) && (o.total ?? 0) >= MIN_ROWS)
    .flatMap((join) => {
      let above = parent.get(join.node_id) ?? null;
      while (above !== null && kinds.get(above) === "Project") above = parent.get(above) ?? null;
      const filter = rows.find((o) => o.node_id === above && o.kind === "Filter");
      return filter && (filter.total ?? 0) * DROPPED <= (join.total ?? 0) ? [{ filter, join }] : [];
    });
}
