import { object, smallInt } from "../json.ts";
import { executorId } from "../tasks/executor-id.ts";
import { defineEvent } from "./event.ts";

/** Peak per stage attempt and executor; written only with spark.eventLog.logStageExecutorMetrics. */
export const stageExecutorMetrics = defineEvent({
  events: ["SparkListenerStageExecutorMetrics"],
  ingest(json, log) {
    log.stageExecutorMetrics(
      executorId(json["Executor ID"]),
      smallInt(json["Stage ID"]),
      smallInt(json["Stage Attempt ID"]) ?? 0,
      object(json["Executor Metrics"]),
    );
  },
});
