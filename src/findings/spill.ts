import { formatBytes } from "../format/bytes.ts";
import { formatCount, formatShare } from "../format/count.ts";
import { sum } from "../stats/quantile.ts";
import type { App } from "./app.ts";
import type { StageView } from "./stage-view.ts";

export interface Spill {
  /** Part of the stage's run time in tasks that spilled. */
  share: number;
  uniform: boolean;
  memoryBytes: number;
  diskBytes: number;
  tasks: number;
  evidence: string[];
}

/** Which tasks of a stage spilled, and in which operator. */
export function spillOf(view: StageView, app: App): Spill {
  const memoryBytes = view.fact.memory_bytes_spilled ?? 0;
  const diskBytes = view.fact.disk_bytes_spilled ?? 0;
  const sample = view.sample;
  if (!sample || (memoryBytes === 0 && diskBytes === 0)) {
    return {
      share: 0,
      uniform: false,
      memoryBytes,
      diskBytes,
      tasks: 0,
      evidence: [`${view.label} spilled nothing`],
    };
  }
  const spilled = (i: number): boolean =>
    (sample.column("memory_bytes_spilled")[i] ?? 0) > 0 || (sample.column("disk_bytes_spilled")[i] ?? 0) > 0;
  const tasks = Array.from({ length: sample.count }, (_, i) => i).filter(spilled);
  const all = sum(sample.run);
  const share = all > 0 ? tasks.reduce((total, i) => total + (sample.run[i] ?? 0), 0) / all : 0;
  const operators = view.operators
    .filter((o) => o.metric === "spill size" && (o.total ?? 0) > 0)
    .sort((a, b) => (b.total ?? 0) - (a.total ?? 0))
    .map((o) => `${o.kind} spilled ${formatBytes(o.total)} [SQL page, ${o.simple_string.slice(0, 80)}]`);
  const evidence = [
    `${view.label}: ${formatCount(tasks.length)} of ${formatCount(sample.count)} tasks spilled ${formatBytes(memoryBytes)} of memory, ${formatBytes(diskBytes)} on disk; they hold ${formatShare(share)} of its run time [Stages > ${view.label} > Spill]`,
    ...operators.slice(0, 3),
  ];
  return {
    share,
    uniform: share >= app.limits.uniformSpill,
    memoryBytes,
    diskBytes,
    tasks: tasks.length,
    evidence,
  };
}
