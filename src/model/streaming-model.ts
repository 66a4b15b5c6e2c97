import { array, int, isoTime, type Json, object, real, smallInt, text } from "../json.ts";
import type { Int, StreamingProgressRow, StreamingQueryRow } from "../store/rows.ts";
import type { ModelContext } from "./context.ts";

/** Structured Streaming queries: runs, their batches, state operators and sources (StreamingQueryListener events). */
export class StreamingModel {
  readonly #context: ModelContext;
  readonly #queries = new Map<string, StreamingQueryRow>();
  /** Rows of the last progress per run and batch that had any: an idle repeat must not replace it. */
  readonly #lastRows = new Map<string, { batch: number; rows: number }>();

  constructor(context: ModelContext) {
    this.#context = context;
  }

  started(json: Json): void {
    const query = this.#query(json);
    if (query) query.start_time_ms ??= this.#context.clock.see(isoTime(json.timestamp));
  }

  terminated(json: Json): void {
    const query = this.#query(json);
    if (!query) return;
    query.terminated = 1;
    query.exception = text(json.exception) ?? query.exception;
  }

  progress(json: Json): void {
    // Up to Spark 2.x the progress was a JSON text inside the event.
    const progress = object(json.progress);
    const query = this.#query(progress);
    const batchId = smallInt(progress.batchId);
    if (!query || batchId === null) return;
    const row = progressRow(query.run_id, batchId, progress);
    const trigger = this.#context.clock.see(row.trigger_time_ms as number | null);
    if (trigger !== null && row.batch_duration_ms !== null)
      query.end_time_ms = this.#context.clock.see(trigger + Number(row.batch_duration_ms));
    const last = this.#lastRows.get(query.run_id);
    const rows = Number(row.input_rows ?? 0);
    if (last?.batch === batchId && last.rows > 0 && rows === 0) return;
    this.#lastRows.set(query.run_id, { batch: batchId, rows });
    this.#context.rows.insert("streaming_progress", row);
    this.#writeOperators(query.run_id, batchId, progress);
    this.#writeSources(query.run_id, batchId, progress);
  }

  finish(): void {
    for (const row of this.#queries.values()) {
      if (row.terminated === 0) row.end_time_ms = null;
      this.#context.rows.insert("streaming_query", row);
    }
  }

  #writeOperators(run_id: string, batch_id: number, progress: Json): void {
    for (const [operator, value] of array(progress.stateOperators).entries()) {
      const state = object(value);
      const custom = Object.keys(object(state.customMetrics));
      this.#context.rows.insert("streaming_state_operator", {
        run_id,
        batch_id,
        operator,
        operator_name: text(state.operatorName),
        rows_total: int(state.numRowsTotal),
        rows_updated: int(state.numRowsUpdated),
        rows_removed: int(state.numRowsRemoved),
        rows_dropped_by_watermark: int(state.numRowsDroppedByWatermark),
        memory_used_bytes: int(state.memoryUsedBytes),
        commit_time_ms: int(state.commitTimeMs),
        state_store: custom.some((name) => name.startsWith("rocksdb"))
          ? "rocksdb"
          : custom.some(
                (name) => name.startsWith("stateOnCurrentVersion") || name.startsWith("loadedMapCache"),
              )
            ? "hdfs-backed"
            : null,
      });
    }
  }

  #writeSources(run_id: string, batch_id: number, progress: Json): void {
    for (const [source, value] of array(progress.sources).entries()) {
      const input = object(value);
      this.#context.rows.insert("streaming_source", {
        run_id,
        batch_id,
        source,
        description: text(input.description),
        input_rows: int(input.numInputRows),
        input_rows_per_second: real(input.inputRowsPerSecond),
        processed_rows_per_second: real(input.processedRowsPerSecond),
      });
    }
  }

  #query(json: Json): StreamingQueryRow | null {
    const runId = text(json.runId);
    if (runId === null) return null;
    let row = this.#queries.get(runId);
    if (!row) {
      row = {
        run_id: runId,
        query_id: null,
        name: null,
        start_time_ms: null,
        end_time_ms: null,
        terminated: 0,
        exception: null,
      };
      this.#queries.set(runId, row);
    }
    row.query_id = text(json.id) ?? row.query_id;
    row.name = text(json.name) ?? row.name;
    return row;
  }
}

function progressRow(run_id: string, batch_id: number, progress: Json): StreamingProgressRow {
  const durations = object(progress.durationMs);
  const times = object(progress.eventTime);
  const sources = array(progress.sources).map(object);
  const sink = object(progress.sink);
  return {
    run_id,
    batch_id,
    trigger_time_ms: isoTime(progress.timestamp),
    batch_duration_ms: notNegative(int(progress.batchDuration) ?? int(durations.triggerExecution)),
    input_rows: sum(sources.map((source) => int(source.numInputRows))),
    input_rows_per_second: sumReal(sources.map((source) => real(source.inputRowsPerSecond))),
    processed_rows_per_second: sumReal(sources.map((source) => real(source.processedRowsPerSecond))),
    // The epoch means "not set yet"; isoTime leaves it out.
    watermark_ms: isoTime(times.watermark),
    max_event_time_ms: isoTime(times.max),
    sink: text(sink.description),
    output_rows: notNegative(int(sink.numOutputRows)),
    duration_ms_json: JSON.stringify(durations, (_key, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    ),
  };
}

function notNegative(value: Int | null): Int | null {
  return value !== null && value >= 0 ? value : null;
}

function sum(values: (Int | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  const total = known.reduce<number>((a, b) => a + Number(b), 0);
  return known.length > 0 && Number.isSafeInteger(total) ? total : null;
}

function sumReal(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? known.reduce((a, b) => a + b, 0) : null;
}
