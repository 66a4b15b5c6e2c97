import { formatBytes } from "../format/bytes.ts";
import { formatCount, formatShare } from "../format/count.ts";
import { keep, positionsTo } from "../stats/positions.ts";
import { sum } from "../stats/quantile.ts";
import { replay } from "../stats/replay.ts";
import type { App } from "./app.ts";
import type { StageView } from "./stage-view.ts";
import { medianOf, type TaskSample } from "./task-sample.ts";

/** So many tasks that did not spill are needed to compare with. */
const FEW = 4;

export interface Spill {
  /** Part of the stage's run time in tasks that spilled. */
  share: number;
  uniform: boolean;
  /** Wall clock beyond what the stage took if they ran like those that did not spill, ms; null: hardly any did not. */
  extraMs: number | null;
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
      extraMs: null,
      memoryBytes,
      diskBytes,
      tasks: 0,
      evidence: [`${view.label} spilled nothing`],
    };
  }
  const memory = sample.column("memory_bytes_spilled");
  const disk = sample.column("disk_bytes_spilled");
  const spilled = new Uint8Array(sample.count);
  let tasks = 0;
  let spilledMs = 0;
  for (let i = 0; i < sample.count; i++) {
    if (!((memory[i] ?? 0) > 0 || (disk[i] ?? 0) > 0)) continue;
    spilled[i] = 1;
    tasks++;
    spilledMs += sample.run[i] ?? 0;
  }
  const all = sum(sample.run);
  const share = all > 0 ? spilledMs / all : 0;
  const operators = view.operators
    .filter((o) => o.metric === "spill size" && (o.total ?? 0) > 0)
    .sort((a, b) => (b.total ?? 0) - (a.total ?? 0))
    .map((o) => `${o.kind} spilled ${formatBytes(o.total)} [SQL page, ${o.simple_string.slice(0, 80)}]`);
  const evidence = [
    `${view.label}: ${formatCount(tasks)} of ${formatCount(sample.count)} tasks spilled ${formatBytes(memoryBytes)} of memory, ${formatBytes(diskBytes)} on disk; they hold ${formatShare(share)} of its run time [Stages > ${view.label} > Spill]`,
    ...operators.slice(0, 3),
  ];
  return {
    share,
    uniform: share >= app.limits.uniformSpill,
    extraMs: extraTime(sample, spilled, view.slots),
    memoryBytes,
    diskBytes,
    tasks,
    evidence,
  };
}

/** Tasks of the same stage that did not spill are the yardstick: median run time for as many bytes read. */
function extraTime(sample: TaskSample, spilled: Uint8Array, slots: number): number | null {
  const others = keep(positionsTo(sample.count), (i) => spilled[i] === 0);
  const usualMs = medianOf(sample.run, others);
  if (usualMs === null || others.length < FEW) return null;
  const bytes = sample.work("bytes read");
  const usualBytes = medianOf(bytes, others) ?? 0;
  const without = replay(sample.run, slots, (ms, i) => {
    const more = usualBytes > 0 ? Math.max(1, (bytes[i] ?? 0) / usualBytes) : 1;
    return spilled[i] === 1 ? Math.min(ms, usualMs * more) : ms;
  });
  return Math.max(0, replay(sample.run, slots) - without);
}
