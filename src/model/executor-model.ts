import { type Json, object, smallInt, text, time } from "../json.ts";
import type { ScratchFile } from "../scratch-file.ts";
import type { BlockManagerRow, ExecutorRow, Int } from "../store/rows.ts";
import { executorId } from "../tasks/executor-id.ts";
import type { StringTable } from "../tasks/string-table.ts";
import { TASK_STATUS, type TaskBatch, type TaskConsumer } from "../tasks/task-batch.ts";
import type { ModelContext } from "./context.ts";
import { ParkedMap } from "./parked-map.ts";
import { classifyRemoval } from "./removal-class.ts";

/** Different texts that a life keeps of one kind: tasks of one executor mostly tell the same. */
const MAX_TEXTS = 100;

/** Each takes some 4 kB. Executors that work at the same time must fit, or each task would fetch another. */
const LIVES_IN_MEMORY = 20_000;

/** Plain data: it may wait in the scratch file. */
interface Life {
  row: ExecutorRow;
  /** Removed Reason of each removal, Loss Reason and error of each task, without repetitions. */
  reasons: string[];
  losses: string[];
  errors: string[];
  completed: number;
  failed: number;
  killed: number;
  /** Sums as doubles; exact up to 2^53, which no real executor passes. */
  duration: number;
  gc: number;
  run: number;
  input: number;
  shuffleRead: number;
  shuffleWrite: number;
}

/** Executors by life, their block managers, exclusions and metric peaks. */
export class ExecutorModel implements TaskConsumer {
  readonly #context: ModelContext;
  readonly #strings: StringTable;
  /** Lives by number, in the order in which they began: the current one of each executor, and those before. */
  readonly #lives: ParkedMap<Life>;
  readonly #past: ParkedMap<Life>;
  #lifeCount = 0;
  /** Number of the current life by executor id. */
  readonly #currentLife = new Map<string, number>();
  /** The last block manager of each executor id; those before are written. */
  readonly #blockManagers = new Map<string, BlockManagerRow>();
  readonly #exclusions = new Set<string>();
  readonly #peaks = new Map<string, Map<string, Int>>();
  /** Number of the current life by string id of the executor: the hot path. */
  #byString: (number | undefined)[] = [];

  constructor(context: ModelContext, strings: StringTable, scratch: ScratchFile) {
    this.#context = context;
    this.#strings = strings;
    this.#lives = new ParkedMap(scratch, null, LIVES_IN_MEMORY);
    this.#past = new ParkedMap(scratch);
  }

  added(json: Json): void {
    const id = executorId(json["Executor ID"]);
    if (id === null) return;
    const info = object(json["Executor Info"]);
    const current = this.#current(id);
    // An add while the executor lives is a re-registration (or a repeated line) of the same executor.
    const life =
      current && current.row.removed_time_ms === null && current.row.removal_events === 0
        ? current
        : this.#begin(id);
    const row = life.row;
    row.added_time_ms ??= this.#context.clock.see(time(json.Timestamp));
    row.host = text(info.Host) ?? row.host;
    row.total_cores = smallInt(info["Total Cores"]) ?? row.total_cores;
    row.resource_profile_id = smallInt(info["Resource Profile Id"]) ?? row.resource_profile_id;
    row.attributes_json = jsonOf(info.Attributes);
    row.log_urls_json = jsonOf(info["Log Urls"]);
  }

  /** The first removal of a life counts; later ones may still carry a better reason. */
  removed(json: Json): void {
    const id = executorId(json["Executor ID"]);
    if (id === null) return;
    const life = this.#current(id) ?? this.#begin(id);
    const reason = text(json["Removed Reason"])?.trim() ?? "";
    note(life.reasons, reason);
    life.row.removal_events = Number(life.row.removal_events) + 1;
    if (life.row.removal_events === 1) {
      life.row.removed_time_ms = this.#context.clock.see(time(json.Timestamp));
      life.row.removed_reason = reason;
    }
  }

  blockManagerAdded(json: Json): void {
    const manager = object(json["Block Manager ID"]);
    const id = executorId(manager["Executor ID"]);
    if (id === null) return;
    const row: BlockManagerRow = {
      executor_id: id,
      host: text(manager.Host),
      port: smallInt(manager.Port),
      added_time_ms: this.#context.clock.see(time(json.Timestamp)),
      removed_time_ms: null,
      maximum_memory_bytes: intOrNull(json["Maximum Memory"]),
      maximum_onheap_memory_bytes: intOrNull(json["Maximum Onheap Memory"]),
      maximum_offheap_memory_bytes: intOrNull(json["Maximum Offheap Memory"]),
    };
    this.#writeBlockManager(this.#blockManagers.get(id));
    this.#blockManagers.set(id, row);
    // On clusters the driver has a block manager but no ExecutorAdded. A block manager of a removed executor
    // (a late re-registration) does not bring it back to life.
    const life = this.#current(id) ?? this.#begin(id);
    life.row.host ??= row.host;
    life.row.port = row.port;
    life.row.max_memory_bytes = row.maximum_memory_bytes;
    life.row.max_onheap_memory_bytes = row.maximum_onheap_memory_bytes;
    life.row.max_offheap_memory_bytes = row.maximum_offheap_memory_bytes;
    life.row.added_time_ms ??= row.added_time_ms;
  }

  blockManagerRemoved(json: Json): void {
    const id = executorId(object(json["Block Manager ID"])["Executor ID"]);
    const row = this.#blockManagers.get(id ?? "");
    if (row) row.removed_time_ms ??= this.#context.clock.see(time(json.Timestamp));
  }

  /** Spark 3.1+ writes each exclusion twice, in the old and the new spelling: one row. */
  exclusion(kind: "executor" | "node", action: string, json: Json): void {
    const target = kind === "executor" ? executorId(json.executorId) : text(json.hostId);
    if (target === null) return;
    const row = {
      time_ms: this.#context.clock.see(time(json.time)),
      kind,
      target,
      action,
      stage_id: smallInt(json.stageId),
      stage_attempt_id: smallInt(json.stageAttemptId),
      failures: smallInt(kind === "executor" ? json.taskFailures : json.executorFailures),
    };
    const key = JSON.stringify(row);
    if (this.#exclusions.has(key)) return;
    this.#exclusions.add(key);
    this.#context.rows.insert("exclusion", row);
    if (action === "excluded-for-stage") return;
    const targets = kind === "executor" ? [target] : this.#currentLife.keys();
    for (const id of targets) {
      const life = this.#current(id);
      if (life && (kind === "executor" || life.row.host === target))
        life.row.is_excluded = action === "excluded" ? 1 : 0;
    }
  }

  /** Peak of each metric per executor. JVMHeapMemory = -1 marks a map without values. */
  peaks(id: string | null, metrics: Json): void {
    if (id === null || metrics.JVMHeapMemory === -1) return;
    let known = this.#peaks.get(id);
    for (const [name, value] of Object.entries(metrics)) {
      const number = intOrNull(value);
      if (number === null || number <= 0) continue;
      if (!known) {
        known = new Map();
        this.#peaks.set(id, known);
      }
      const before = known.get(name);
      if (before === undefined || number > before) known.set(name, number);
    }
  }

  /** @param executor number of its id among the texts; NaN: none */
  taskStarted(executor: number): void {
    const life = this.#life(executor) ?? this.#current("unknown") ?? this.#begin("unknown");
    life.row.task_starts = Number(life.row.task_starts) + 1;
  }

  /** Loss reason of a task that died with its executor: may be more exact than the removal's own text. */
  taskLoss(executor: string | null, reason: string | null): void {
    if (executor === null || !reason) return;
    const life = this.#current(executor);
    if (life) note(life.losses, reason);
  }

  /** Exception class of a failed task: an OutOfMemoryError tells more than the exit code 143. */
  taskError(executor: string | null, error: string | null): void {
    if (executor === null || !error?.includes("OutOfMemoryError")) return;
    const life = this.#current(executor);
    if (life) note(life.errors, error);
  }

  /** Ends that have no task row: Resubmitted ones count as failed. */
  resubmitted(executor: string): void {
    const life = this.#current(executor);
    if (life?.row.removal_events === 0) life.failed++;
  }

  tasks(batch: TaskBatch): void {
    const executor = batch.column("executor");
    const status = batch.column("status");
    const gc = batch.column("jvm_gc_time_ms");
    const run = batch.column("executor_run_time_ms");
    const input = batch.column("input_bytes_read");
    const remote = batch.column("remote_bytes_read");
    const local = batch.column("local_bytes_read");
    const written = batch.column("shuffle_bytes_written");
    const launch = batch.column("launch_time_ms");
    const finish = batch.column("finish_time_ms");
    for (let row = 0; row < batch.rows; row++) {
      const life = this.#life(executor[row] ?? Number.NaN);
      // The History Server no longer counts for an executor that it knows as removed.
      if (life?.row.removal_events !== 0) continue;
      if (status[row] === TASK_STATUS.success) life.completed++;
      else if (status[row] === TASK_STATUS.failed) life.failed++;
      else life.killed++;
      life.duration += Math.max(0, orZero(finish[row]) - orZero(launch[row]));
      life.gc += orZero(gc[row]);
      life.run += orZero(run[row]);
      life.input += orZero(input[row]);
      life.shuffleRead += orZero(remote[row]) + orZero(local[row]);
      life.shuffleWrite += orZero(written[row]);
    }
  }

  /** Writes every life. Removals at or after the end of the application are shutdown, not loss. */
  finish(applicationEnd: number | null): void {
    for (let number = 0; number < this.#lifeCount; number++) {
      const life = this.#past.get(number) ?? this.#lives.get(number);
      if (life) this.#write(life, applicationEnd);
    }
    for (const row of this.#blockManagers.values()) this.#writeBlockManager(row);
    for (const [executor_id, metrics] of this.#peaks)
      for (const [metric, value] of metrics)
        this.#context.rows.insert("executor_peak", { executor_id, metric, value });
  }

  #write(life: Life, applicationEnd: number | null): void {
    const row = life.row;
    if (Number(row.removal_events) > 0) {
      const removed = classifyRemoval({
        reasons: life.reasons,
        lossReasons: life.losses,
        taskErrors: life.errors,
      });
      row.removal_class = removed.removalClass;
      row.exit_code = removed.exitCode;
      row.removal_detail = removed.detail;
      row.is_shutdown =
        applicationEnd !== null && row.removed_time_ms !== null && row.removed_time_ms >= applicationEnd
          ? 1
          : 0;
    }
    row.completed_tasks = life.completed;
    row.failed_tasks = life.failed;
    row.killed_tasks = life.killed;
    row.total_duration_ms = safe(life.duration);
    row.total_gc_time_ms = safe(life.gc);
    row.total_run_time_ms = safe(life.run);
    row.total_input_bytes = safe(life.input);
    row.total_shuffle_read_bytes = safe(life.shuffleRead);
    row.total_shuffle_write_bytes = safe(life.shuffleWrite);
    this.#context.rows.insert("executor", row);
  }

  #writeBlockManager(row: BlockManagerRow | undefined): void {
    if (row) this.#context.rows.insert("block_manager", row);
  }

  #life(stringId: number): Life | undefined {
    const number = this.#byString[stringId];
    if (number !== undefined) return this.#lives.get(number);
    const id = this.#strings.text(stringId);
    if (id === undefined) return undefined;
    const life = this.#current(id) ?? this.#begin(id);
    this.#byString[stringId] = this.#currentLife.get(id);
    return life;
  }

  #current(id: string): Life | undefined {
    const number = this.#currentLife.get(id);
    return number === undefined ? undefined : this.#lives.get(number);
  }

  #begin(id: string): Life {
    const before = this.#current(id);
    if (before) this.#leave(this.#currentLife.get(id) ?? -1, before);
    const life = newLife(id, before ? Number(before.row.life) + 1 : 0);
    this.#currentLife.set(id, this.#lifeCount);
    this.#lives.set(this.#lifeCount++, life);
    this.#byString = [];
    return life;
  }

  /** Nothing more happens in a life that was followed by another. */
  #leave(number: number, life: Life): void {
    this.#lives.delete(number);
    this.#past.set(number, life);
  }
}

function note(texts: string[], text: string): void {
  if (texts.length < MAX_TEXTS && !texts.includes(text)) texts.push(text);
}

function newLife(executor_id: string, life: number): Life {
  const row: ExecutorRow = {
    executor_id,
    life,
    host: null,
    total_cores: null,
    resource_profile_id: null,
    added_time_ms: null,
    removed_time_ms: null,
    removed_reason: null,
    removal_events: 0,
    removal_class: null,
    exit_code: null,
    removal_detail: null,
    is_shutdown: 0,
    attributes_json: null,
    log_urls_json: null,
    max_memory_bytes: null,
    max_onheap_memory_bytes: null,
    max_offheap_memory_bytes: null,
    port: null,
    task_starts: 0,
    completed_tasks: 0,
    failed_tasks: 0,
    killed_tasks: 0,
    total_duration_ms: null,
    total_gc_time_ms: null,
    total_run_time_ms: null,
    total_input_bytes: null,
    total_shuffle_read_bytes: null,
    total_shuffle_write_bytes: null,
    is_excluded: 0,
  };
  return {
    row,
    reasons: [],
    losses: [],
    errors: [],
    completed: 0,
    failed: 0,
    killed: 0,
    duration: 0,
    gc: 0,
    run: 0,
    input: 0,
    shuffleRead: 0,
    shuffleWrite: 0,
  };
}

function intOrNull(value: unknown): Int | null {
  if (typeof value === "bigint") return value < 2n ** 63n && value >= -(2n ** 63n) ? value : null;
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null;
}

/** 0 for NaN: not known. */
function orZero(value: number | undefined): number {
  return value || 0;
}

/** A sum of doubles as an integer column: NULL where it passed 2^53 and may have rounded. */
function safe(sum: number): number | null {
  return Number.isSafeInteger(sum) ? sum : null;
}

function jsonOf(value: unknown): string | null {
  const map = object(value);
  return Object.keys(map).length === 0
    ? null
    : JSON.stringify(map, (_key, item: unknown) => (typeof item === "bigint" ? String(item) : item));
}
