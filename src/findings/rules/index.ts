import { configuration } from "./configuration.ts";
import { discardedRows } from "./discarded-rows.ts";
import { executorsLost } from "./executors-lost.ts";
import { failedTasks } from "./failed-tasks.ts";
import { farReads } from "./far-reads.ts";
import { idleCores } from "./idle-cores.ts";
import { lateFilter } from "./late-filter.ts";
import { partitionCount } from "./partition-count.ts";
import { repeatedShuffle } from "./repeated-shuffle.ts";
import type { Rule } from "./rule.ts";
import { streamingState } from "./streaming-state.ts";

/** What is worth knowing beside the causes, in the order of the report. */
export const RULES: readonly Rule[] = [
  executorsLost,
  failedTasks,
  partitionCount,
  discardedRows,
  lateFilter,
  repeatedShuffle,
  farReads,
  streamingState,
  idleCores,
  configuration,
];
