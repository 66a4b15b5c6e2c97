import { defineEvent } from "./event.ts";

/** Excluded and unexcluded executors and nodes, in the spelling of 3.1+ and in the older one. */
function exclusion(kind: "executor" | "node", action: string, names: readonly string[]) {
  return defineEvent({
    events: names.map((name) => `org.apache.spark.scheduler.SparkListener${name}`),
    ingest: (json, log) => log.executors.exclusion(kind, action, json),
  });
}

export const exclusions = [
  exclusion("executor", "excluded", ["ExecutorExcluded", "ExecutorBlacklisted"]),
  exclusion("executor", "excluded-for-stage", ["ExecutorExcludedForStage", "ExecutorBlacklistedForStage"]),
  exclusion("executor", "unexcluded", ["ExecutorUnexcluded", "ExecutorUnblacklisted"]),
  exclusion("node", "excluded", ["NodeExcluded", "NodeBlacklisted"]),
  exclusion("node", "excluded-for-stage", ["NodeExcludedForStage", "NodeBlacklistedForStage"]),
  exclusion("node", "unexcluded", ["NodeUnexcluded", "NodeUnblacklisted"]),
];
