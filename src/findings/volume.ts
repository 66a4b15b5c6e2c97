import { formatBytes } from "../format/bytes.ts";
import { formatCount, formatRatio } from "../format/count.ts";
import { ratio } from "../stats/quantile.ts";
import type { App } from "./app.ts";
import type { StageFact } from "./facts.ts";
import { stageKey } from "./facts.ts";
import type { StageView } from "./stage-view.ts";

/** What a stage writes to the shuffle over what it reads. */
export interface Volume {
  stage: StageFact;
  /** In rows, or in bytes where rows are not recorded; null: unknown. */
  ratio: number | null;
  unit: "rows" | "bytes" | null;
  bytesRatio: number | null;
  status: "pass" | "watch" | "fail" | "unknown";
  text: string;
}

const COLUMNAR_ENGINES = new Set(["photon", "rapids", "gluten", "comet"]);

/** Shuffle volume of one writing stage. */
export function volumeOf(stage: StageFact, view: StageView, app: App): Volume {
  const name = `stage ${stage.stage_id}`;
  const bytesIn = add(stage.input_bytes_read, stage.shuffle_bytes_read);
  const bytesRatio = ratio(stage.shuffle_bytes_written, bytesIn);
  const unknown = (why: string): Volume => ({
    stage,
    ratio: null,
    unit: null,
    bytesRatio,
    status: "unknown",
    text: `${name}: cannot say, ${why}`,
  });
  const why = unreadable(view);
  if (why) return unknown(why);
  const rowsIn = add(stage.input_records_read, stage.shuffle_records_read);
  const rowsOut = stage.shuffle_records_written ?? 0;
  const bytes = `${formatBytes(stage.shuffle_bytes_written)} written of ${formatBytes(bytesIn)} read${bytesRatio === null ? "" : `, ${formatRatio(bytesRatio)}x`}`;
  if (rowsIn > 0 && rowsOut > 0) {
    const rows = rowsOut / rowsIn;
    const status = grade(rows, app.limits.rowsWatch, app.limits.rowsFail);
    const encoding = status === "pass" && (bytesRatio ?? 0) >= app.limits.bytesWatch;
    const note = encoding ? "; the bytes grew by encoding, not by rows" : "";
    return {
      stage,
      ratio: rows,
      unit: "rows",
      bytesRatio,
      status,
      text: `${name} writes ${formatCount(rowsOut)} rows to the shuffle for ${formatCount(rowsIn)} rows read, ${formatRatio(rows)}x (${bytes})${note}`,
    };
  }
  if (bytesIn <= 0 || bytesRatio === null) return unknown("it records no input");
  const status = grade(bytesRatio, app.limits.bytesWatch, app.limits.bytesFail);
  return {
    stage,
    ratio: bytesRatio,
    unit: "bytes",
    bytesRatio,
    status,
    text: `${name}: ${bytes}; rows are not recorded`,
  };
}

/** The worst of the stage's own shuffle write and of the stages that feed it; null: none of them writes any. */
export function worstVolume(view: StageView, app: App): Volume | null {
  const writers = [view.fact, ...view.feeders].filter((s) => (s.shuffle_bytes_written ?? 0) > 0);
  const volumes = writers.map((s) => volumeOf(s, stageKey(s) === view.key ? view : app.view(s), app));
  const rank = { unknown: 0, pass: 1, watch: 2, fail: 3 };
  return volumes.reduce<Volume | null>((worst, v) => {
    if (!worst) return v;
    const better = rank[v.status] - rank[worst.status] || (v.ratio ?? 0) - (worst.ratio ?? 0);
    return better > 0 ? v : worst;
  }, null);
}

function unreadable(view: StageView): string | null {
  if (COLUMNAR_ENGINES.has(view.engine)) return `a record of ${view.engine} is a batch of rows`;
  if (view.readsCache) return "it reads cached data, where a record is a batch of rows";
  if (/\b(PythonRDD|PairwiseRDD)\b/.test(view.rddNames))
    return "a record of a Python RDD is a batch of pickled rows";
  return null;
}

function grade(value: number, watch: number, fail: number): Volume["status"] {
  if (value >= fail) return "fail";
  return value >= watch ? "watch" : "pass";
}

function add(a: number | null, b: number | null): number {
  return (a ?? 0) + (b ?? 0);
}
