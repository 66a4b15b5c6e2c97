import {
  type ExecutorFact,
  type Facts,
  type JobFact,
  NOTHING_LEFT_OUT,
  type StageFact,
} from "../../src/findings/facts.ts";
import { STAGE_TASK_COLUMNS, type StageTaskColumn, type StageTasks } from "../../src/queries/stage-tasks.ts";

export const T0 = 1_735_689_600_000;
export const MIB = 1024 ** 2;
export const GIB = 1024 ** 3;
export const SECOND = 1000;
export const MINUTE = 60_000;

/** What a test says about one task; all else is 0, and it succeeded. Times are ms after T0. */
export interface TaskFact {
  launch?: number;
  run: number;
  executor?: string;
  host?: string;
  index?: number;
  status?: "success" | "failed" | "killed";
  speculative?: boolean;
  duration?: number;
  gc?: number;
  cpu?: number;
  fetchWait?: number;
  deserialize?: number;
  inputBytes?: number;
  inputRecords?: number;
  readBytes?: number;
  readRecords?: number;
  writtenBytes?: number;
  writtenRecords?: number;
  outputBytes?: number;
  memorySpilled?: number;
  diskSpilled?: number;
}

const STATUS = { success: 1, failed: 2, killed: 3 };

/** Tasks of a stage from a line each. */
export function stageTasks(tasks: readonly TaskFact[]): StageTasks {
  const texts: string[] = [];
  const text = (value: string): number => {
    if (!texts.includes(value)) texts.push(value);
    return texts.indexOf(value);
  };
  const columns = Object.fromEntries(
    STAGE_TASK_COLUMNS.map((name) => [name, new Float64Array(tasks.length)]),
  ) as Record<StageTaskColumn, Float64Array>;
  tasks.forEach((task, row) => {
    const executor = task.executor ?? String((row % 10) + 1);
    const set = (name: StageTaskColumn, value: number): void => {
      columns[name][row] = value;
    };
    const launch = T0 + (task.launch ?? 0);
    set("task_id", row);
    set("task_index", task.index ?? row);
    set("launch_time_ms", launch);
    const elapsed = task.duration ?? task.run + (task.deserialize ?? 0);
    set("finish_time_ms", launch + elapsed);
    set("elapsed_ms", Math.max(0, elapsed));
    set("executor", text(executor));
    set("host", text(task.host ?? `node-${executor}`));
    set("speculative", task.speculative ? 1 : 0);
    set("status", STATUS[task.status ?? "success"]);
    set("executor_deserialize_time_ms", task.deserialize ?? 0);
    set("executor_run_time_ms", task.run);
    set("executor_cpu_time_ns", (task.cpu ?? task.run * 0.8) * 1e6);
    set("jvm_gc_time_ms", task.gc ?? 0);
    set("fetch_wait_time_ms", task.fetchWait ?? 0);
    set("input_bytes_read", task.inputBytes ?? 0);
    set("input_records_read", task.inputRecords ?? 0);
    set("local_bytes_read", task.readBytes ?? 0);
    set("shuffle_records_read", task.readRecords ?? 0);
    set("shuffle_bytes_written", task.writtenBytes ?? 0);
    set("shuffle_records_written", task.writtenRecords ?? 0);
    set("output_bytes_written", task.outputBytes ?? 0);
    set("memory_bytes_spilled", task.memorySpilled ?? 0);
    set("disk_bytes_spilled", task.diskSpilled ?? 0);
  });
  return { rows: tasks.length, columns, texts };
}

function total(tasks: StageTasks, ...names: StageTaskColumn[]): number {
  return names.reduce((sum, name) => sum + [...tasks.columns[name]].reduce((a, b) => a + b, 0), 0);
}

/** A stage attempt with the totals of its tasks. */
export function stageFact(id: number, tasks: StageTasks, changes: Partial<StageFact> = {}): StageFact {
  const succeeded = [...tasks.columns.status].filter((s) => s === 1).length;
  const run = [...tasks.columns.executor_run_time_ms].sort((a, b) => a - b);
  const first = Math.min(...tasks.columns.launch_time_ms);
  const last = Math.max(...tasks.columns.finish_time_ms);
  return {
    stage_id: id,
    stage_attempt_id: 0,
    name: `stage ${id}`,
    status: "complete",
    number_of_tasks: succeeded,
    submission_time_ms: first,
    completion_time_ms: last,
    first_task_launched_time_ms: first,
    last_task_finished_time_ms: last,
    failure_reason: null,
    parent_ids: [],
    resource_profile_id: 0,
    own_time_ms: last - first,
    task_starts: tasks.rows,
    task_ends: tasks.rows,
    completed_indices: succeeded,
    ended_indices: succeeded,
    succeeded,
    failed: [...tasks.columns.status].filter((s) => s === 2).length,
    killed: [...tasks.columns.status].filter((s) => s === 3).length,
    speculative: 0,
    tasks_with_metrics: tasks.rows,
    spilling_tasks: [...tasks.columns.memory_bytes_spilled].filter((b) => b > 0).length,
    duration_sum_ms: [...tasks.columns.finish_time_ms].reduce(
      (sum, end, i) => sum + end - (tasks.columns.launch_time_ms[i] ?? 0),
      0,
    ),
    scheduler_delay_sum_ms: 0,
    executor_deserialize_time_ms: total(tasks, "executor_deserialize_time_ms"),
    executor_run_time_ms: total(tasks, "executor_run_time_ms"),
    executor_cpu_time_ns: total(tasks, "executor_cpu_time_ns"),
    result_size_bytes: 2000,
    jvm_gc_time_ms: total(tasks, "jvm_gc_time_ms"),
    result_serialization_time_ms: 0,
    memory_bytes_spilled: total(tasks, "memory_bytes_spilled"),
    disk_bytes_spilled: total(tasks, "disk_bytes_spilled"),
    fetch_wait_time_ms: total(tasks, "fetch_wait_time_ms"),
    remote_bytes_read: 0,
    shuffle_bytes_read: total(tasks, "local_bytes_read"),
    shuffle_records_read: total(tasks, "shuffle_records_read"),
    shuffle_bytes_written: total(tasks, "shuffle_bytes_written"),
    shuffle_records_written: total(tasks, "shuffle_records_written"),
    input_bytes_read: total(tasks, "input_bytes_read"),
    input_records_read: total(tasks, "input_records_read"),
    output_bytes_written: total(tasks, "output_bytes_written"),
    output_records_written: 0,
    run_time_tasks: succeeded,
    run_time_p50_ms: run[Math.min(Math.floor(run.length / 2), run.length - 1)] ?? null,
    run_time_max_ms: run.at(-1) ?? null,
    ...changes,
  };
}

export function executorFact(id: string, cores: number, changes: Partial<ExecutorFact> = {}): ExecutorFact {
  return {
    executor_id: id,
    life: 0,
    host: `node-${id}`,
    total_cores: cores,
    resource_profile_id: 0,
    added_time_ms: T0,
    removed_time_ms: null,
    removed_reason: null,
    removal_class: null,
    exit_code: null,
    removal_detail: null,
    is_shutdown: 0,
    max_memory_bytes: null,
    completed_tasks: 1,
    failed_tasks: 0,
    killed_tasks: 0,
    total_duration_ms: null,
    total_gc_time_ms: null,
    total_run_time_ms: null,
    ...changes,
  };
}

export function jobFact(
  id: number,
  stageIds: number[],
  start: number,
  end: number,
  changes: Partial<JobFact> = {},
): JobFact {
  return {
    job_id: id,
    status: "succeeded",
    submission_time_ms: T0 + start,
    completion_time_ms: T0 + end,
    name: "save at Job.scala:1",
    description: null,
    execution_id: null,
    root_execution_id: null,
    streaming_query_id: null,
    streaming_batch_id: null,
    failure: null,
    stage_ids: stageIds,
    ...changes,
  };
}

export interface StageLine {
  id: number;
  tasks: TaskFact[];
  changes?: Partial<StageFact>;
}

/** Facts of an application from its stages; one job holds them all unless said otherwise. */
export function factsOf(
  stages: StageLine[],
  changes: Partial<Facts> & { end?: number; properties?: Facts["properties"] } = {},
): Facts {
  const { end, ...rest } = changes;
  const read = stages.map(({ id, tasks, changes: stageChanges }) => {
    const columns = stageTasks(tasks);
    return { columns, fact: stageFact(id, columns, stageChanges) };
  });
  const last = Math.max(T0 + 1000, ...read.map(({ fact }) => fact.completion_time_ms ?? T0));
  const endMs = end === undefined ? last : T0 + end;
  return {
    application: {
      application_id: "app",
      attempt_id: null,
      name: "app",
      spark_version: "3.5.1",
      master: "yarn",
      deploy_mode: "cluster",
      start_time_ms: T0,
      end_time_ms: endMs,
      exit_code: null,
      engine: null,
      vendor: null,
      layout: "single",
      task_ends: 1,
      first_time_ms: T0,
      last_time_ms: endMs,
      slice: null,
    },
    issues: [],
    properties: [],
    resourceProfiles: [],
    executors: Array.from({ length: 10 }, (_, i) => executorFact(String(i + 1), 1)),
    executorPeaks: [],
    jobs: [
      jobFact(
        0,
        stages.map((s) => s.id),
        0,
        endMs - T0,
      ),
    ],
    stages: read.map(({ fact }) => fact),
    idleGaps: [],
    resultFetches: [],
    failures: [],
    rdds: [],
    stageRdds: [],
    executions: [],
    sessionSettings: [],
    planOperators: [],
    stageOperators: [],
    exchangeStages: [],
    streamingRuns: [],
    streamingBatches: [],
    leftOut: NOTHING_LEFT_OUT,
    judged: { stages: read.length, notJudged: 0, ownTimeShare: 1 },
    tasks: new Map(read.map(({ columns, fact }) => [`${fact.stage_id}.${fact.stage_attempt_id}`, columns])),
    ...rest,
  };
}

/** Waves of equal tasks on ten slots. */
export function waves(count: number, task: TaskFact): TaskFact[] {
  return Array.from({ length: count }, (_, i) => ({ launch: Math.floor(i / 10) * task.run, ...task }));
}

export function plan(
  executionId: number,
  ...operators: [kind: string, text: string][]
): Pick<Facts, "planOperators" | "executions"> {
  return {
    executions: [
      {
        execution_id: executionId,
        root_execution_id: executionId,
        description: null,
        start_time_ms: T0,
        end_time_ms: null,
        error_message: "",
        status: "completed",
        engine: "spark",
        final_plan: 1,
      },
    ],
    planOperators: operators.map(([kind, text], node) => ({
      execution_id: executionId,
      node_id: node,
      parent_node_id: node === 0 ? null : node - 1,
      kind,
      name: kind,
      simple_string: text,
      in_cache: 0,
    })),
  };
}
