-- sparklog's database. This file is its documentation too.
--
-- Every table starts with log_id: one log is one application attempt, read from one file or one rolling
-- directory; a database holds one log or many. Stage attempts and task attempts are part of every key.
-- Columns are Spark's own field names in snake_case, with their unit:
--   _ms     milliseconds (times of day are milliseconds since the epoch, UTC)
--   _ns     nanoseconds (Spark writes CPU times and shuffle write time in ns, all other times in ms)
--   _bytes  bytes; also the columns that Spark itself calls "bytes"
-- NULL means "the log does not say", never zero. Integers are exact up to 2^63-1; the views never use SUM() on raw
-- values, because SQLite's SUM throws above 2^63-1: sums are made while reading, exact or NULL.
-- Booleans are 0 and 1. Columns named _json hold JSON text.

-- ------------------------------------------------------------------------------------------------ the log itself

-- One row per log read. Source: the file or directory itself.
CREATE TABLE log (
  log_id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  layout TEXT NOT NULL,               -- single, rolling, databricks, spark-1, zip, stdin
  codec TEXT NOT NULL,                -- none zstd lz4 snappy lzf gzip zip, or mixed
  bytes INTEGER,                      -- as stored
  uncompressed_bytes INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  events INTEGER NOT NULL,            -- lines that held an event
  task_ends INTEGER NOT NULL,         -- SparkListenerTaskEnd lines
  bad_lines INTEGER NOT NULL,         -- lines that held no event: damaged, cut, not JSON
  task_end_fallbacks INTEGER NOT NULL, -- TaskEnd lines the fast scanner handed to the JSON parser
  first_time_ms INTEGER,              -- smallest and largest event time in the log
  last_time_ms INTEGER,
  slice TEXT,                         -- what part was asked for (--from, --to, --jobs), or NULL: the whole log
  first_event_hash TEXT               -- tells copies of one log apart from other logs
) STRICT;

-- One row per file of a log, in reading order.
CREATE TABLE log_part (
  log_id INTEGER NOT NULL,
  part INTEGER NOT NULL,              -- 0, 1, 2 ...
  path TEXT NOT NULL,
  codec TEXT NOT NULL,
  bytes INTEGER,
  uncompressed_bytes INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY (log_id, part)
) STRICT, WITHOUT ROWID;

-- One row per kind of trouble with the data and the place it was first seen.
CREATE TABLE ingest_issue (
  log_id INTEGER NOT NULL,
  code TEXT NOT NULL,                 -- truncated, bad-lines, missing-roll, event-loss ... (src/issues.ts)
  severity TEXT NOT NULL,             -- info, data-loss, error
  count INTEGER NOT NULL,
  part INTEGER,
  line INTEGER,                       -- 1 is the first line of the part
  byte_offset INTEGER,                -- in the stored (compressed) part where the trouble is the codec's, else in its text
  message TEXT NOT NULL
) STRICT;

-- One row per event name that no handler knows. Source: "Event".
CREATE TABLE unknown_event (
  log_id INTEGER NOT NULL,
  event TEXT NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY (log_id, event)
) STRICT, WITHOUT ROWID;

-- Texts that many tasks share (executor ids, hosts), numbered per log. Joined by the view task.
CREATE TABLE log_string (
  log_id INTEGER NOT NULL,
  string_id INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (log_id, string_id)
) STRICT, WITHOUT ROWID;

-- ------------------------------------------------------------------------------------------------ application

-- One row per log. Source: SparkListenerApplicationStart, -ApplicationEnd, -LogStart; master and deploy mode from
-- Spark properties. end_time_ms is NULL without an ApplicationEnd.
CREATE TABLE application (
  log_id INTEGER PRIMARY KEY,
  application_id TEXT,
  attempt_id TEXT,
  name TEXT,
  spark_version TEXT,
  user TEXT,
  master TEXT,
  deploy_mode TEXT,
  start_time_ms INTEGER,
  end_time_ms INTEGER,
  exit_code INTEGER,                  -- Spark 4
  starts INTEGER NOT NULL,            -- ApplicationStart lines
  engine TEXT,                        -- plug-in that ran the plans: photon, gluten, comet, rapids, or NULL
  vendor TEXT                         -- databricks, emr, dataproc, or NULL
) STRICT;

-- One row per property of the last SparkListenerEnvironmentUpdate. kind: spark, hadoop, system, metrics, classpath, jvm.
-- Values are stored as the log holds them, secrets included; reports mask them.
CREATE TABLE property (
  log_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (log_id, kind, name)
) STRICT, WITHOUT ROWID;

-- Source: SparkListenerResourceProfileAdded. kind: executor, task. Memory amounts are MiB.
CREATE TABLE resource_profile (
  log_id INTEGER NOT NULL,
  resource_profile_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  resource TEXT NOT NULL,
  amount REAL,
  PRIMARY KEY (log_id, resource_profile_id, kind, resource)
) STRICT, WITHOUT ROWID;

-- Source: SparkListenerMiscellaneousProcessAdded (YARN application master and the like).
CREATE TABLE process (
  log_id INTEGER NOT NULL,
  process_id TEXT NOT NULL,
  time_ms INTEGER,
  host_port TEXT,
  cores INTEGER,
  PRIMARY KEY (log_id, process_id)
) STRICT, WITHOUT ROWID;

-- ------------------------------------------------------------------------------------------------ executors

-- One row per executor lifetime: an id that is added again after its removal begins another life.
-- Source: SparkListenerExecutorAdded, -ExecutorRemoved (the first after the add counts), -BlockManagerAdded.
CREATE TABLE executor (
  log_id INTEGER NOT NULL,
  executor_id TEXT NOT NULL,
  life INTEGER NOT NULL,              -- 0, 1 ...
  host TEXT,
  total_cores INTEGER,
  resource_profile_id INTEGER,
  added_time_ms INTEGER,              -- NULL: removed without having been added, or known from its tasks only
  removed_time_ms INTEGER,
  removed_reason TEXT,
  removal_events INTEGER NOT NULL,    -- Spark 3.3+ may write several for one life
  removal_class TEXT,                 -- idle-or-driver decommissioned preempted out-of-memory heartbeat-timeout lost
  exit_code INTEGER,                  -- read out of the reason's text
  removal_detail TEXT,
  is_shutdown INTEGER NOT NULL,       -- 1: removed at or after the end of the application, no loss
  attributes_json TEXT,
  log_urls_json TEXT,
  max_memory_bytes INTEGER,           -- of its block manager
  max_onheap_memory_bytes INTEGER,
  max_offheap_memory_bytes INTEGER,
  port INTEGER,
  task_starts INTEGER NOT NULL,
  completed_tasks INTEGER NOT NULL,
  failed_tasks INTEGER NOT NULL,
  killed_tasks INTEGER NOT NULL,
  total_duration_ms INTEGER,          -- sum of Finish Time - Launch Time
  total_gc_time_ms INTEGER,
  total_run_time_ms INTEGER,
  total_input_bytes INTEGER,
  total_shuffle_read_bytes INTEGER,
  total_shuffle_write_bytes INTEGER,
  is_excluded INTEGER NOT NULL,
  PRIMARY KEY (log_id, executor_id, life)
) STRICT, WITHOUT ROWID;

-- Every SparkListenerBlockManagerAdded and, matched to it, -BlockManagerRemoved.
CREATE TABLE block_manager (
  log_id INTEGER NOT NULL,
  executor_id TEXT NOT NULL,
  host TEXT,
  port INTEGER,
  added_time_ms INTEGER,
  removed_time_ms INTEGER,
  maximum_memory_bytes INTEGER,
  maximum_onheap_memory_bytes INTEGER,
  maximum_offheap_memory_bytes INTEGER
) STRICT;

-- Highest value of each executor metric over the application. Bytes, counts, or ms by the metric's name.
-- Source: Task Executor Metrics of TaskEnd, StageExecutorMetrics, ExecutorMetricsUpdate.
CREATE TABLE executor_peak (
  log_id INTEGER NOT NULL,
  executor_id TEXT NOT NULL,
  metric TEXT NOT NULL,               -- JVMHeapMemory, OnHeapStorageMemory ...
  value INTEGER NOT NULL,
  PRIMARY KEY (log_id, executor_id, metric)
) STRICT, WITHOUT ROWID;

-- The same per stage attempt, only where the log holds SparkListenerStageExecutorMetrics.
CREATE TABLE stage_executor_peak (
  log_id INTEGER NOT NULL,
  stage_id INTEGER NOT NULL,
  stage_attempt_id INTEGER NOT NULL,
  executor_id TEXT NOT NULL,
  metric TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (log_id, stage_id, stage_attempt_id, executor_id, metric)
) STRICT, WITHOUT ROWID;

-- Executors and nodes excluded (formerly "blacklisted"). Both spellings of one fact are one row.
CREATE TABLE exclusion (
  log_id INTEGER NOT NULL,
  time_ms INTEGER,
  kind TEXT NOT NULL,                 -- executor, node
  target TEXT NOT NULL,               -- executor id or host
  action TEXT NOT NULL,               -- excluded, excluded-for-stage, unexcluded
  stage_id INTEGER,
  stage_attempt_id INTEGER,
  failures INTEGER
) STRICT;

-- ------------------------------------------------------------------------------------------------ jobs, stages

-- One row per SparkListenerJobStart; status running where no JobEnd was read.
CREATE TABLE job (
  log_id INTEGER NOT NULL,
  job_id INTEGER NOT NULL,
  status TEXT NOT NULL,               -- running succeeded failed
  submission_time_ms INTEGER,
  completion_time_ms INTEGER,
  name TEXT,                          -- Stage Name of the stage with the largest id
  description TEXT,                   -- spark.job.description
  job_group TEXT,
  job_tags TEXT,
  pool TEXT,
  num_tasks INTEGER NOT NULL,         -- tasks of its stages that had not completed before
  execution_id INTEGER,               -- spark.sql.execution.id
  root_execution_id INTEGER,          -- spark.sql.execution.root.id
  streaming_query_id TEXT,
  streaming_batch_id INTEGER,
  failure TEXT,                       -- Exception.Message of a failed job
  completed_tasks INTEGER NOT NULL,   -- ends with Success, failed, killed, as the jobs page counts them
  failed_tasks INTEGER NOT NULL,
  killed_tasks INTEGER NOT NULL,
  skipped_stages INTEGER NOT NULL,
  skipped_tasks INTEGER NOT NULL,
  completed_stages INTEGER NOT NULL,
  failed_stages INTEGER NOT NULL,
  PRIMARY KEY (log_id, job_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE job_stage (
  log_id INTEGER NOT NULL,
  job_id INTEGER NOT NULL,
  stage_id INTEGER NOT NULL,
  PRIMARY KEY (log_id, job_id, stage_id)
) STRICT, WITHOUT ROWID;

-- One row per stage attempt. Source: StageSubmitted and StageCompleted; stages that a job lists but that never ran
-- are skipped (attempt 0, no times); counts and sums are made from the attempt's TaskEnd lines.
-- Sums take every TaskEnd that has Task Metrics, failed and killed ones too; NULL where no task had that metric.
CREATE TABLE stage (
  log_id INTEGER NOT NULL,
  stage_id INTEGER NOT NULL,
  stage_attempt_id INTEGER NOT NULL,
  name TEXT,
  details TEXT,
  status TEXT NOT NULL,               -- complete failed skipped active pending
  number_of_tasks INTEGER,            -- Number of Tasks of this attempt
  submission_time_ms INTEGER,
  completion_time_ms INTEGER,
  first_task_launched_time_ms INTEGER,
  last_task_finished_time_ms INTEGER,
  failure_reason TEXT,
  parent_ids_json TEXT NOT NULL,
  resource_profile_id INTEGER,
  pool TEXT,
  shuffle_push_enabled INTEGER,
  own_time_ms REAL,                   -- sum over time of dt x its working tasks / all working tasks
  first_task_rowid INTEGER,           -- its rows of task_data lie between these two rowids (others may lie there too)
  last_task_rowid INTEGER,
  task_starts INTEGER NOT NULL,       -- TaskStart lines
  task_ends INTEGER NOT NULL,         -- TaskEnd lines
  tasks INTEGER NOT NULL,             -- distinct task ids with an end
  completed_indices INTEGER NOT NULL, -- distinct indexes that succeeded
  ended_indices INTEGER NOT NULL,     -- distinct indexes with any end
  succeeded INTEGER NOT NULL,         -- ends, counted as the History Server does
  failed INTEGER NOT NULL,
  killed INTEGER NOT NULL,
  speculative INTEGER NOT NULL,       -- ends of speculative copies
  tasks_with_metrics INTEGER NOT NULL,
  spilling_tasks INTEGER NOT NULL,    -- task attempts with Memory or Disk Bytes Spilled above 0
  duration_sum_ms INTEGER,            -- sum of Finish Time - Launch Time
  scheduler_delay_sum_ms INTEGER,
  executor_deserialize_time_ms INTEGER,
  executor_deserialize_cpu_time_ns INTEGER,
  executor_run_time_ms INTEGER,
  executor_cpu_time_ns INTEGER,
  peak_execution_memory_bytes INTEGER, -- sum of the tasks' peaks, as the History Server adds them
  result_size_bytes INTEGER,
  jvm_gc_time_ms INTEGER,
  result_serialization_time_ms INTEGER,
  memory_bytes_spilled INTEGER,
  disk_bytes_spilled INTEGER,
  remote_blocks_fetched INTEGER,
  local_blocks_fetched INTEGER,
  fetch_wait_time_ms INTEGER,
  remote_bytes_read INTEGER,
  local_bytes_read INTEGER,
  remote_bytes_read_to_disk INTEGER,
  shuffle_records_read INTEGER,
  remote_requests_duration_ms INTEGER,
  shuffle_bytes_read INTEGER,         -- remote + local
  shuffle_bytes_written INTEGER,
  shuffle_write_time_ns INTEGER,
  shuffle_records_written INTEGER,
  input_bytes_read INTEGER,
  input_records_read INTEGER,
  output_bytes_written INTEGER,
  output_records_written INTEGER,
  PRIMARY KEY (log_id, stage_id, stage_attempt_id)
) STRICT, WITHOUT ROWID;

-- Quantiles of each metric over the successful tasks with metrics of one stage attempt; rows of the view stage_quantile.
CREATE TABLE stage_distribution (
  log_id INTEGER NOT NULL,
  stage_id INTEGER NOT NULL,
  stage_attempt_id INTEGER NOT NULL,
  quantiles_json TEXT NOT NULL,       -- {"executor_run_time_ms": [tasks, min, p05, p25, p50, p75, p95, p99, max], ...} by name
  PRIMARY KEY (log_id, stage_id, stage_attempt_id)
) STRICT;

-- One row per stage attempt and executor that ended a task there.
CREATE TABLE stage_executor (
  log_id INTEGER NOT NULL,
  stage_id INTEGER NOT NULL,
  stage_attempt_id INTEGER NOT NULL,
  executor_id TEXT NOT NULL,
  host TEXT,
  succeeded INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  killed INTEGER NOT NULL,
  duration_sum_ms INTEGER,
  executor_run_time_ms INTEGER,
  executor_cpu_time_ns INTEGER,
  jvm_gc_time_ms INTEGER,
  input_bytes_read INTEGER,
  output_bytes_written INTEGER,
  shuffle_bytes_read INTEGER,
  shuffle_bytes_written INTEGER,
  memory_bytes_spilled INTEGER,
  disk_bytes_spilled INTEGER,
  PRIMARY KEY (log_id, stage_id, stage_attempt_id, executor_id)
) STRICT, WITHOUT ROWID;

-- Totals that StageCompleted itself reports (internal.metrics.*); rows of the view stage_reported_total.
CREATE TABLE stage_reported (
  log_id INTEGER NOT NULL,
  stage_id INTEGER NOT NULL,
  stage_attempt_id INTEGER NOT NULL,
  totals_json TEXT NOT NULL,          -- {"executor_run_time_ms": 8030, ...}
  PRIMARY KEY (log_id, stage_id, stage_attempt_id)
) STRICT;

-- User accumulators of a stage (neither internal nor SQL). Source: StageCompleted Accumulables.
CREATE TABLE stage_accumulable (
  log_id INTEGER NOT NULL,
  stage_id INTEGER NOT NULL,
  stage_attempt_id INTEGER NOT NULL,
  accumulator_id INTEGER NOT NULL,
  name TEXT,
  value TEXT,                         -- any text; not a number in general
  PRIMARY KEY (log_id, stage_id, stage_attempt_id, accumulator_id)
) STRICT, WITHOUT ROWID;

-- Times of at least one second, between the first and the last event, in which no task worked (a task works from
-- launch until its result is fetched, cut to its deserialize + run + serialize time where the rest is a second or more).
CREATE TABLE idle_gap (
  log_id INTEGER NOT NULL,
  start_time_ms INTEGER NOT NULL,
  end_time_ms INTEGER NOT NULL,
  PRIMARY KEY (log_id, start_time_ms)
) STRICT, WITHOUT ROWID;

-- ------------------------------------------------------------------------------------------------ tasks

-- One row per task attempt. Source: SparkListenerTaskEnd; a task that only started has status 0 and no metrics.
-- A Resubmitted end adds no row (see task_failure). Names and codes are spelled out in the view task.
-- Metric columns are NULL where the end carried no Task Metrics or the key is absent.
CREATE TABLE task_data (
  log_id INTEGER NOT NULL,
  stage_id INTEGER NOT NULL,
  stage_attempt_id INTEGER NOT NULL,
  task_id INTEGER NOT NULL,
  task_index INTEGER,
  attempt_number INTEGER,
  partition_id INTEGER,
  launch_time_ms INTEGER,
  finish_time_ms INTEGER,
  getting_result_time_ms INTEGER,     -- 0: the result came with the message
  executor INTEGER,                   -- log_string.string_id
  host INTEGER,                       -- log_string.string_id
  locality INTEGER,                   -- 0 PROCESS_LOCAL 1 NODE_LOCAL 2 NO_PREF 3 RACK_LOCAL 4 ANY
  speculative INTEGER,
  status INTEGER NOT NULL,            -- 0 running, 1 success, 2 failed, 3 killed
  executor_deserialize_time_ms INTEGER,
  executor_deserialize_cpu_time_ns INTEGER,
  executor_run_time_ms INTEGER,
  executor_cpu_time_ns INTEGER,
  peak_execution_memory_bytes INTEGER,
  result_size_bytes INTEGER,
  jvm_gc_time_ms INTEGER,
  result_serialization_time_ms INTEGER,
  memory_bytes_spilled INTEGER,
  disk_bytes_spilled INTEGER,
  remote_blocks_fetched INTEGER,
  local_blocks_fetched INTEGER,
  fetch_wait_time_ms INTEGER,
  remote_bytes_read INTEGER,
  local_bytes_read INTEGER,
  remote_bytes_read_to_disk INTEGER,
  shuffle_records_read INTEGER,
  remote_requests_duration_ms INTEGER,
  shuffle_bytes_written INTEGER,
  shuffle_write_time_ns INTEGER,
  shuffle_records_written INTEGER,
  input_bytes_read INTEGER,
  input_records_read INTEGER,
  output_bytes_written INTEGER,
  output_records_written INTEGER
) STRICT;

-- Rare metrics of a task, one row each, only where they are not zero: push-based shuffle (Push Based Shuffle /
-- Shuffle Push Read Metrics) and Spark 4's Peak On/Off Heap Execution Memory. metric as in the log, in snake_case with unit.
CREATE TABLE task_extra (
  log_id INTEGER NOT NULL,
  task_id INTEGER NOT NULL,
  metric TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (log_id, task_id, metric)
) STRICT, WITHOUT ROWID;

-- One row per TaskEnd whose reason is not Success, Resubmitted included. Source: Task End Reason.
CREATE TABLE task_failure (
  log_id INTEGER NOT NULL,
  task_id INTEGER NOT NULL,
  stage_id INTEGER NOT NULL,
  stage_attempt_id INTEGER NOT NULL,
  reason TEXT NOT NULL,               -- ExceptionFailure, FetchFailed, ExecutorLostFailure, TaskKilled ...
  counted_as TEXT NOT NULL,           -- failed, killed
  executor_id TEXT,
  host TEXT,
  finish_time_ms INTEGER,
  class_name TEXT,                    -- exception class
  message TEXT,                       -- first line: description, message, kill or loss reason
  details TEXT,                       -- whole text, as the task page shows it
  exit_caused_by_app INTEGER,
  shuffle_id INTEGER,                 -- FetchFailed
  map_id INTEGER,
  map_index INTEGER,
  reduce_id INTEGER,
  failed_executor_id TEXT,            -- FetchFailed: executor that should have served the block; ExecutorLostFailure: the lost one
  duration_ms INTEGER,
  executor_run_time_ms INTEGER
) STRICT;

-- ------------------------------------------------------------------------------------------------ RDD storage

-- Source: RDD Info of StageSubmitted. storage_level is Spark's display text. cached_partitions is NULL unless the
-- log holds BlockUpdated events (spark.eventLog.logBlockUpdates.enabled); 0 in RDD Info means nothing.
CREATE TABLE rdd (
  log_id INTEGER NOT NULL,
  rdd_id INTEGER NOT NULL,
  name TEXT,
  callsite TEXT,
  scope TEXT,                         -- name of the operator that made it
  storage_level TEXT,                 -- NULL: not persisted
  use_disk INTEGER NOT NULL,
  use_memory INTEGER NOT NULL,
  number_of_partitions INTEGER,
  unpersisted INTEGER NOT NULL,
  cached_partitions INTEGER,
  max_cached_partitions INTEGER,
  evicted_blocks INTEGER,             -- blocks that left memory while the RDD was persisted
  memory_size_bytes INTEGER,
  disk_size_bytes INTEGER,
  PRIMARY KEY (log_id, rdd_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE stage_rdd (
  log_id INTEGER NOT NULL,
  stage_id INTEGER NOT NULL,
  stage_attempt_id INTEGER NOT NULL,
  rdd_id INTEGER NOT NULL,
  PRIMARY KEY (log_id, stage_id, stage_attempt_id, rdd_id)
) STRICT, WITHOUT ROWID;

-- ------------------------------------------------------------------------------------------------ SQL

-- One row per SQL execution. Source: SparkListenerSQLExecutionStart, -SQLExecutionEnd; ids seen only on jobs have no start.
CREATE TABLE sql_execution (
  log_id INTEGER NOT NULL,
  execution_id INTEGER NOT NULL,
  root_execution_id INTEGER NOT NULL, -- itself for an outermost execution
  description TEXT,
  details TEXT,
  start_time_ms INTEGER,
  end_time_ms INTEGER,
  error_message TEXT,                 -- "" success, text failure, NULL: the version does not say
  status TEXT NOT NULL,               -- running completed failed
  job_tags TEXT,
  job_group TEXT,
  engine TEXT NOT NULL,               -- spark photon gluten comet rapids
  plan_versions INTEGER NOT NULL,
  initial_plan_id INTEGER,
  plan_id INTEGER,                    -- the plan that ran: that of the last update
  final_plan INTEGER,                 -- 1: isFinalPlan=true, 0: adaptive but not final, NULL: not adaptive
  -- Counted in the plan that ran: subqueries included, nothing below a ReusedExchange, cached plans apart.
  shuffle_exchanges INTEGER NOT NULL,
  broadcast_exchanges INTEGER NOT NULL,
  single_partition_exchanges INTEGER NOT NULL, -- among shuffle_exchanges too
  reused_exchanges INTEGER NOT NULL,
  cached_shuffle_exchanges INTEGER NOT NULL, -- inside cached plans, each cached plan once
  hidden_shuffles INTEGER NOT NULL,   -- TakeOrderedAndProject, CollectLimit ...: shuffles without an Exchange node
  joins_json TEXT NOT NULL,           -- {"SortMergeJoin": 1, ...} by Spark's kind
  initial_joins_json TEXT NOT NULL,   -- the same of the first plan
  aqe_reads INTEGER NOT NULL,         -- AQEShuffleRead nodes, of these:
  aqe_coalesced_reads INTEGER NOT NULL,
  aqe_skewed_reads INTEGER NOT NULL,
  aqe_local_reads INTEGER NOT NULL,
  aqe_skew_joins INTEGER NOT NULL,    -- joins marked skew=true
  -- Sums over its shuffles, hidden ones too, without cached plans; NULL where none was measured.
  exchange_bytes_written INTEGER,
  exchange_bytes_read INTEGER,
  exchange_rows_written INTEGER,
  exchange_rows_read INTEGER,
  broadcast_bytes INTEGER,
  avoidable_exchanges INTEGER NOT NULL, -- rows of sql_exchange with a sign of it
  PRIMARY KEY (log_id, execution_id)
) STRICT, WITHOUT ROWID;

-- Session settings that differ from the application's. Source: modifiedConfigs of SQLExecutionStart (Spark 3.3+).
CREATE TABLE sql_modified_config (
  log_id INTEGER NOT NULL,
  execution_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (log_id, execution_id, name)
) STRICT, WITHOUT ROWID;

-- Each distinct plan once, by content. tree_json is sparkPlanInfo as logged. Rows of megabytes are what WITHOUT ROWID is
-- slow for.
CREATE TABLE sql_plan (
  log_id INTEGER NOT NULL,
  plan_id INTEGER NOT NULL,
  tree_json TEXT NOT NULL,
  description TEXT,                   -- physicalPlanDescription
  PRIMARY KEY (log_id, plan_id)
) STRICT;

-- Every version of an execution's plan: 0 from the start event, then one per SQLAdaptiveExecutionUpdate.
CREATE TABLE sql_plan_version (
  log_id INTEGER NOT NULL,
  execution_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  plan_id INTEGER NOT NULL,
  is_final INTEGER NOT NULL,
  PRIMARY KEY (log_id, execution_id, version)
) STRICT, WITHOUT ROWID;

-- Nodes of the plan graph, by the rules of Spark's SQL page, for the plan that ran in each execution (its plan_id). Other
-- versions stand in sql_plan.tree_json; sparklog plan LOG --execution N --version V draws them.
CREATE TABLE sql_plan_node (
  log_id INTEGER NOT NULL,
  plan_id INTEGER NOT NULL,
  node_id INTEGER NOT NULL,           -- as in the History Server's REST answer
  parent_node_id INTEGER,             -- the node it feeds first; further parents stand in sql_plan_reuse
  cluster_node_id INTEGER,            -- WholeStageCodegen cluster it is drawn in
  codegen_id INTEGER,                 -- n of WholeStageCodegen (n)
  name TEXT NOT NULL,                 -- nodeName, trimmed
  kind TEXT NOT NULL,                 -- Spark's operator without engine prefix or suffix: Exchange, SortMergeJoin ...
  simple_string TEXT NOT NULL,
  metadata_json TEXT,
  in_cache INTEGER NOT NULL,          -- 1: part of a cached plan below InMemoryTableScan
  in_subquery INTEGER NOT NULL,
  in_reused INTEGER NOT NULL,         -- 1: below a ReusedExchange that is drawn; it did not run here
  metrics_json TEXT,                  -- [[accumulator id, name, type], ...]; rows of the view sql_plan_metric
  PRIMARY KEY (log_id, plan_id, node_id)
) STRICT, WITHOUT ROWID;

-- Nodes that are read again: an exchange or subquery that was drawn before feeds a further node. With the first parents
-- of sql_plan_node these are the edges of the graph (view sql_plan_edge).
CREATE TABLE sql_plan_reuse (
  log_id INTEGER NOT NULL,
  plan_id INTEGER NOT NULL,
  position INTEGER NOT NULL,          -- two may join the same nodes: a self join reads one exchange twice
  from_node_id INTEGER NOT NULL,
  to_node_id INTEGER NOT NULL,
  PRIMARY KEY (log_id, plan_id, position)
) STRICT, WITHOUT ROWID;

-- Value of one SQL metric over an execution, folded by Spark's rule (unset task slots count as 0; -1 is unset).
-- Integers in the metric's unit (size bytes, timing ms, nsTiming ns, average x 10). No row: no data.
CREATE TABLE sql_metric (
  log_id INTEGER NOT NULL,
  execution_id INTEGER NOT NULL,
  accumulator_id INTEGER NOT NULL,
  metric_type TEXT NOT NULL,
  total INTEGER,
  min INTEGER,
  median INTEGER,
  max INTEGER,
  max_stage_id INTEGER,               -- NULL: from the driver
  max_stage_attempt_id INTEGER,
  max_task_id INTEGER,
  text TEXT NOT NULL,                 -- as the History Server prints it
  PRIMARY KEY (log_id, execution_id, accumulator_id)
) STRICT, WITHOUT ROWID;

-- Task updates of one SQL metric within one stage attempt: which operator worked, and spilled, in which stage and task.
CREATE TABLE stage_sql_metric (
  log_id INTEGER NOT NULL,
  stage_id INTEGER NOT NULL,
  stage_attempt_id INTEGER NOT NULL,
  accumulator_id INTEGER NOT NULL,
  tasks INTEGER NOT NULL,             -- tasks with an update above 0
  total INTEGER,
  median INTEGER,                     -- over those tasks
  max INTEGER,
  max_task_id INTEGER,
  PRIMARY KEY (log_id, stage_id, stage_attempt_id, accumulator_id)
) STRICT, WITHOUT ROWID;

-- From an operator's metrics to the stages it ran in.
CREATE INDEX stage_sql_metric_accumulator ON stage_sql_metric (log_id, accumulator_id);

-- One row per exchange of the plan that ran, cached plans included (in_cache), nothing below a ReusedExchange. Made when
-- the execution is folded, from its plan and metrics: what it moved, why it is there and whether the plan could do without.
CREATE TABLE sql_exchange (
  log_id INTEGER NOT NULL,
  execution_id INTEGER NOT NULL,
  node_id INTEGER NOT NULL,           -- of sql_plan_node, in the execution's plan_id
  kind TEXT NOT NULL,                 -- shuffle, broadcast, or hidden: a shuffle without an Exchange node
  scheme TEXT NOT NULL,               -- hash range round-robin single other broadcast
  keys TEXT NOT NULL,                 -- partitioning expressions with their ids; "" where there are none
  origin TEXT,                        -- ENSURE_REQUIREMENTS, REPARTITION_BY_COL ... (Spark 3.1+)
  configured_partitions INTEGER,      -- as planned
  effective_partitions INTEGER,       -- as its reader made them: AQE coalesces and splits; NULL without an AQE reader
  coalesced INTEGER NOT NULL,
  skew_split INTEGER NOT NULL,
  local_read INTEGER NOT NULL,
  data_bytes INTEGER,                 -- data size: rows before compression
  bytes_written INTEGER,
  rows_written INTEGER,               -- of a broadcast: its rows
  bytes_read INTEGER,                 -- local + remote, as often as it was read
  rows_read INTEGER,
  fetch_wait_ms INTEGER,
  readers INTEGER NOT NULL,           -- operators that read it; above 1 it is reused
  consumer_node_id INTEGER,           -- the operator it is there for
  consumer_kind TEXT,
  why TEXT NOT NULL,
  avoidable TEXT,                     -- back-to-back, already-partitioned, duplicate-subtree; NULL: no sign of it
  avoidable_why TEXT,
  in_cache INTEGER NOT NULL,
  in_subquery INTEGER NOT NULL,
  PRIMARY KEY (log_id, execution_id, node_id)
) STRICT, WITHOUT ROWID;

-- One row per join of the plan that ran. Side sizes are those of the exchange that brings the side.
CREATE TABLE sql_join (
  log_id INTEGER NOT NULL,
  execution_id INTEGER NOT NULL,
  node_id INTEGER NOT NULL,
  kind TEXT NOT NULL,                 -- SortMergeJoin BroadcastHashJoin ShuffledHashJoin BroadcastNestedLoopJoin CartesianProduct
  join_type TEXT,                     -- Inner LeftOuter LeftAnti ...
  build_side TEXT,                    -- left, right
  left_keys TEXT NOT NULL,
  right_keys TEXT NOT NULL,
  left_exchange_node_id INTEGER,      -- NULL: read where it lies
  left_bytes INTEGER,                 -- data size: rows before compression, as the broadcast threshold means them
  left_rows INTEGER,
  right_exchange_node_id INTEGER,
  right_bytes INTEGER,
  right_rows INTEGER,
  output_rows INTEGER,
  build_time_ms INTEGER,
  spill_bytes INTEGER,
  skew INTEGER NOT NULL,              -- 1: AQE splits its skewed partitions
  changed_from TEXT,                  -- kind in the first plan, where AQE changed it
  in_cache INTEGER NOT NULL,
  in_subquery INTEGER NOT NULL,
  PRIMARY KEY (log_id, execution_id, node_id)
) STRICT, WITHOUT ROWID;

-- One row per scan of the plan that ran. Filters are Spark's text.
CREATE TABLE sql_scan (
  log_id INTEGER NOT NULL,
  execution_id INTEGER NOT NULL,
  node_id INTEGER NOT NULL,
  relation TEXT NOT NULL,             -- table, else first path, else the node's name
  format TEXT,
  location TEXT,
  partition_filters TEXT,
  pushed_filters TEXT,
  data_filters TEXT,
  partitioned INTEGER,                -- the table has partition columns; NULL: the plan does not say
  files_read INTEGER,
  bytes_read INTEGER,                 -- size of files read
  partitions_read INTEGER,
  output_rows INTEGER,
  metadata_time_ms INTEGER,           -- listing files, on the driver
  scan_time_ms INTEGER,               -- summed over tasks
  in_cache INTEGER NOT NULL,
  in_subquery INTEGER NOT NULL,
  PRIMARY KEY (log_id, execution_id, node_id)
) STRICT, WITHOUT ROWID;

-- Operators whose place or presence costs rows, bytes or time.
CREATE TABLE sql_placement (
  log_id INTEGER NOT NULL,
  execution_id INTEGER NOT NULL,
  node_id INTEGER NOT NULL,
  kind TEXT NOT NULL,                 -- filter-above-join filter-above-exchange python-boundary expand generate window-without-partition
  detail TEXT NOT NULL,               -- the filter's condition, else the operator's name
  below_node_id INTEGER,              -- join or exchange below a filter
  rows_in INTEGER,
  rows_out INTEGER,
  bytes INTEGER,                      -- to and from Python workers
  time_ms INTEGER,                    -- of Python workers
  PRIMARY KEY (log_id, execution_id, node_id)
) STRICT, WITHOUT ROWID;

-- ------------------------------------------------------------------------------------------------ streaming

-- One row per run of a streaming query. Source: StreamingQueryListener QueryStarted, -Terminated events.
CREATE TABLE streaming_query (
  log_id INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  query_id TEXT,
  name TEXT,
  start_time_ms INTEGER,
  end_time_ms INTEGER,                -- NULL: not terminated in this log (the event carries no time: last progress)
  terminated INTEGER NOT NULL,
  exception TEXT,
  PRIMARY KEY (log_id, run_id)
) STRICT, WITHOUT ROWID;

-- One row per (run, batch): the last progress with rows wins, idle repeats do not count. Source: QueryProgressEvent.
CREATE TABLE streaming_progress (
  log_id INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  batch_id INTEGER NOT NULL,
  trigger_time_ms INTEGER,            -- start of the trigger
  batch_duration_ms INTEGER,
  input_rows INTEGER,                 -- sum over sources
  input_rows_per_second REAL,
  processed_rows_per_second REAL,
  watermark_ms INTEGER,               -- the watermark used by this batch; NULL: none, or not set yet
  max_event_time_ms INTEGER,
  sink TEXT,
  output_rows INTEGER,
  duration_ms_json TEXT,
  PRIMARY KEY (log_id, run_id, batch_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE streaming_state_operator (
  log_id INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  batch_id INTEGER NOT NULL,
  operator INTEGER NOT NULL,          -- position in stateOperators
  operator_name TEXT,
  rows_total INTEGER,
  rows_updated INTEGER,
  rows_removed INTEGER,
  rows_dropped_by_watermark INTEGER,
  memory_used_bytes INTEGER,
  commit_time_ms INTEGER,             -- sum over tasks
  state_store TEXT,                   -- rocksdb or hdfs-backed, told by its custom metrics
  PRIMARY KEY (log_id, run_id, batch_id, operator)
) STRICT, WITHOUT ROWID;

CREATE TABLE streaming_source (
  log_id INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  batch_id INTEGER NOT NULL,
  source INTEGER NOT NULL,
  description TEXT,
  input_rows INTEGER,
  input_rows_per_second REAL,
  processed_rows_per_second REAL,
  PRIMARY KEY (log_id, run_id, batch_id, source)
) STRICT, WITHOUT ROWID;

-- ------------------------------------------------------------------------------------------------ views

-- Tasks with names for codes. duration_ms, scheduler_delay_ms and getting_result_duration_ms as the stage page shows them.
CREATE VIEW task AS
SELECT
  d.log_id, d.stage_id, d.stage_attempt_id, d.task_id, d.task_index, d.attempt_number, d.partition_id,
  d.launch_time_ms, d.finish_time_ms, d.getting_result_time_ms,
  e.text AS executor_id,
  h.text AS host,
  CASE d.locality WHEN 0 THEN 'PROCESS_LOCAL' WHEN 1 THEN 'NODE_LOCAL' WHEN 2 THEN 'NO_PREF' WHEN 3 THEN 'RACK_LOCAL' WHEN 4 THEN 'ANY' END AS locality,
  d.speculative,
  CASE d.status WHEN 0 THEN 'running' WHEN 1 THEN 'success' WHEN 2 THEN 'failed' ELSE 'killed' END AS status,
  MAX(0, d.finish_time_ms - d.launch_time_ms) AS duration_ms,
  CASE WHEN d.getting_result_time_ms > 0 THEN MAX(0, d.finish_time_ms - d.getting_result_time_ms) ELSE 0 END AS getting_result_duration_ms,
  CASE WHEN d.executor_run_time_ms IS NOT NULL THEN MAX(0, d.finish_time_ms - d.launch_time_ms - d.executor_run_time_ms
    - IFNULL(d.executor_deserialize_time_ms, 0) - IFNULL(d.result_serialization_time_ms, 0)
    - CASE WHEN d.getting_result_time_ms > 0 THEN MAX(0, d.finish_time_ms - d.getting_result_time_ms) ELSE 0 END) END AS scheduler_delay_ms,
  d.executor_deserialize_time_ms, d.executor_deserialize_cpu_time_ns, d.executor_run_time_ms, d.executor_cpu_time_ns,
  d.peak_execution_memory_bytes, d.result_size_bytes, d.jvm_gc_time_ms, d.result_serialization_time_ms,
  d.memory_bytes_spilled, d.disk_bytes_spilled,
  d.remote_blocks_fetched, d.local_blocks_fetched, d.fetch_wait_time_ms, d.remote_bytes_read, d.local_bytes_read,
  d.remote_bytes_read_to_disk, d.shuffle_records_read, d.remote_requests_duration_ms,
  d.shuffle_bytes_written, d.shuffle_write_time_ns, d.shuffle_records_written,
  d.input_bytes_read, d.input_records_read, d.output_bytes_written, d.output_records_written
FROM task_data d
LEFT JOIN log_string e ON e.log_id = d.log_id AND e.string_id = d.executor
LEFT JOIN log_string h ON h.log_id = d.log_id AND h.string_id = d.host;

-- Quantiles of one metric over the successful tasks with metrics of one stage attempt, by Spark's own rule: element
-- min(floor(q * n), n - 1) of the sorted values, no interpolation. tasks: how many values. metric is a column name of the
-- view task.
CREATE VIEW stage_quantile AS
SELECT d.log_id, d.stage_id, d.stage_attempt_id, q.key AS metric,
  CAST(q.value ->> 0 AS INTEGER) AS tasks, CAST(q.value ->> 1 AS INTEGER) AS min, CAST(q.value ->> 2 AS INTEGER) AS p05,
  CAST(q.value ->> 3 AS INTEGER) AS p25, CAST(q.value ->> 4 AS INTEGER) AS p50, CAST(q.value ->> 5 AS INTEGER) AS p75,
  CAST(q.value ->> 6 AS INTEGER) AS p95, CAST(q.value ->> 7 AS INTEGER) AS p99, CAST(q.value ->> 8 AS INTEGER) AS max
FROM stage_distribution d
JOIN json_each(d.quantiles_json) q;

-- Totals that StageCompleted itself reports, to hold against the sums over the tasks: where they differ, TaskEnd events
-- were lost. metric is a column name of stage.
CREATE VIEW stage_reported_total AS
SELECT r.log_id, r.stage_id, r.stage_attempt_id, t.key AS metric, CAST(t.value AS INTEGER) AS value
FROM stage_reported r
JOIN json_each(r.totals_json) t;

-- Stages that ran, with the median and longest task run time and their ratio (the skew check's).
CREATE VIEW stage_summary AS
SELECT
  s.log_id, s.stage_id, s.stage_attempt_id, s.name, s.status, s.number_of_tasks, s.tasks, s.succeeded, s.failed, s.killed,
  MAX(0, s.completion_time_ms - s.first_task_launched_time_ms) AS duration_ms,
  s.own_time_ms,
  q.p50 AS median_run_time_ms,
  q.max AS max_run_time_ms,
  CASE WHEN q.p50 > 0 THEN ROUND(1.0 * q.max / q.p50, 2) END AS skew_ratio,
  s.executor_run_time_ms, s.jvm_gc_time_ms, s.input_bytes_read, s.shuffle_bytes_read, s.shuffle_bytes_written,
  s.output_bytes_written, s.memory_bytes_spilled, s.disk_bytes_spilled, s.spilling_tasks
FROM stage s
LEFT JOIN stage_quantile q ON q.log_id = s.log_id AND q.stage_id = s.stage_id AND q.stage_attempt_id = s.stage_attempt_id
  AND q.metric = 'executor_run_time_ms'
WHERE s.status NOT IN ('skipped', 'pending');

-- The 20 longest task attempts of each stage attempt, by run time (by duration where a task has no metrics).
CREATE VIEW slowest_task AS
SELECT *
FROM (
  SELECT t.*, ROW_NUMBER() OVER (
    PARTITION BY t.log_id, t.stage_id, t.stage_attempt_id
    ORDER BY IFNULL(t.executor_run_time_ms, t.duration_ms) DESC, t.task_id
  ) AS rank
  FROM task t
)
WHERE rank <= 20;

-- Stages by how uneven they are: the longest task against the median, in run time, records and bytes read.
CREATE VIEW stage_skew AS
SELECT
  r.log_id, r.stage_id, r.stage_attempt_id, r.tasks,
  r.p50 AS median_run_time_ms, r.max AS max_run_time_ms,
  CASE WHEN r.p50 > 0 THEN ROUND(1.0 * r.max / r.p50, 2) END AS run_time_ratio,
  CASE WHEN b.p50 > 0 THEN ROUND(1.0 * b.max / b.p50, 2) END AS shuffle_read_ratio,
  CASE WHEN i.p50 > 0 THEN ROUND(1.0 * i.max / i.p50, 2) END AS input_ratio
FROM stage_quantile r
LEFT JOIN stage_quantile b ON b.log_id = r.log_id AND b.stage_id = r.stage_id AND b.stage_attempt_id = r.stage_attempt_id
  AND b.metric = 'shuffle_bytes_read'
LEFT JOIN stage_quantile i ON i.log_id = r.log_id AND i.stage_id = r.stage_id AND i.stage_attempt_id = r.stage_attempt_id
  AND i.metric = 'input_bytes_read'
WHERE r.metric = 'executor_run_time_ms'
ORDER BY r.log_id, run_time_ratio DESC;

-- Executors as a time line: lives with their end, what ended them and the core time they offered.
CREATE VIEW executor_timeline AS
SELECT log_id, executor_id, life, host, total_cores, added_time_ms, removed_time_ms, removal_class, exit_code, removed_reason,
  completed_tasks, failed_tasks, killed_tasks, total_duration_ms, total_gc_time_ms
FROM executor
ORDER BY log_id, added_time_ms, executor_id;

-- Spill by stage attempt, largest first.
CREATE VIEW spill_by_stage AS
SELECT log_id, stage_id, stage_attempt_id, name, tasks, spilling_tasks, memory_bytes_spilled, disk_bytes_spilled
FROM stage
WHERE spilling_tasks > 0
ORDER BY memory_bytes_spilled DESC;

-- Exchanges of the plans that ran.
CREATE VIEW exchange AS
SELECT x.log_id, x.execution_id, n.node_id, n.kind, n.name, n.simple_string, n.in_cache
FROM sql_execution x
JOIN sql_plan_node n ON n.log_id = x.log_id AND n.plan_id = x.plan_id
WHERE n.kind IN ('Exchange', 'BroadcastExchange');

-- Edges child -> parent of the plan graph; reused is 1 where an existing exchange or subquery is read again.
CREATE VIEW sql_plan_edge AS
SELECT log_id, plan_id, node_id AS from_node_id, parent_node_id AS to_node_id, 0 AS reused
FROM sql_plan_node
WHERE parent_node_id IS NOT NULL
UNION ALL
SELECT log_id, plan_id, from_node_id, to_node_id, 1 AS reused
FROM sql_plan_reuse;

-- Metrics that the nodes of a plan declare (the casts let SQLite index what it joins): position in the node's list, name as logged (match it whole, trimmed), type
-- sum average size timing nsTiming, v2Custom_... A plan has thousands: as rows of a table they took a fifth of all time.
CREATE VIEW sql_plan_metric AS
SELECT n.log_id, n.plan_id, n.node_id, CAST(m.value ->> 0 AS INTEGER) AS accumulator_id, m.key AS position, m.value ->> 1 AS name,
  m.value ->> 2 AS metric_type
FROM sql_plan_node n
JOIN json_each(n.metrics_json) m;
