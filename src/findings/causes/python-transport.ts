import { formatBytes } from "../../format/bytes.ts";
import { formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { ratio } from "../../stats/quantile.ts";
import { cannotSay, defineStageCause } from "../finding.ts";
import { describeSetting } from "../settings.ts";
import type { StageView } from "../stage-view.ts";

const PYTHON_KINDS = /Python|Pandas|MapInArrow|FlatMapGroupsInArrow/;

export const pythonTransport = defineStageCause({
  cause: "python-transport",
  about:
    "Rows leave the JVM for Python workers and come back: the tasks wait for Python and for the pickling or Arrow transport on both sides.",
  check:
    "SQL page: BatchEvalPython, ArrowEvalPython or MapInPandas with data sent to and returned from Python workers; task Duration far above CPU time.",
  limits: ["pythonCpuShare", "pythonBytes"],

  judge(view, app) {
    const operators = pythonOperators(view);
    if (operators.length === 0)
      return {
        passed: false,
        priceMs: null,
        evidence: [`no Python operator or Python RDD in ${view.label}`],
      };
    const cpu = ratio(
      view.fact.executor_cpu_time_ns === null ? null : view.fact.executor_cpu_time_ns / 1e6,
      view.fact.executor_run_time_ms,
    );
    if (cpu === null) return cannotSay(`${view.label} records no CPU time`);
    const bytes = sent(view);
    const waits = cpu < app.limits.pythonCpuShare;
    const evidence = [
      `${view.label} runs ${operators.slice(0, 3).join(", ")} [SQL page]`,
      `CPU time of the JVM is ${formatShare(cpu)} of run time; the rest is Python and the way there and back`,
      bytes === null
        ? "bytes sent to Python are not recorded"
        : `${formatBytes(bytes)} went to and from Python workers`,
      ...timeInPython(view),
    ];
    return {
      passed: waits && (bytes === null || bytes >= app.limits.pythonBytes),
      priceMs: null,
      evidence,
      confidence: bytes === null ? "low" : "medium",
    };
  },

  remedy(view, app) {
    const arrow = describeSetting(
      app.settings.get("spark.sql.execution.arrow.pyspark.enabled", view.executionId),
    );
    return {
      title: `${view.label.replace("stage", "Stage")} moves its rows through Python workers (${pythonOperators(view)[0] ?? "Python"})`,
      advice: [
        {
          layer: "layout",
          text: "Use built-in SQL functions instead of the Python function where they exist: then no row leaves the JVM.",
        },
        {
          layer: "layout",
          text: "Else make it vectorised (pandas_udf, mapInPandas): Arrow batches instead of pickled rows; filter and narrow the rows before it.",
        },
        {
          layer: "configuration",
          text: `For toPandas and createDataFrame Arrow is a setting. Now: ${arrow}.`,
        },
      ],
      rejected: [
        { advice: "more executor memory", why: "Python works beside the heap; the JVM waits for it" },
        { advice: "more shuffle partitions", why: "each row crosses the boundary whatever its partition" },
      ],
    };
  },
});

/** Python operators and RDDs that ran in a stage, as far as the log tells. */
export function pythonOperators(view: StageView): string[] {
  const here = view.operators.filter((o) => PYTHON_KINDS.test(o.kind)).map((o) => o.kind);
  const fromPlan =
    here.length > 0 || view.operators.length > 0
      ? []
      : view.plan.filter((o) => PYTHON_KINDS.test(o.kind)).map((o) => o.kind);
  const rdd = /\b(PythonRDD|PythonUDFRunner)\b/.test(view.rddNames) ? ["PythonRDD"] : [];
  return [...new Set([...here, ...fromPlan, ...rdd])];
}

/** Bytes over the boundary, both ways; null: the version does not record them. */
function sent(view: StageView): number | null {
  const totals = view.operators
    .filter((o) => /^data (sent to|returned from) Python workers$/.test(o.metric))
    .map((o) => o.total ?? 0);
  return totals.length > 0 ? totals.reduce((sum, bytes) => sum + bytes, 0) : null;
}

function timeInPython(view: StageView): string[] {
  return view.operators
    .filter(
      (o) =>
        /^time to (run Python workers|execute Python code|start Python workers)$/.test(o.metric) &&
        (o.total ?? 0) > 0,
    )
    .map(
      (o) =>
        `${o.metric}: ${formatDuration(o.metric_type === "nsTiming" ? (o.total ?? 0) / 1e6 : o.total)} over all tasks`,
    );
}
