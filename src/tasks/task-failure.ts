import { array, bool, int, type Json, object, smallInt, text } from "../json.ts";
import type { TaskFailureRow } from "../store/rows.ts";
import { executorId } from "./executor-id.ts";

/** Reasons that the History Server counts as killed; every other but Success counts as failed. */
const KILLED = new Set(["TaskKilled", "TaskCommitDenied"]);

export function countedAs(reason: string): "failed" | "killed" {
  return KILLED.has(reason) ? "killed" : "failed";
}

type Reason = Omit<
  TaskFailureRow,
  | "task_id"
  | "stage_id"
  | "stage_attempt_id"
  | "executor_id"
  | "host"
  | "finish_time_ms"
  | "duration_ms"
  | "executor_run_time_ms"
>;

const NOTHING = {
  class_name: null,
  message: null,
  details: null,
  exit_caused_by_app: null,
  shuffle_id: null,
  map_id: null,
  map_index: null,
  reduce_id: null,
  failed_executor_id: null,
};

/** Map Index is written as Int.MinValue where the version did not know it. */
const NO_MAP_INDEX = -2147483648;

/** Task End Reason (not Success) as columns of task_failure, texts as the stage page shows them. */
export function describeFailure(json: Json): Reason {
  const reason = text(json.Reason) ?? "unknown";
  const common = { ...NOTHING, reason, counted_as: countedAs(reason) };
  switch (reason) {
    case "ExceptionFailure":
      return { ...common, ...exceptionFailure(json) };
    case "FetchFailed":
      return { ...common, ...fetchFailed(json) };
    case "ExecutorLostFailure":
      return { ...common, ...executorLost(json) };
    case "TaskKilled": {
      const why = text(json["Kill Reason"]) ?? "unknown reason";
      return { ...common, message: why, details: why };
    }
    case "TaskCommitDenied": {
      const told = ["Job ID", "Partition ID", "Attempt Number"].map(
        (key) => `${key}: ${smallInt(json[key]) ?? "?"}`,
      );
      return { ...common, message: "the driver denied the task's commit", details: told.join(", ") };
    }
    case "Resubmitted":
      return { ...common, message: "resubmitted: its executor and shuffle output were lost" };
    case "TaskResultLost":
      return { ...common, message: "result lost from block manager" };
    default:
      return common;
  }
}

function exceptionFailure(json: Json): Partial<Reason> {
  const className = text(json["Class Name"]);
  const description = text(json.Description) ?? "";
  const frames = array(json["Stack Trace"]).map((frame) => {
    const {
      "Declaring Class": owner,
      "Method Name": method,
      "File Name": file,
      "Line Number": line,
    } = object(frame);
    return `\tat ${text(owner) ?? "?"}.${text(method) ?? "?"}(${text(file) ?? "Unknown Source"}:${smallInt(line) ?? "?"})`;
  });
  const full = text(json["Full Stack Trace"]);
  return {
    class_name: className,
    message: firstLine(description) || className,
    details: full ?? [`${className ?? "?"}: ${description}`, ...frames].join("\n"),
  };
}

function fetchFailed(json: Json): Partial<Reason> {
  const address = object(json["Block Manager Address"]);
  const message = text(json.Message) ?? "";
  const mapIndex = int(json["Map Index"]);
  return {
    message: firstLine(message) || "fetch failed",
    details: message,
    shuffle_id: int(json["Shuffle ID"]),
    map_id: int(json["Map ID"]),
    map_index: mapIndex === NO_MAP_INDEX ? null : mapIndex,
    reduce_id: int(json["Reduce ID"]),
    failed_executor_id: executorId(address["Executor ID"]),
  };
}

function executorLost(json: Json): Partial<Reason> {
  const why = text(json["Loss Reason"])?.trim() ?? null;
  const byApp = bool(json["Exit Caused By App"]);
  return {
    message: why === null ? "executor lost" : firstLine(why),
    details: why,
    exit_caused_by_app: byApp === null ? null : Number(byApp),
    failed_executor_id: executorId(json["Executor ID"]),
  };
}

function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0]?.trim() ?? "";
}
