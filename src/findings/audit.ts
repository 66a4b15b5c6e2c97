import type { App } from "./app.ts";
import type { Setting } from "./settings.ts";

/** Settings that decide how a run behaves, shown with their source whether set or not. */
const AUDITED = [
  "spark.executor.memory",
  "spark.executor.memoryOverhead",
  "spark.executor.cores",
  "spark.task.cpus",
  "spark.memory.fraction",
  "spark.memory.storageFraction",
  "spark.dynamicAllocation.enabled",
  "spark.shuffle.service.enabled",
  "spark.speculation",
  "spark.locality.wait",
  "spark.default.parallelism",
  "spark.sql.shuffle.partitions",
  "spark.sql.files.maxPartitionBytes",
  "spark.sql.autoBroadcastJoinThreshold",
  "spark.sql.adaptive.enabled",
  "spark.sql.adaptive.coalescePartitions.enabled",
  "spark.sql.adaptive.advisoryPartitionSizeInBytes",
  "spark.sql.adaptive.coalescePartitions.parallelismFirst",
  "spark.sql.adaptive.skewJoin.enabled",
] as const;

/** The audited settings as the target's execution saw them, and every other setting that a session changed. */
export function auditSettings(app: App): Setting[] {
  const executionId = app.target ? app.view(app.target.stage).executionId : null;
  const changed = app.settings.sessionNames().filter((name) => !AUDITED.some((known) => known === name));
  return [...AUDITED, ...changed].map((name) => app.settings.get(name, executionId));
}
