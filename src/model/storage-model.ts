import { bool, int, type Json, object, smallInt, text } from "../json.ts";
import type { ScratchFile } from "../scratch-file.ts";
import type { RddRow } from "../store/rows.ts";
import { executorId } from "../tasks/executor-id.ts";
import type { ModelContext } from "./context.ts";
import { ParkedMap } from "./parked-map.ts";

/** Stages remembered; one that is forgotten writes its rows again. */
const MAX_LISTED = 10_000;

interface Block {
  memory: number;
  disk: number;
}

/** An RDD and whether its row is written as it is. Plain data: it may wait in the scratch file. */
interface Rdd {
  row: RddRow;
  written: boolean;
}

/** The cached blocks of an RDD; only with BlockUpdated events. */
interface Cached {
  row: RddRow;
  /** By partition and executor. */
  blocks: Map<string, Block>;
  partitions: Map<string, number>;
  maxCached: number;
  evicted: number;
}

/** RDDs as stages list them, and their cached blocks where the log holds BlockUpdated events. */
export class StorageModel {
  readonly #context: ModelContext;
  readonly #rdds: ParkedMap<Rdd>;
  /** RDDs with blocks, until they are unpersisted. */
  readonly #cached = new Map<number, Cached>();
  /** How many RDDs stages have whose rows of stage_rdd are written and that have not completed. */
  readonly #listed = new Map<string, number>();

  constructor(context: ModelContext, scratch: ScratchFile) {
    this.#context = context;
    this.#rdds = new ParkedMap(scratch, {
      pack: (rdd) => JSON.stringify(this.#written(rdd)),
      unpack: (rdd) => JSON.parse(String(rdd)) as Rdd,
    });
  }

  /** RDD Info of a stage: StageSubmitted lists it, and StageCompleted the same again, perhaps persisted by then. */
  stageRdds(stageId: number, attempt: number, rdds: readonly Json[]): void {
    const stage = `${stageId}.${attempt}`;
    const isListed = this.#listed.get(stage) === rdds.length;
    if (isListed) this.#listed.delete(stage);
    else this.#list(stage, rdds.length);
    for (const info of rdds) {
      const id = smallInt(info["RDD ID"]);
      if (id === null) continue;
      if (!isListed)
        this.#context.rows.insert("stage_rdd", { stage_id: stageId, stage_attempt_id: attempt, rdd_id: id });
      this.#describe(id, info);
    }
  }

  #list(stage: string, rdds: number): void {
    if (this.#listed.size >= MAX_LISTED) this.#listed.clear();
    this.#listed.set(stage, rdds);
  }

  /** Blocks of RDDs only; sizes are those of this block after the update, an invalid level means it is gone. */
  blockUpdated(json: Json): void {
    const info = object(json["Block Updated Info"]);
    const match = /^rdd_(\d+)_(\d+)$/.exec(text(info["Block ID"]) ?? "");
    const executor = executorId(object(info["Block Manager ID"])["Executor ID"]);
    if (!match || executor === null) return;
    const cached = this.#cache(Number(match[1]));
    const partition = match[2] ?? "";
    const key = `${partition} ${executor}`;
    const level = object(info["Storage Level"]);
    const isStored =
      level["Use Memory"] === true || level["Use Disk"] === true || level["Use Off Heap"] === true;
    if (isStored) this.#store(cached, key, partition, sizes(info));
    else this.#drop(cached, key, partition);
  }

  executorRemoved(executor: string | null): void {
    if (executor === null) return;
    for (const cached of this.#cached.values())
      for (const key of cached.blocks.keys())
        if (key.endsWith(` ${executor}`)) this.#drop(cached, key, key.split(" ")[0] ?? "");
  }

  unpersisted(json: Json): void {
    const id = smallInt(json["RDD ID"]);
    if (id === null) return;
    const cached = this.#cached.get(id);
    const rdd = cached ? null : this.#rdds.get(id);
    const row = cached?.row ?? rdd?.row;
    if (!row) return;
    row.unpersisted = 1;
    if (rdd) rdd.written = false;
    if (!cached) return;
    // What was cached until then is what the report is about: the blocks dropped by it are no evictions.
    settle(cached);
    this.#cached.delete(id);
    this.#rdds.set(id, { row, written: false });
  }

  finish(): void {
    for (const rdd of this.#rdds.inMemory()) this.#written(rdd);
    for (const cached of this.#cached.values()) {
      settle(cached);
      this.#context.rows.insert("rdd", cached.row);
    }
  }

  #store(cached: Cached, key: string, partition: string, block: Block): void {
    const before = cached.blocks.get(key);
    if (before && before.memory > 0 && block.memory === 0) cached.evicted++;
    if (!before) cached.partitions.set(partition, (cached.partitions.get(partition) ?? 0) + 1);
    cached.blocks.set(key, block);
    cached.maxCached = Math.max(cached.maxCached, cached.partitions.size);
  }

  #drop(cached: Cached, key: string, partition: string): void {
    if (!cached.blocks.delete(key)) return;
    cached.evicted++;
    const copies = (cached.partitions.get(partition) ?? 1) - 1;
    if (copies > 0) cached.partitions.set(partition, copies);
    else cached.partitions.delete(partition);
  }

  /** Writes the row unless it stands already, and gives what is then to be remembered. */
  #written(rdd: Rdd): Rdd {
    if (!rdd.written) this.#context.rows.insert("rdd", rdd.row);
    rdd.written = true;
    return rdd;
  }

  #describe(id: number, info: Json): void {
    const before = this.#cached.get(id)?.row ?? this.#rdds.get(id)?.row ?? emptyRow(id);
    const level = object(info["Storage Level"]);
    const shown = levelText(level);
    const after: Partial<RddRow> = {
      name: text(info.Name) ?? before.name,
      callsite: text(info.Callsite) ?? before.callsite,
      scope: scopeName(info.Scope) ?? before.scope,
      number_of_partitions: smallInt(info["Number of Partitions"]) ?? before.number_of_partitions,
    };
    if (shown !== null) {
      after.storage_level = shown;
      after.use_disk = Number(bool(level["Use Disk"]) ?? false);
      after.use_memory = Number(bool(level["Use Memory"]) ?? false);
    }
    const row = this.#cached.get(id)?.row;
    if (row) Object.assign(row, after);
    else if (!this.#rdds.get(id) || DESCRIBED.some((name) => name in after && after[name] !== before[name]))
      Object.assign(this.#changed(id), after);
  }

  /** The row of an RDD without blocks, which is about to be changed. */
  #changed(id: number): RddRow {
    let rdd = this.#rdds.get(id);
    if (!rdd) {
      rdd = { row: emptyRow(id), written: false };
      this.#rdds.set(id, rdd);
    }
    rdd.written = false;
    return rdd.row;
  }

  #cache(id: number): Cached {
    let cached = this.#cached.get(id);
    if (!cached) {
      const row = this.#rdds.get(id)?.row ?? emptyRow(id);
      this.#rdds.delete(id);
      cached = {
        row,
        blocks: new Map(),
        partitions: new Map(),
        // Those of an earlier life, if it was unpersisted before.
        maxCached: Number(row.max_cached_partitions ?? 0),
        evicted: Number(row.evicted_blocks ?? 0),
      };
      this.#cached.set(id, cached);
    }
    return cached;
  }
}

function settle({ row, blocks, partitions, maxCached, evicted }: Cached): void {
  row.cached_partitions = partitions.size;
  row.max_cached_partitions = maxCached;
  row.evicted_blocks = evicted;
  row.memory_size_bytes = 0;
  row.disk_size_bytes = 0;
  for (const { memory, disk } of blocks.values()) {
    row.memory_size_bytes += memory;
    row.disk_size_bytes += disk;
  }
}

function sizes(info: Json): Block {
  return { memory: Number(int(info["Memory Size"]) ?? 0), disk: Number(int(info["Disk Size"]) ?? 0) };
}

/** What RDD Info tells. */
const DESCRIBED = [
  "name",
  "callsite",
  "scope",
  "number_of_partitions",
  "storage_level",
  "use_disk",
  "use_memory",
] as const;

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
