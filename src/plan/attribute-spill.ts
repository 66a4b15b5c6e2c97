import { formatSize } from "./metric-text.ts";

type Whole = number | bigint;

/** A stage attempt that spilled and an operator in it: a row of the query spill-operators. */
export interface SpillMeasure {
  execution_id: Whole | null;
  stage_id: Whole;
  stage_attempt_id: Whole;
  node_id: Whole | null;
  kind: string | null;
  simple_string: string | null;
  operator_spill_bytes: Whole | null;
  operator_spilling_tasks: Whole | null;
  operator_max_spill_bytes: Whole | null;
  hot_task_id: Whole | null;
  memory_bytes_spilled: Whole | null;
  disk_bytes_spilled: Whole | null;
  spilling_tasks: Whole;
  tasks: Whole;
  mean_bytes_read: number | null;
  median_bytes_read: Whole | null;
  max_bytes_read: Whole | null;
}

/**
 * Why a stage spilled. key-skew: few tasks with far more data than the others. Otherwise it is the volume all tasks
 * share: too-few-partitions if a task reads more than it should, state-too-wide if it reads little and its rows or
 * state in memory are what is large.
 */
export type SpillCause = "key-skew" | "too-few-partitions" | "state-too-wide";

export interface OperatorSpill {
  executionId: Whole | null;
  nodeId: Whole;
  kind: string;
  simpleString: string;
  /** Its own "spill size". */
  bytes: Whole;
  tasks: Whole;
  /** Its part of all that operators reported in the stage, 0 to 1. */
  share: number;
  maxBytes: Whole | null;
  hotTaskId: Whole | null;
}

export interface StageSpill {
  stageId: Whole;
  stageAttemptId: Whole;
  memoryBytesSpilled: Whole | null;
  diskBytesSpilled: Whole | null;
  spillingTasks: number;
  tasks: number;
  cause: SpillCause;
  why: string;
  /** Largest first; empty: no operator of a plan reported the spill (RDD code, the shuffle writer). */
  operators: OperatorSpill[];
}

/** Data of a task above this many times the median is skew (the watch limit of the skew check). */
const SKEWED = 2;
/** Upper end of a good partition size; above it the partitions are too few. */
const LARGE_PARTITION_BYTES = 128 * 1024 ** 2;

/** One result a stage attempt, in the order of the rows. */
export function attributeSpill(rows: readonly SpillMeasure[]): StageSpill[] {
  const stages = new Map<string, SpillMeasure[]>();
  for (const row of rows) {
    const key = `${row.stage_id}.${row.stage_attempt_id}`;
    const list = stages.get(key);
    if (list) list.push(row);
    else stages.set(key, [row]);
  }
  return [...stages.values()].flatMap((list) => (list[0] ? [stageSpill(list[0], list)] : []));
}

function stageSpill(stage: SpillMeasure, rows: readonly SpillMeasure[]): StageSpill {
  const all = rows.reduce((sum, row) => sum + Number(row.operator_spill_bytes ?? 0), 0);
  return {
    stageId: stage.stage_id,
    stageAttemptId: stage.stage_attempt_id,
    memoryBytesSpilled: stage.memory_bytes_spilled,
    diskBytesSpilled: stage.disk_bytes_spilled,
    spillingTasks: Number(stage.spilling_tasks),
    tasks: Number(stage.tasks),
    ...causeOf(stage),
    operators: rows.flatMap((row) => operatorSpill(row, all)),
  };
}

function operatorSpill(row: SpillMeasure, all: number): OperatorSpill[] {
  const { node_id, kind, operator_spill_bytes } = row;
  if (node_id === null || kind === null || operator_spill_bytes === null) return [];
  return [
    {
      executionId: row.execution_id,
      nodeId: node_id,
      kind,
      simpleString: row.simple_string ?? kind,
      bytes: operator_spill_bytes,
      tasks: row.operator_spilling_tasks ?? 0,
      share: all > 0 ? Number(operator_spill_bytes) / all : 0,
      maxBytes: row.operator_max_spill_bytes,
      hotTaskId: row.hot_task_id,
    },
  ];
}

function causeOf(stage: SpillMeasure): { cause: SpillCause; why: string } {
  const spilling = Number(stage.spilling_tasks);
  const tasks = Number(stage.tasks);
  const median = Number(stage.median_bytes_read ?? 0);
  const ratio = median > 0 ? Number(stage.max_bytes_read ?? 0) / median : null;
  const who = `${spilling} of ${tasks} tasks spilled`;
  if (spilling < tasks / 2 && (ratio === null || ratio >= SKEWED)) {
    const much = ratio === null ? "" : `; the largest reads ${ratio.toFixed(1)} times the median`;
    return { cause: "key-skew", why: `${who}${much}` };
  }
  const mean = stage.mean_bytes_read ?? 0;
  const size = formatSize(mean);
  if (mean > LARGE_PARTITION_BYTES) {
    return { cause: "too-few-partitions", why: `${who}, and a task reads ${size} on average` };
  }
  return { cause: "state-too-wide", why: `${who}, though a task reads only ${size} on average` };
}
