import { array, type Json, object, smallInt, time } from "../json.ts";

/** What part of a log to read. Times are epoch ms; an event without a time is always read. */
export interface SliceRequest {
  fromMs?: number;
  toMs?: number;
  jobs?: readonly number[];
}

/** Events that describe the application as a whole: every slice needs them. */
const ALWAYS =
  /ApplicationStart|LogStart|EnvironmentUpdate|ResourceProfile|ExecutorAdded|BlockManagerAdded|Metadata$/;

/** Decides which events of a log belong to the part that was asked for. */
export class Slice {
  readonly #from: number;
  readonly #to: number;
  readonly #jobs: ReadonlySet<number> | null;
  /** Stages and executions of the jobs asked for, learned from JobStart. */
  readonly #stages = new Set<number>();
  /** How the report names it; null: the whole log. */
  readonly text: string | null;

  constructor(request: SliceRequest) {
    this.#from = request.fromMs ?? -Infinity;
    this.#to = request.toMs ?? Infinity;
    this.#jobs = request.jobs ? new Set(request.jobs) : null;
    this.text = describe(request);
  }

  accepts(name: string, json: Json): boolean {
    if (this.text === null || ALWAYS.test(name)) return true;
    return this.#inTime(json) && this.#inJobs(name, json);
  }

  /** A task or stage belongs to the range if any of its time lies in it. */
  #inTime(json: Json): boolean {
    const task = object(json["Task Info"]);
    const stage = object(json["Stage Info"]);
    const starts = [task["Launch Time"], stage["Submission Time"], json["Submission Time"]];
    const ends = [task["Finish Time"], stage["Completion Time"], json["Completion Time"]];
    const own = [json.Timestamp, json.time].map(time).find((found) => found !== null);
    const start = starts.map(time).find((found) => found !== null) ?? own;
    const end = ends.map(time).find((found) => found !== null) ?? own ?? start;
    return (
      (start === undefined || start === null || start <= this.#to) &&
      (end === undefined || end === null || end >= this.#from)
    );
  }

  #inJobs(name: string, json: Json): boolean {
    if (this.#jobs === null) return true;
    const job = smallInt(json["Job ID"]);
    if (job !== null && (name.endsWith("JobStart") || name.endsWith("JobEnd"))) {
      if (!this.#jobs.has(job)) return false;
      for (const id of array(json["Stage IDs"])) if (typeof id === "number") this.#stages.add(id);
      return true;
    }
    const stage = smallInt(json["Stage ID"]) ?? smallInt(object(json["Stage Info"])["Stage ID"]);
    return stage === null || this.#stages.has(stage);
  }
}

function describe(request: SliceRequest): string | null {
  const parts: string[] = [];
  if (request.fromMs !== undefined) parts.push(`from ${new Date(request.fromMs).toISOString()}`);
  if (request.toMs !== undefined) parts.push(`to ${new Date(request.toMs).toISOString()}`);
  if (request.jobs) parts.push(`jobs ${request.jobs.join(", ")}`);
  return parts.length > 0 ? parts.join(", ") : null;
}
