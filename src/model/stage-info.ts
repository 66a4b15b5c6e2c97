import { array, bool, type Json, object, smallInt, text, time } from "../json.ts";
import type { JobRow, StageRow } from "../store/rows.ts";

/** A job and what its stages and tasks add to it. Plain data: it may wait in the scratch file. */
export interface LiveJob {
  id: number;
  row: JobRow;
  stageIds: number[];
  completedStageIds: Set<number>;
  completedTasks: number;
  failedTasks: number;
  killedTasks: number;
  failedStages: number;
  ended: boolean;
}

export interface StageInfo
  extends Pick<
    StageRow,
    | "name"
    | "details"
    | "number_of_tasks"
    | "submission_time_ms"
    | "completion_time_ms"
    | "failure_reason"
    | "parent_ids_json"
    | "resource_profile_id"
    | "shuffle_push_enabled"
  > {
  stageId: number;
  stageAttemptId: number;
  rdds: Json[];
  accumulables: readonly unknown[];
}

/** Stage Info of JobStart, StageSubmitted and StageCompleted. null without a stage id. */
export function stageInfo(value: unknown): StageInfo | null {
  const info = object(value);
  const stageId = smallInt(info["Stage ID"]);
  if (stageId === null) return null;
  const push = bool(info["Shuffle Push Enabled"]);
  return {
    stageId,
    stageAttemptId: smallInt(info["Stage Attempt ID"]) ?? 0,
    name: text(info["Stage Name"]),
    details: text(info.Details),
    number_of_tasks: smallInt(info["Number of Tasks"]),
    submission_time_ms: time(info["Submission Time"]),
    completion_time_ms: time(info["Completion Time"]),
    failure_reason: text(info["Failure Reason"]),
    parent_ids_json: JSON.stringify(array(info["Parent IDs"]).filter((id) => smallInt(id) !== null)),
    resource_profile_id: smallInt(info["Resource Profile Id"]),
    shuffle_push_enabled: push === null ? null : Number(push),
    rdds: array(info["RDD Info"]).map(object),
    accumulables: array(info.Accumulables),
  };
}
