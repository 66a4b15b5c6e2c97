import { bool, int, type Json, object, smallInt, text } from "../json.ts";
import type { RddRow } from "../store/rows.ts";
import { executorId } from "../tasks/executor-id.ts";
import type { ModelContext } from "./context.ts";

interface Block {
  memory: number;
  disk: number;
}

interface Storage {
  row: RddRow;
  /** Blocks by partition and executor; only with BlockUpdated events. */
  blocks: Map<string, Block> | null;
  partitions: Map<string, number>;
  maxCached: number;
  evicted: number;
}

/** RDDs as stages list them, and their cached blocks where the log holds BlockUpdated events. */
export class StorageModel {
  readonly #context: ModelContext;
  readonly #rdds = new Map<number, Storage>();

  constructor(context: ModelContext) {
    this.#context = context;
  }

  /** RDD Info of a submitted stage. */
  stageRdds(stageId: number, attempt: number, rdds: readonly Json[]): void {
    for (const info of rdds) {
      const id = smallInt(info["RDD ID"]);
      if (id === null) continue;
      this.#context.rows.insert("stage_rdd", { stage_id: stageId, stage_attempt_id: attempt, rdd_id: id });
      this.#describe(id, info);
    }
  }

  /** Blocks of RDDs only; sizes are those of this block after the update, an invalid level means it is gone. */
  blockUpdated(json: Json): void {
    const info = object(json["Block Updated Info"]);
    const match = /^rdd_(\d+)_(\d+)$/.exec(text(info["Block ID"]) ?? "");
    const executor = executorId(object(info["Block Manager ID"])["Executor ID"]);
    if (!match || executor === null) return;
    const storage = this.#get(Number(match[1]));
    storage.blocks ??= new Map();
    const partition = match[2] ?? "";
    const key = `${partition} ${executor}`;
    const level = object(info["Storage Level"]);
    const cached =
      level["Use Memory"] === true || level["Use Disk"] === true || level["Use Off Heap"] === true;
    if (cached) this.#store(storage, key, partition, sizes(info));
    else this.#drop(storage, key, partition);
  }

  executorRemoved(executor: string | null): void {
    if (executor === null) return;
    for (const storage of this.#rdds.values())
      for (const key of storage.blocks?.keys() ?? [])
        if (key.endsWith(` ${executor}`)) this.#drop(storage, key, key.split(" ")[0] ?? "");
  }

  unpersisted(json: Json): void {
    const id = smallInt(json["RDD ID"]);
    const storage = id === null ? undefined : this.#rdds.get(id);
    if (!storage) return;
    storage.row.unpersisted = 1;
    // What was cached until then is what the report is about: the blocks dropped by it are no evictions.
    this.#settle(storage);
    storage.blocks = null;
    storage.partitions.clear();
  }

  finish(): void {
    for (const storage of this.#rdds.values()) {
      this.#settle(storage);
      this.#context.rows.insert("rdd", storage.row);
    }
  }

  #store(storage: Storage, key: string, partition: string, block: Block): void {
    const before = storage.blocks?.get(key);
    if (before && before.memory > 0 && block.memory === 0) storage.evicted++;
    if (!before) storage.partitions.set(partition, (storage.partitions.get(partition) ?? 0) + 1);
    storage.blocks?.set(key, block);
    storage.maxCached = Math.max(storage.maxCached, storage.partitions.size);
  }

  #drop(storage: Storage, key: string, partition: string): void {
    if (!storage.blocks?.delete(key)) return;
    storage.evicted++;
    const copies = (storage.partitions.get(partition) ?? 1) - 1;
    if (copies > 0) storage.partitions.set(partition, copies);
    else storage.partitions.delete(partition);
  }

  #settle(storage: Storage): void {
    if (storage.blocks === null) return;
    const blocks = [...storage.blocks.values()];
    storage.row.cached_partitions = storage.partitions.size;
    storage.row.max_cached_partitions = storage.maxCached;
    storage.row.evicted_blocks = storage.evicted;
    storage.row.memory_size_bytes = blocks.reduce((sum, block) => sum + block.memory, 0);
    storage.row.disk_size_bytes = blocks.reduce((sum, block) => sum + block.disk, 0);
  }

  #describe(id: number, info: Json): void {
    const { row } = this.#get(id);
    const level = object(info["Storage Level"]);
    row.name = text(info.Name) ?? row.name;
    row.callsite = text(info.Callsite) ?? row.callsite;
    row.scope = scopeName(info.Scope) ?? row.scope;
    row.number_of_partitions = smallInt(info["Number of Partitions"]) ?? row.number_of_partitions;
    const shown = levelText(level);
    if (shown === null) return;
    row.storage_level = shown;
    row.use_disk = Number(bool(level["Use Disk"]) ?? false);
    row.use_memory = Number(bool(level["Use Memory"]) ?? false);
  }

  #get(id: number): Storage {
    let storage = this.#rdds.get(id);
    if (!storage) {
      storage = { row: emptyRow(id), blocks: null, partitions: new Map(), maxCached: 0, evicted: 0 };
      this.#rdds.set(id, storage);
    }
    return storage;
  }
}

function sizes(info: Json): Block {
  return { memory: Number(int(info["Memory Size"]) ?? 0), disk: Number(int(info["Disk Size"]) ?? 0) };
}

/** Spark's own text of a storage level, null where the RDD is not persisted. */
function levelText(level: Json): string | null {
  const disk = level["Use Disk"] === true;
  const memory = level["Use Memory"] === true;
  const offHeap = level["Use Off Heap"] === true;
  const replication = smallInt(level.Replication) ?? 1;
  if (!(disk || memory || offHeap) || replication === 0) return null;
  const where = `${disk ? "Disk " : ""}${memory ? "Memory " : ""}${offHeap ? "(off heap) " : ""}`;
  return `${where}${level.Deserialized === true ? "Deserialized" : "Serialized"} ${replication}x Replicated`;
}

/** Scope is a string that holds JSON: {"id":"..","name":"WholeStageCodegen (2)"}. */
function scopeName(scope: unknown): string | null {
  const match = /"name"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text(scope) ?? "");
  return match?.[1] ?? null;
}

function emptyRow(rdd_id: number): RddRow {
  return {
    rdd_id,
    name: null,
    callsite: null,
    scope: null,
    storage_level: null,
    use_disk: 0,
    use_memory: 0,
    number_of_partitions: null,
    unpersisted: 0,
    cached_partitions: null,
    max_cached_partitions: null,
    evicted_blocks: null,
    memory_size_bytes: null,
    disk_size_bytes: null,
  };
}
