import type { EventLog } from "../input/event-log.ts";
import { IssueLog } from "../issues.ts";
import type { Json } from "../json.ts";
import { LogModel } from "../model/log-model.ts";
import type { LineHandler } from "../reading/line-handler.ts";
import type { LineCursor } from "../reading/parcel.ts";
import { type LogReading, type Reading, type ReadOptions, startReading } from "../reading/read-log.ts";
import { loadStageTasks } from "../store/load-stage-tasks.ts";
import type { Db } from "../store/open-store.ts";
import type { RowWriter } from "../store/row-writer.ts";
import { SCRATCH_LOG_ID, type ScratchStore, type TaskWriting } from "../store/scratch-store.ts";
import { stageLosses } from "../store/stage-losses.ts";
import { WriteError } from "../write-all.ts";
import { Dispatcher } from "./dispatch.ts";
import { writeLedger } from "./loss-ledger.ts";
import { ParcelReader } from "./parcel-reader.ts";
import { parseLine } from "./parse-line.ts";
import { parsePlanLine } from "./plan-line.ts";
import { Slice, type SliceRequest } from "./slice.ts";
import { Timeline } from "./timeline.ts";

/** Lines between two words of progress. */
const PROGRESS_LINES = 8192;

export interface IngestOptions {
  /** Read only a part: a time range, some jobs. */
  slice?: SliceRequest;
  /** How task rows are written; pages by default. */
  taskWriting?: TaskWriting;
  /** How TaskStart and TaskEnd lines are read: by the byte scanner (default), or all by the JSON parser. */
  taskReading?: "scanner" | "json";
  /** The thread that reads, unpacks and scans; by default that depends on the log's size. */
  readingThread?: ReadOptions["thread"];
  /** Called now and then with the lines read so far. */
  onProgress?: (lines: number) => void;
}

/** Counts of one log while its lines are read. */
class LineCounter {
  lines = 0;
  events = 0;
  badLines = 0;
}

/** Begins to read a log for ingestLog. Started before the database is made, the two go on side by side. */
export function startReadingLog(log: EventLog, options: IngestOptions): Reading {
  // Only JSON tells which lines belong to a slice.
  const scan = new Slice(options.slice ?? {}).text === null && options.taskReading !== "json";
  return startReading(log, { scan, thread: options.readingThread ?? "auto" });
}

/** Reads a log into an empty scratch database. Trouble with the data becomes rows of ingest_issue. */
export async function ingestLog(
  log: EventLog,
  store: ScratchStore,
  options: IngestOptions = {},
  reading: Reading = startReadingLog(log, options),
): Promise<void> {
  const issues = new IssueLog();
  for (const issue of log.issues)
    issues.add(issue.code, issue.message, issue, `${issue.code} ${issue.message}`, issue.count);
  const { rows } = store;
  const timeline = new Timeline();
  const model = new LogModel(rows, issues, [store.tasks, timeline]);
  const lines = new LogLines(model, issues, options);
  const reader = new ParcelReader(model, lines, issues);
  try {
    const facts = await reading.take((parcel) => {
      lines.scanned(parcel.starts.rows + parcel.ends.rows);
      reader.read(parcel);
    });
    for (const [executor, metrics] of facts.peaks) model.executors.peaks(executor, metrics);
    model.flushTasks();
    const runningTasks = model.running.size;
    model.running.drain(model.batch, (batch) => store.tasks.tasks(batch));
    store.sealTasks();
    finishModels(log, model, store);
    const runningJobs = model.jobs.finish();
    rows.flush();
    const stages = stageLosses(store.db, SCRATCH_LOG_ID);
    writeLedger(model, { runningJobs, runningTasks, stages }, issues);
    if (lines.slice.text !== null)
      issues.add("slice", `only a part of the log was asked for: ${lines.slice.text}`);
    const { gaps, ownTimeMs } = timeline.finish(model.context.clock.first, model.context.clock.last);
    for (const gap of gaps) rows.insert("idle_gap", { start_time_ms: gap.startMs, end_time_ms: gap.endMs });
    writeLogRows(log, lines, facts, rows, issues);
    rows.flush();
    writeOwnTimes(store.db, ownTimeMs);
    store.finish();
  } finally {
    model.close();
  }
}

/** Turns lines into events for the model. */
class LogLines implements LineHandler {
  readonly counter = new LineCounter();
  readonly dispatcher: Dispatcher;
  readonly slice: Slice;
  readonly model: LogModel;
  readonly #issues: IssueLog;
  readonly #onProgress: ((lines: number) => void) | undefined;
  #told = 0;

  constructor(model: LogModel, issues: IssueLog, options: IngestOptions) {
    this.model = model;
    this.#issues = issues;
    this.#onProgress = options.onProgress;
    this.dispatcher = new Dispatcher(model);
    this.slice = new Slice(options.slice ?? {});
  }

  /** Counts lines that the scanner has read. */
  scanned(lines: number): void {
    this.counter.events += lines;
    this.#count(lines);
  }

  line(buffer: Buffer, start: number, end: number, cursor: Readonly<LineCursor>): void {
    this.#count(1);
    const json = parsePlanLine(buffer, start, end) ?? parseLine(buffer.toString("utf8", start, end));
    if (json === null) this.#badLine("is no JSON object", cursor);
    else this.#event(json, cursor);
  }

  hugeLine(event: unknown, droppedKeys: string[], bytes: number, cursor: Readonly<LineCursor>): void {
    this.#count(1);
    const json = typeof event === "object" && event !== null ? (event as Json) : {};
    this.#issues.add(
      "huge-line",
      `a line of ${bytes} bytes was read without ${droppedKeys.join(", ") || "its large values"}`,
      cursor,
    );
    this.#event(json, cursor);
  }

  #count(lines: number): void {
    this.counter.lines += lines;
    if (!this.#onProgress || this.counter.lines < this.#told + PROGRESS_LINES) return;
    this.#told = this.counter.lines;
    this.#onProgress(this.counter.lines);
  }

  #event(json: Json, cursor: Readonly<LineCursor>): void {
    const name = json.Event;
    if (typeof name !== "string") {
      this.#badLine("names no event", cursor);
      return;
    }
    this.counter.events++;
    if (!this.slice.accepts(name, json)) return;
    try {
      this.dispatcher.dispatch(name, json);
    } catch (error) {
      if (concernsTheRun(error)) throw error;
      this.#issues.add(
        "bad-values",
        `${name}: the event could not be used (${String(error)})`,
        cursor,
        `failed ${name}`,
      );
    }
  }

  /** A bad line without its line end was cut: where lost bytes follow it, that is said already. */
  #badLine(what: string, cursor: Readonly<LineCursor>): void {
    this.counter.badLines++;
    if (cursor.terminated)
      this.#issues.add("bad-lines", `line ${cursor.line} ${what}; such lines were left out`, cursor);
    else if (!this.#issues.has("truncated") && !this.#issues.has("damaged-block"))
      this.#issues.add("truncated", "the last line is cut: the log ends inside it", cursor);
  }
}

/** A full disk or a broken database concerns the whole run; anything else only this line. */
function concernsTheRun(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof WriteError || ("code" in error && String(error.code).startsWith("SQLITE_"));
}

function finishModels(log: EventLog, model: LogModel, store: ScratchStore): void {
  model.stages.finish((stage, take) => {
    const range = {
      logId: SCRATCH_LOG_ID,
      stageId: stage.id,
      stageAttemptId: stage.attempt,
      firstRowid: (stage.firstRow ?? 0) + 1,
      lastRowid: (stage.lastRow ?? 0) + 1,
    };
    return loadStageTasks(store.db, range, take);
  });
  model.sql.finish();
  model.storage.finish();
  model.streaming.finish();
  model.executors.finish(model.application.endTime);
  model.application.finish(log);
}

function writeLogRows(
  log: EventLog,
  lines: LogLines,
  reading: LogReading,
  rows: RowWriter,
  issues: IssueLog,
): void {
  const { counter, model } = lines;
  const { parts } = reading;
  const codecs = [...new Set(parts.map((part) => part.codec))];
  for (const [part, summary] of parts.entries()) rows.insert("log_part", { part, ...summary });
  for (const [event, count] of lines.dispatcher.unknownEvents) {
    rows.insert("unknown_event", { event, lines: count });
    issues.add(
      "unknown-event",
      `${event}: ${count} lines of an event that sparklog does not know`,
      {},
      `unknown ${event}`,
      count,
    );
  }
  for (const issue of issues.list())
    rows.insert("ingest_issue", {
      code: issue.code,
      severity: issue.severity,
      count: issue.count,
      part: issue.part ?? null,
      line: issue.line ?? null,
      byte_offset: issue.byteOffset ?? null,
      message: issue.message,
    });
  for (const [string_id, text] of model.strings.texts.entries())
    rows.insert("log_string", { string_id, text });
  const known = parts.map((part) => part.bytes).filter((bytes) => bytes !== null);
  rows.insert("log", {
    path: log.path,
    layout: log.layout,
    codec: codecs.length === 1 ? (codecs[0] ?? "none") : codecs.length === 0 ? "none" : "mixed",
    bytes: known.length > 0 ? known.reduce((a, b) => a + b, 0) : null,
    uncompressed_bytes: parts.reduce((sum, part) => sum + part.uncompressed_bytes, 0),
    lines: counter.lines,
    events: counter.events,
    task_ends: model.taskEnds,
    bad_lines: counter.badLines,
    task_end_fallbacks: reading.taskEndFallbacks,
    first_time_ms: model.context.clock.first,
    last_time_ms: model.context.clock.last,
    slice: lines.slice.text,
    first_event_hash: reading.firstLinesHash,
  });
}

function writeOwnTimes(db: Db, ownTimes: ReadonlyMap<string, number>): void {
  const update = db.prepare(
    "UPDATE stage SET own_time_ms = ? WHERE log_id = ? AND stage_id = ? AND stage_attempt_id = ?",
  );
  for (const [key, ownTime] of ownTimes) {
    const [stage, attempt] = key.split(".");
    update.run(ownTime, SCRATCH_LOG_ID, Number(stage), Number(attempt));
  }
}
