import { formatBytes } from "../../format/bytes.ts";
import { formatShare } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { ratio, sum } from "../../stats/quantile.ts";
import type { App } from "../app.ts";
import { type StageFact, stageKey } from "../facts.ts";
import { PYTHON_KINDS } from "../facts-index.ts";
import { cannotSay, defineStageCause } from "../finding.ts";
import { describeSetting } from "../settings.ts";
import type { StageView } from "../stage-view.ts";
import { isWorth } from "../worth.ts";

export const pythonTransport = defineStageCause({
  cause: "python-transport",
  about:
    "Rows leave the JVM for Python workers and come back: the tasks wait for Python and for the pickling or Arrow transport on both sides.",
  check:
    "SQL page: BatchEvalPython, ArrowEvalPython or MapInPandas with data sent to and returned from Python workers; task Duration far above CPU time.",
  limits: ["pythonCpuShare", "pythonBytes"],

  judge(view, app) {
    const operators = pythonOperators(view.fact, app);
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
    const usual = cpuShareWithoutPython(app);
    const inPythonMs =
      usual === null ? null : (Math.max(0, 1 - cpu / usual) * sum(view.sample?.run ?? [])) / view.slots;
    const waits = inPythonMs === null ? cpu < app.limits.pythonCpuShare : isWorth(inPythonMs, view, app);
    const evidence = [
      `${view.label} runs ${operators.slice(0, 3).join(", ")} [SQL page]`,
      usual === null
        ? `CPU time of the JVM is ${formatShare(cpu)} of run time; the rest is Python and the way there and back`
        : `CPU time of the JVM is ${formatShare(cpu)} of run time, ${formatShare(usual)} in the stages without Python: about ${formatDuration(inPythonMs)} of wall clock more in Python and on the way there and back`,
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
      title: `${view.label.replace("stage", "Stage")} moves its rows through Python workers (${pythonOperators(view.fact, app)[0] ?? "Python"})`,
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

const usualShares = new WeakMap<App, { share: number | null }>();

/** CPU time / run time over the stages without Python, GC and fetch wait aside; null: all of them run Python. */
function cpuShareWithoutPython(app: App): number | null {
  const known = usualShares.get(app);
  if (known) return known.share;
  let cpuMs = 0;
  let runMs = 0;
  for (const stage of app.facts.stages) {
    if (!stage.executor_run_time_ms || stage.executor_cpu_time_ns === null) continue;
    if (pythonOperators(stage, app).length > 0) continue;
    cpuMs += stage.executor_cpu_time_ns / 1e6;
    runMs += stage.executor_run_time_ms - (stage.jvm_gc_time_ms ?? 0) - (stage.fetch_wait_time_ms ?? 0);
  }
  const share = runMs > 0 ? Math.min(1, cpuMs / runMs) : null;
  usualShares.set(app, { share });
  return share;
}

/** Python operators and RDDs that ran in a stage, as far as the log tells. */
export function pythonOperators(stage: StageFact, { index }: App): string[] {
  const key = stageKey(stage);
  const id = index.jobOfStage.get(stage.stage_id)?.execution_id ?? null;
  const measured = index.operatorsOfStage.get(key) ?? [];
  const here = measured.filter((o) => PYTHON_KINDS.test(o.kind)).map((o) => o.kind);
  const told = measured.length > 0 || id === null || index.pythonMeasured.has(id);
  const fromPlan = told
    ? []
    : (index.planOfExecution.get(id) ?? []).filter((o) => PYTHON_KINDS.test(o.kind)).map((o) => o.kind);
  const rdd = /\b(PythonRDD|PythonUDFRunner)\b/.test(index.rddsOfStage.get(key)?.rdd_names ?? "")
    ? ["PythonRDD"]
    : [];
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
