/**
 * One type a table of schema.sql, columns spelled as there: one search finds a column from the schema to the rule.
 * test/store/database.test.ts holds these types to the schema.
 */

import type { Int } from "../json.ts";

export type { Int };

export interface LogRow {
  path: string;
  layout: string;
  codec: string;
  bytes: Int | null;
  uncompressed_bytes: Int;
  lines: Int;
  events: Int;
  task_ends: Int;
  bad_lines: Int;
  task_end_fallbacks: Int;
  first_time_ms: Int | null;
  last_time_ms: Int | null;
  slice: string | null;
  first_event_hash: string | null;
}

export interface LogPartRow {
  part: Int;
  path: string;
  codec: string;
  bytes: Int | null;
  uncompressed_bytes: Int;
  lines: Int;
}

export interface IngestIssueRow {
  code: string;
  severity: string;
  count: Int;
  part: Int | null;
  line: Int | null;
  byte_offset: Int | null;
  message: string;
}

export interface UnknownEventRow {
  event: string;
  lines: Int;
}

export interface LogStringRow {
  string_id: Int;
  text: string;
}

export interface ApplicationRow {
  application_id: string | null;
  attempt_id: string | null;
  name: string | null;
  spark_version: string | null;
  user: string | null;
  master: string | null;
  deploy_mode: string | null;
  start_time_ms: Int | null;
  end_time_ms: Int | null;
  exit_code: Int | null;
  starts: Int;
  engine: string | null;
  vendor: string | null;
}

export interface PropertyRow {
  kind: string;
  name: string;
  value: string;
}

export interface ResourceProfileRow {
  resource_profile_id: Int;
  kind: string;
  resource: string;
  amount: number | null;
}

export interface ProcessRow {
  process_id: string;
  time_ms: Int | null;
  host_port: string | null;
  cores: Int | null;
}

export interface ExecutorRow {
  executor_id: string;
  life: Int;
  host: string | null;
  total_cores: Int | null;
  resource_profile_id: Int | null;
  added_time_ms: Int | null;
  removed_time_ms: Int | null;
  removed_reason: string | null;
  removal_events: Int;
  removal_class: string | null;
  exit_code: Int | null;
  removal_detail: string | null;
  is_shutdown: Int;
  attributes_json: string | null;
  log_urls_json: string | null;
  max_memory_bytes: Int | null;
  max_onheap_memory_bytes: Int | null;
  max_offheap_memory_bytes: Int | null;
  port: Int | null;
  task_starts: Int;
  completed_tasks: Int;
  failed_tasks: Int;
  killed_tasks: Int;
  total_duration_ms: Int | null;
  total_gc_time_ms: Int | null;
  total_run_time_ms: Int | null;
  total_input_bytes: Int | null;
  total_shuffle_read_bytes: Int | null;
  total_shuffle_write_bytes: Int | null;
  is_excluded: Int;
}

export interface BlockManagerRow {
  executor_id: string;
  host: string | null;
  port: Int | null;
  added_time_ms: Int | null;
  removed_time_ms: Int | null;
  maximum_memory_bytes: Int | null;
  maximum_onheap_memory_bytes: Int | null;
  maximum_offheap_memory_bytes: Int | null;
}

export interface ExecutorPeakRow {
  executor_id: string;
  metric: string;
  value: Int;
}

export interface StageExecutorPeakRow {
  stage_id: Int;
  stage_attempt_id: Int;
  executor_id: string;
  metric: string;
  value: Int;
}

export interface ExclusionRow {
  time_ms: Int | null;
  kind: string;
  target: string;
  action: string;
  stage_id: Int | null;
  stage_attempt_id: Int | null;
  failures: Int | null;
}

export interface JobRow {
  job_id: Int;
  status: string;
  submission_time_ms: Int | null;
  completion_time_ms: Int | null;
  name: string | null;
  description: string | null;
  job_group: string | null;
  job_tags: string | null;
  pool: string | null;
  num_tasks: Int;
  execution_id: Int | null;
  root_execution_id: Int | null;
  streaming_query_id: string | null;
  streaming_batch_id: Int | null;
  failure: string | null;
  completed_tasks: Int;
  failed_tasks: Int;
  killed_tasks: Int;
  skipped_stages: Int;
  skipped_tasks: Int;
  completed_stages: Int;
  failed_stages: Int;
}

export interface JobStageRow {
  job_id: Int;
  stage_id: Int;
}

export interface StageRow {
  stage_id: Int;
  stage_attempt_id: Int;
  name: string | null;
  details: string | null;
  status: string;
  number_of_tasks: Int | null;
  submission_time_ms: Int | null;
  completion_time_ms: Int | null;
  first_task_launched_time_ms: Int | null;
  last_task_finished_time_ms: Int | null;
  failure_reason: string | null;
  parent_ids_json: string;
  resource_profile_id: Int | null;
  pool: string | null;
  shuffle_push_enabled: Int | null;
  own_time_ms: number | null;
  first_task_rowid: Int | null;
  last_task_rowid: Int | null;
  task_starts: Int;
  task_ends: Int;
  tasks: Int;
  completed_indices: Int;
  ended_indices: Int;
  succeeded: Int;
  failed: Int;
  killed: Int;
  speculative: Int;
  tasks_with_metrics: Int;
  spilling_tasks: Int;
  duration_sum_ms: Int | null;
  scheduler_delay_sum_ms: Int | null;
  executor_deserialize_time_ms: Int | null;
  executor_deserialize_cpu_time_ns: Int | null;
  executor_run_time_ms: Int | null;
  executor_cpu_time_ns: Int | null;
  peak_execution_memory_bytes: Int | null;
  result_size_bytes: Int | null;
  jvm_gc_time_ms: Int | null;
  result_serialization_time_ms: Int | null;
  memory_bytes_spilled: Int | null;
  disk_bytes_spilled: Int | null;
  remote_blocks_fetched: Int | null;
  local_blocks_fetched: Int | null;
  fetch_wait_time_ms: Int | null;
  remote_bytes_read: Int | null;
  local_bytes_read: Int | null;
  remote_bytes_read_to_disk: Int | null;
  shuffle_records_read: Int | null;
  remote_requests_duration_ms: Int | null;
  shuffle_bytes_read: Int | null;
  shuffle_bytes_written: Int | null;
  shuffle_write_time_ns: Int | null;
  shuffle_records_written: Int | null;
  input_bytes_read: Int | null;
  input_records_read: Int | null;
  output_bytes_written: Int | null;
  output_records_written: Int | null;
}

export interface StageDistributionRow {
  stage_id: Int;
  stage_attempt_id: Int;
  quantiles_json: string;
}

export interface StageExecutorRow {
  stage_id: Int;
  stage_attempt_id: Int;
  executor_id: string;
  host: string | null;
  succeeded: Int;
  failed: Int;
  killed: Int;
  duration_sum_ms: Int | null;
  executor_run_time_ms: Int | null;
  executor_cpu_time_ns: Int | null;
  jvm_gc_time_ms: Int | null;
  input_bytes_read: Int | null;
  output_bytes_written: Int | null;
  shuffle_bytes_read: Int | null;
  shuffle_bytes_written: Int | null;
  memory_bytes_spilled: Int | null;
  disk_bytes_spilled: Int | null;
}

export interface StageReportedRow {
  stage_id: Int;
  stage_attempt_id: Int;
  totals_json: string;
}

export interface StageAccumulableRow {
  stage_id: Int;
  stage_attempt_id: Int;
  accumulator_id: Int;
  name: string | null;
  value: string | null;
}

export interface IdleGapRow {
  start_time_ms: Int;
  end_time_ms: Int;
}

export interface TaskDataRow {
  stage_id: Int;
  stage_attempt_id: Int;
  task_id: Int;
  task_index: Int | null;
  attempt_number: Int | null;
  partition_id: Int | null;
  launch_time_ms: Int | null;
  finish_time_ms: Int | null;
  getting_result_time_ms: Int | null;
  executor: Int | null;
  host: Int | null;
  locality: Int | null;
  speculative: Int | null;
  status: Int;
  executor_deserialize_time_ms: Int | null;
  executor_deserialize_cpu_time_ns: Int | null;
  executor_run_time_ms: Int | null;
  executor_cpu_time_ns: Int | null;
  peak_execution_memory_bytes: Int | null;
  result_size_bytes: Int | null;
  jvm_gc_time_ms: Int | null;
  result_serialization_time_ms: Int | null;
  memory_bytes_spilled: Int | null;
  disk_bytes_spilled: Int | null;
  remote_blocks_fetched: Int | null;
  local_blocks_fetched: Int | null;
  fetch_wait_time_ms: Int | null;
  remote_bytes_read: Int | null;
  local_bytes_read: Int | null;
  remote_bytes_read_to_disk: Int | null;
  shuffle_records_read: Int | null;
  remote_requests_duration_ms: Int | null;
  shuffle_bytes_written: Int | null;
  shuffle_write_time_ns: Int | null;
  shuffle_records_written: Int | null;
  input_bytes_read: Int | null;
  input_records_read: Int | null;
  output_bytes_written: Int | null;
  output_records_written: Int | null;
}

export interface TaskExtraRow {
  task_id: Int;
  metric: string;
  value: Int;
}

export interface TaskFailureRow {
  task_id: Int;
  stage_id: Int;
  stage_attempt_id: Int;
  reason: string;
  counted_as: string;
  executor_id: string | null;
  host: string | null;
  finish_time_ms: Int | null;
  class_name: string | null;
  message: string | null;
  details: string | null;
  exit_caused_by_app: Int | null;
  shuffle_id: Int | null;
  map_id: Int | null;
  map_index: Int | null;
  reduce_id: Int | null;
  failed_executor_id: string | null;
  duration_ms: Int | null;
  executor_run_time_ms: Int | null;
}

export interface RddRow {
  rdd_id: Int;
  name: string | null;
  callsite: string | null;
  scope: string | null;
  storage_level: string | null;
  use_disk: Int;
  use_memory: Int;
  number_of_partitions: Int | null;
  unpersisted: Int;
  cached_partitions: Int | null;
  max_cached_partitions: Int | null;
  evicted_blocks: Int | null;
  memory_size_bytes: Int | null;
  disk_size_bytes: Int | null;
}

export interface StageRddRow {
  stage_id: Int;
  stage_attempt_id: Int;
  rdd_id: Int;
}

export interface SqlExecutionRow {
  execution_id: Int;
  root_execution_id: Int;
  description: string | null;
  details: string | null;
  start_time_ms: Int | null;
  end_time_ms: Int | null;
  error_message: string | null;
  status: string;
  job_tags: string | null;
  job_group: string | null;
  engine: string;
  plan_versions: Int;
  initial_plan_id: Int | null;
  plan_id: Int | null;
  final_plan: Int | null;
  shuffle_exchanges: Int;
  broadcast_exchanges: Int;
  single_partition_exchanges: Int;
  reused_exchanges: Int;
  cached_shuffle_exchanges: Int;
  hidden_shuffles: Int;
  joins_json: string;
  initial_joins_json: string;
  aqe_reads: Int;
  aqe_coalesced_reads: Int;
  aqe_skewed_reads: Int;
  aqe_local_reads: Int;
  aqe_skew_joins: Int;
  exchange_bytes_written: Int | null;
  exchange_bytes_read: Int | null;
  exchange_rows_written: Int | null;
  exchange_rows_read: Int | null;
  broadcast_bytes: Int | null;
  avoidable_exchanges: Int;
}

export interface SqlModifiedConfigRow {
  execution_id: Int;
  name: string;
  value: string;
}

/** Text, or its UTF-8 bytes in memory that need not outlive the call. */
export type Utf8 = string | Uint8Array;

export interface SqlPlanRow {
  plan_id: Int;
  tree_json: Utf8;
  description: string | null;
}

export interface SqlPlanVersionRow {
  execution_id: Int;
  version: Int;
  plan_id: Int;
  is_final: Int;
}

export interface SqlPlanNodeRow {
  plan_id: Int;
  node_id: Int;
  parent_node_id: Int | null;
  cluster_node_id: Int | null;
  codegen_id: Int | null;
  name: string;
  kind: string;
  simple_string: string;
  metadata_json: string | null;
  in_cache: Int;
  in_subquery: Int;
  in_reused: Int;
  metrics_json: string | null;
}

export interface SqlPlanReuseRow {
  plan_id: Int;
  position: Int;
  from_node_id: Int;
  to_node_id: Int;
}

export interface SqlMetricRow {
  execution_id: Int;
  accumulator_id: Int;
  metric_type: string;
  total: Int | null;
  min: Int | null;
  median: Int | null;
  max: Int | null;
  max_stage_id: Int | null;
  max_stage_attempt_id: Int | null;
  max_task_id: Int | null;
  text: string;
}

export interface StageSqlMetricRow {
  stage_id: Int;
  stage_attempt_id: Int;
  accumulator_id: Int;
  tasks: Int;
  total: Int | null;
  median: Int | null;
  max: Int | null;
  max_task_id: Int | null;
}

export interface SqlExchangeRow {
  execution_id: Int;
  node_id: Int;
  kind: string;
  scheme: string;
  keys: string;
  origin: string | null;
  configured_partitions: Int | null;
  effective_partitions: Int | null;
  coalesced: Int;
  skew_split: Int;
  local_read: Int;
  data_bytes: Int | null;
  bytes_written: Int | null;
  rows_written: Int | null;
  bytes_read: Int | null;
  rows_read: Int | null;
  fetch_wait_ms: Int | null;
  readers: Int;
  consumer_node_id: Int | null;
  consumer_kind: string | null;
  why: string;
  avoidable: string | null;
  avoidable_why: string | null;
  in_cache: Int;
  in_subquery: Int;
}

export interface SqlJoinRow {
  execution_id: Int;
  node_id: Int;
  kind: string;
  join_type: string | null;
  build_side: string | null;
  left_keys: string;
  right_keys: string;
  left_exchange_node_id: Int | null;
  left_bytes: Int | null;
  left_rows: Int | null;
  right_exchange_node_id: Int | null;
  right_bytes: Int | null;
  right_rows: Int | null;
  output_rows: Int | null;
  build_time_ms: Int | null;
  spill_bytes: Int | null;
  skew: Int;
  changed_from: string | null;
  in_cache: Int;
  in_subquery: Int;
}

export interface SqlScanRow {
  execution_id: Int;
  node_id: Int;
  relation: string;
  format: string | null;
  location: string | null;
  partition_filters: string | null;
  pushed_filters: string | null;
  data_filters: string | null;
  partitioned: Int | null;
  files_read: Int | null;
  bytes_read: Int | null;
  partitions_read: Int | null;
  output_rows: Int | null;
  metadata_time_ms: Int | null;
  scan_time_ms: Int | null;
  in_cache: Int;
  in_subquery: Int;
}

export interface SqlPlacementRow {
  execution_id: Int;
  node_id: Int;
  kind: string;
  detail: string;
  below_node_id: Int | null;
  rows_in: Int | null;
  rows_out: Int | null;
  bytes: Int | null;
  time_ms: Int | null;
}

export interface StreamingQueryRow {
  run_id: string;
  query_id: string | null;
  name: string | null;
  start_time_ms: Int | null;
  end_time_ms: Int | null;
  terminated: Int;
  exception: string | null;
}

export interface StreamingProgressRow {
  run_id: string;
  batch_id: Int;
  trigger_time_ms: Int | null;
  batch_duration_ms: Int | null;
  input_rows: Int | null;
  input_rows_per_second: number | null;
  processed_rows_per_second: number | null;
  watermark_ms: Int | null;
  max_event_time_ms: Int | null;
  sink: string | null;
  output_rows: Int | null;
  duration_ms_json: string | null;
}

export interface StreamingStateOperatorRow {
  run_id: string;
  batch_id: Int;
  operator: Int;
  operator_name: string | null;
  rows_total: Int | null;
  rows_updated: Int | null;
  rows_removed: Int | null;
  rows_dropped_by_watermark: Int | null;
  memory_used_bytes: Int | null;
  commit_time_ms: Int | null;
  state_store: string | null;
}

export interface StreamingSourceRow {
  run_id: string;
  batch_id: Int;
  source: Int;
  description: string | null;
  input_rows: Int | null;
  input_rows_per_second: number | null;
  processed_rows_per_second: number | null;
}

/** Rows by table name, without log_id, which the writer adds. */
export interface Tables {
  log: LogRow;
  log_part: LogPartRow;
  ingest_issue: IngestIssueRow;
  unknown_event: UnknownEventRow;
  log_string: LogStringRow;
  application: ApplicationRow;
  property: PropertyRow;
  resource_profile: ResourceProfileRow;
  process: ProcessRow;
  executor: ExecutorRow;
  block_manager: BlockManagerRow;
  executor_peak: ExecutorPeakRow;
  stage_executor_peak: StageExecutorPeakRow;
  exclusion: ExclusionRow;
  job: JobRow;
  job_stage: JobStageRow;
  stage: StageRow;
  stage_distribution: StageDistributionRow;
  stage_executor: StageExecutorRow;
  stage_reported: StageReportedRow;
  stage_accumulable: StageAccumulableRow;
  idle_gap: IdleGapRow;
  task_data: TaskDataRow;
  task_extra: TaskExtraRow;
  task_failure: TaskFailureRow;
  rdd: RddRow;
  stage_rdd: StageRddRow;
  sql_execution: SqlExecutionRow;
  sql_modified_config: SqlModifiedConfigRow;
  sql_plan: SqlPlanRow;
  sql_plan_version: SqlPlanVersionRow;
  sql_plan_node: SqlPlanNodeRow;
  sql_plan_reuse: SqlPlanReuseRow;
  sql_metric: SqlMetricRow;
  stage_sql_metric: StageSqlMetricRow;
  sql_exchange: SqlExchangeRow;
  sql_join: SqlJoinRow;
  sql_scan: SqlScanRow;
  sql_placement: SqlPlacementRow;
  streaming_query: StreamingQueryRow;
  streaming_progress: StreamingProgressRow;
  streaming_state_operator: StreamingStateOperatorRow;
  streaming_source: StreamingSourceRow;
}

export type TableName = keyof Tables;

/** Takes rows of one log; the store batches them into the database. */
export interface RowSink {
  /** Adds a row. A second row with the same key replaces the first. */
  insert<T extends TableName>(table: T, row: Tables[T]): void;
}
