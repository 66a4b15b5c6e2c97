import { executorId } from "../tasks/executor-id.ts";
import { defineEvent } from "./event.ts";

export const executorRemoved = defineEvent({
  events: ["SparkListenerExecutorRemoved"],
  ingest(json, log) {
    log.flushTasks();
    log.executors.removed(json);
    log.storage.executorRemoved(executorId(json["Executor ID"]));
  },
});
