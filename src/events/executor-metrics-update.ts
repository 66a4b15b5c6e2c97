import { array, object } from "../json.ts";
import { executorId } from "../tasks/executor-id.ts";
import { defineEvent } from "./event.ts";

/** In practice the driver's own metrics only, under the stage key (-1, -1). */
export const executorMetricsUpdate = defineEvent({
  events: ["SparkListenerExecutorMetricsUpdate"],
  ingest(json, log) {
    const executor = executorId(json["Executor ID"]);
    for (const update of array(json["Executor Metrics Updated"]))
      log.executors.peaks(executor, object(object(update)["Executor Metrics"]));
  },
});
