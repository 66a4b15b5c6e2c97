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
  /** Until it is unpersisted; null without BlockUpdated events. */
  blocks: Blocks | null;
}

/** The cached blocks of an RDD. */
interface Blocks {
  /** By partition and executor. */
  sizes: Map<string, Block>;
  /** How many executors hold a partition. */
  partitions: Map<string, number>;
  maxCached: number;
  evicted: number;
  /** How many removals of executors have taken their blocks. */
  removals: number;
}

/** RDDs as stages list them, and their cached blocks where the log holds BlockUpdated events. */
export class StorageModel {
  readonly #context: ModelContext;
  readonly #rdds: ParkedMap<Rdd>;
  /** RDDs that had blocks at some time. */
  readonly #blockRdds: number[] = [];
  /** When executors were removed last, as the number of removals before. RDDs lose the blocks when they are next looked at. */
  readonly #removedAt = new Map<string, number>();
  #removals = 0;
  /** How many RDDs stages have whose rows of stage_rdd are written and that have not completed. */
  readonly #listed = new Map<string, number>();

  constructor(context: ModelContext, scratch: ScratchFile) {
    this.#context = context;
    this.#rdds = new ParkedMap(scratch, {
      pack: (rdd) => {
        this.#write(rdd);
        return JSON.stringify(rdd, mapAsList);
      },
      unpack: (text) => unpack(String(text)),
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
    const blocks = this.#blocksOf(Number(match[1]));
    const partition = match[2] ?? "";
    const key = `${partition} ${executor}`;
    const level = object(info["Storage Level"]);
    const isStored =
      level["Use Memory"] === true || level["Use Disk"] === true || level["Use Off Heap"] === true;
    if (isStored) store(blocks, key, partition, sizes(info));
    else drop(blocks, key);
  }

  executorRemoved(executor: string | null): void {
    if (executor !== null) this.#removedAt.set(executor, this.#removals++);
  }

  unpersisted(json: Json): void {
    const id = smallInt(json["RDD ID"]);
    const rdd = id === null ? undefined : this.#rdds.get(id);
    if (!rdd) return;
    rdd.row.unpersisted = 1;
    rdd.written = false;
    // What was cached until then is what the report is about: the blocks dropped by it are no evictions.
    if (rdd.blocks) this.#settle(rdd.row, rdd.blocks);
    rdd.blocks = null;
  }

  finish(): void {
    // Those in the scratch file are written as they were then: executors may have gone since.
    if (this.#removals > 0)
      for (const id of this.#blockRdds) {
        const rdd = this.#rdds.get(id);
        if (rdd) this.#write(rdd);
      }
    for (const rdd of this.#rdds.inMemory()) this.#write(rdd);
  }

  /** Writes the row unless it stands already. */
  #write(rdd: Rdd): void {
    const { row, blocks } = rdd;
    if (rdd.written && (blocks === null || blocks.removals === this.#removals)) return;
    if (blocks) this.#settle(row, blocks);
    this.#context.rows.insert("rdd", row);
    rdd.written = true;
  }

  #settle(row: RddRow, blocks: Blocks): void {
    this.#catchUp(blocks);
    row.cached_partitions = blocks.partitions.size;
    row.max_cached_partitions = blocks.maxCached;
    row.evicted_blocks = blocks.evicted;
    row.memory_size_bytes = 0;
    row.disk_size_bytes = 0;
    for (const { memory, disk } of blocks.sizes.values()) {
      row.memory_size_bytes += memory;
      row.disk_size_bytes += disk;
    }
  }

  /** Drops the blocks of executors that were removed since the RDD was looked at last. */
  #catchUp(blocks: Blocks): void {
    if (blocks.removals === this.#removals) return;
    for (const key of blocks.sizes.keys()) {
      const removed = this.#removedAt.get(key.slice(key.indexOf(" ") + 1));
      if (removed !== undefined && removed >= blocks.removals) drop(blocks, key);
    }
    blocks.removals = this.#removals;
  }

  #describe(id: number, info: Json): void {
    const before = this.#rdds.get(id)?.row ?? emptyRow(id);
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
    const isNew = this.#rdds.get(id) === undefined;
    if (isNew || DESCRIBED.some((name) => name in after && after[name] !== before[name]))
      Object.assign(this.#changed(id).row, after);
  }

  /** An RDD that is about to be changed. */
  #changed(id: number): Rdd {
    let rdd = this.#rdds.get(id);
    if (!rdd) {
      rdd = { row: emptyRow(id), written: false, blocks: null };
      this.#rdds.set(id, rdd);
    }
    rdd.written = false;
    return rdd;
  }

  /** The blocks of an RDD, which are about to be changed. */
  #blocksOf(id: number): Blocks {
    const rdd = this.#changed(id);
    if (!rdd.blocks) {
      this.#blockRdds.push(id);
      rdd.blocks = {
        sizes: new Map(),
        partitions: new Map(),
        // Those of an earlier life, if it was unpersisted before.
        maxCached: Number(rdd.row.max_cached_partitions ?? 0),
        evicted: Number(rdd.row.evicted_blocks ?? 0),
        removals: this.#removals,
      };
    }
    this.#catchUp(rdd.blocks);
    return rdd.blocks;
  }
}

function mapAsList(_key: string, value: unknown): unknown {
  return value instanceof Map ? [...value] : value;
}

function unpack(text: string): Rdd {
  const rdd = JSON.parse(text) as Rdd;
  if (rdd.blocks) {
    rdd.blocks.sizes = new Map(rdd.blocks.sizes);
    rdd.blocks.partitions = new Map(rdd.blocks.partitions);
  }
  return rdd;
}

function store(blocks: Blocks, key: string, partition: string, block: Block): void {
  const before = blocks.sizes.get(key);
  // A block that moves from memory to disk was evicted, too.
  if (before && before.memory > 0 && block.memory === 0) blocks.evicted++;
  if (!before) blocks.partitions.set(partition, (blocks.partitions.get(partition) ?? 0) + 1);
  blocks.sizes.set(key, block);
  blocks.maxCached = Math.max(blocks.maxCached, blocks.partitions.size);
}

function drop(blocks: Blocks, key: string): void {
  if (!blocks.sizes.delete(key)) return;
  blocks.evicted++;
  const partition = key.slice(0, key.indexOf(" "));
  const copies = (blocks.partitions.get(partition) ?? 1) - 1;
  if (copies > 0) blocks.partitions.set(partition, copies);
  else blocks.partitions.delete(partition);
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
