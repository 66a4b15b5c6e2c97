import { formatBytes } from "../../format/bytes.ts";
import { formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { ratio } from "../../stats/quantile.ts";
import type { App } from "../app.ts";
import { cannotSay, defineStageCause } from "../finding.ts";
import type { StageView } from "../stage-view.ts";

export const serialization = defineStageCause({
  cause: "serialization",
  about:
    "A good part of the tasks' time goes into unpacking the task (its closure, broadcast variables, classes) and packing its result.",
  check:
    "Stages page > the stage > Show Additional Metrics > Task Deserialization Time, Result Serialization Time.",
  limits: ["serializationShare", "collectBytes", "excessOfHost"],

  judge(view, app) {
    const share = serializationShare(view);
    if (share === null || !view.sample) return cannotSay(`${view.label} records no deserialization time`);
    const all = total(view);
    if (packsResults(view, app)) {
      const bytes = formatBytes(view.fact.result_size_bytes);
      return {
        passed: false,
        priceMs: 0,
        evidence: [
          `${view.label}: ${formatDuration(all)} went into packing results of ${bytes} for the driver: driver-collect`,
        ],
      };
    }
    if (isWarmUp(view, app)) {
      return {
        passed: false,
        priceMs: 0,
        evidence: [
          `${view.label}: ${formatDuration(all)} of deserialization, nearly all in the first wave of fresh executors (class loading): warm-up`,
        ],
      };
    }
    return {
      passed: share >= app.limits.serializationShare,
      priceMs: all / view.slots,
      evidence: [
        `${view.label}: ${formatDuration(all)} of ${formatDuration(view.fact.duration_sum_ms)} task time is deserialization of tasks and serialization of results, ${formatShare(share)} [Stages > ${view.label} > Task Deserialization Time]`,
        "the size of the task's closure is not in the event log (Spark only warns about it in the driver's log)",
      ],
      confidence: "medium",
    };
  },

  remedy: (view) => ({
    title: `Tasks of ${view.label} spend ${formatShare(serializationShare(view))} of their time on deserialization and serialization`,
    advice: [
      {
        layer: "layout",
        text: "Do not capture large objects in closures: build them inside mapPartitions, or copy the one field that is needed.",
      },
      {
        layer: "reuse",
        text: "Broadcast large read-only values once instead of sending them with every task (never a connection).",
      },
      { layer: "layout", text: "Run fewer, longer tasks: each unpacks the same closure again." },
      {
        layer: "configuration",
        text: "For RDDs of objects spark.serializer=org.apache.spark.serializer.KryoSerializer makes both ways cheaper.",
      },
    ],
    rejected: [
      { advice: "more executor memory", why: "the time goes into unpacking, not into collecting garbage" },
    ],
  }),
});

/** Most of the time goes into results so large that collecting them is the cause. */
function packsResults(view: StageView, app: App): boolean {
  const packing = view.fact.result_serialization_time_ms ?? 0;
  return (view.fact.result_size_bytes ?? 0) >= app.limits.collectBytes && packing >= total(view) / 2;
}

/** The first tasks of an executor load the classes that all later ones find there. */
function isWarmUp(view: StageView, app: App): boolean {
  const unpacking = view.sample?.column("executor_deserialize_time_ms");
  const wave = Math.max(1, Math.round(view.slots));
  if (!unpacking || unpacking.length < 2 * wave) return false;
  return sumKnown(unpacking.subarray(0, wave)) >= app.limits.excessOfHost * total(view);
}

function sumKnown(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] || 0;
  return sum;
}

function total(view: StageView): number {
  const sample = view.sample;
  if (!sample) return 0;
  return (
    sumKnown(sample.column("executor_deserialize_time_ms")) +
    sumKnown(sample.column("result_serialization_time_ms"))
  );
}

function serializationShare(view: StageView): number | null {
  return view.fact.executor_deserialize_time_ms === null
    ? null
    : ratio(total(view), view.fact.duration_sum_ms);
}
