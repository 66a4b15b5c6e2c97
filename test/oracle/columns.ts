/** REST field -> column, for every number that is a plain copy on both sides. */

/** Fields of a stage attempt and columns of `stage`. */
export const STAGE = {
  numTasks: "number_of_tasks",
  numCompleteTasks: "succeeded",
  numFailedTasks: "failed",
  numKilledTasks: "killed",
  numCompletedIndices: "completed_indices",
  resourceProfileId: "resource_profile_id",
  executorDeserializeTime: "executor_deserialize_time_ms",
  executorDeserializeCpuTime: "executor_deserialize_cpu_time_ns",
  executorRunTime: "executor_run_time_ms",
  executorCpuTime: "executor_cpu_time_ns",
  resultSize: "result_size_bytes",
  jvmGcTime: "jvm_gc_time_ms",
  resultSerializationTime: "result_serialization_time_ms",
  memoryBytesSpilled: "memory_bytes_spilled",
  diskBytesSpilled: "disk_bytes_spilled",
  peakExecutionMemory: "peak_execution_memory_bytes",
  inputBytes: "input_bytes_read",
  inputRecords: "input_records_read",
  outputBytes: "output_bytes_written",
  outputRecords: "output_records_written",
  shuffleRemoteBlocksFetched: "remote_blocks_fetched",
  shuffleLocalBlocksFetched: "local_blocks_fetched",
  shuffleFetchWaitTime: "fetch_wait_time_ms",
  shuffleRemoteBytesRead: "remote_bytes_read",
  shuffleRemoteBytesReadToDisk: "remote_bytes_read_to_disk",
  shuffleLocalBytesRead: "local_bytes_read",
  shuffleReadBytes: "shuffle_bytes_read",
  shuffleReadRecords: "shuffle_records_read",
  shuffleRemoteReqsDuration: "remote_requests_duration_ms",
  shuffleWriteBytes: "shuffle_bytes_written",
  shuffleWriteTime: "shuffle_write_time_ns",
  shuffleWriteRecords: "shuffle_records_written",
  name: "name",
  details: "details",
} as const;

/** Paths below `taskMetricsDistributions` and metrics of `stage_quantile`. */
export const QUANTILE = {
  duration: "duration_ms",
  executorDeserializeTime: "executor_deserialize_time_ms",
  executorDeserializeCpuTime: "executor_deserialize_cpu_time_ns",
  executorRunTime: "executor_run_time_ms",
  executorCpuTime: "executor_cpu_time_ns",
  resultSize: "result_size_bytes",
  jvmGcTime: "jvm_gc_time_ms",
  resultSerializationTime: "result_serialization_time_ms",
  gettingResultTime: "getting_result_duration_ms",
  schedulerDelay: "scheduler_delay_ms",
  peakExecutionMemory: "peak_execution_memory_bytes",
  memoryBytesSpilled: "memory_bytes_spilled",
  diskBytesSpilled: "disk_bytes_spilled",
  "inputMetrics.bytesRead": "input_bytes_read",
  "inputMetrics.recordsRead": "input_records_read",
  "outputMetrics.bytesWritten": "output_bytes_written",
  "outputMetrics.recordsWritten": "output_records_written",
  "shuffleReadMetrics.readBytes": "shuffle_bytes_read",
  "shuffleReadMetrics.readRecords": "shuffle_records_read",
  "shuffleReadMetrics.remoteBlocksFetched": "remote_blocks_fetched",
  "shuffleReadMetrics.localBlocksFetched": "local_blocks_fetched",
  "shuffleReadMetrics.totalBlocksFetched": "total_blocks_fetched",
  "shuffleReadMetrics.fetchWaitTime": "fetch_wait_time_ms",
  "shuffleReadMetrics.remoteBytesRead": "remote_bytes_read",
  "shuffleReadMetrics.remoteBytesReadToDisk": "remote_bytes_read_to_disk",
  "shuffleReadMetrics.remoteReqsDuration": "remote_requests_duration_ms",
  "shuffleWriteMetrics.writeBytes": "shuffle_bytes_written",
  "shuffleWriteMetrics.writeRecords": "shuffle_records_written",
  "shuffleWriteMetrics.writeTime": "shuffle_write_time_ns",
} as const;

/** Fields of a task and columns of the view `task`. */
export const TASK = {
  index: "task_index",
  attempt: "attempt_number",
  partitionId: "partition_id",
  executorId: "executor_id",
  host: "host",
  taskLocality: "locality",
  schedulerDelay: "scheduler_delay_ms",
  gettingResultTime: "getting_result_duration_ms",
} as const;

/** Paths below a task's `taskMetrics` and columns of the view `task`. */
export const TASK_METRIC = {
  executorDeserializeTime: "executor_deserialize_time_ms",
  executorDeserializeCpuTime: "executor_deserialize_cpu_time_ns",
  executorRunTime: "executor_run_time_ms",
  executorCpuTime: "executor_cpu_time_ns",
  resultSize: "result_size_bytes",
  jvmGcTime: "jvm_gc_time_ms",
  resultSerializationTime: "result_serialization_time_ms",
  memoryBytesSpilled: "memory_bytes_spilled",
  diskBytesSpilled: "disk_bytes_spilled",
  peakExecutionMemory: "peak_execution_memory_bytes",
  "inputMetrics.bytesRead": "input_bytes_read",
  "inputMetrics.recordsRead": "input_records_read",
  "outputMetrics.bytesWritten": "output_bytes_written",
  "outputMetrics.recordsWritten": "output_records_written",
  "shuffleReadMetrics.remoteBlocksFetched": "remote_blocks_fetched",
  "shuffleReadMetrics.localBlocksFetched": "local_blocks_fetched",
  "shuffleReadMetrics.fetchWaitTime": "fetch_wait_time_ms",
  "shuffleReadMetrics.remoteBytesRead": "remote_bytes_read",
  "shuffleReadMetrics.remoteBytesReadToDisk": "remote_bytes_read_to_disk",
  "shuffleReadMetrics.localBytesRead": "local_bytes_read",
  "shuffleReadMetrics.recordsRead": "shuffle_records_read",
  "shuffleReadMetrics.remoteReqsDuration": "remote_requests_duration_ms",
  "shuffleWriteMetrics.bytesWritten": "shuffle_bytes_written",
  "shuffleWriteMetrics.writeTime": "shuffle_write_time_ns",
  "shuffleWriteMetrics.recordsWritten": "shuffle_records_written",
} as const;

/** Fields of a stage's `executorSummary` and columns of `stage_executor`. */
export const STAGE_EXECUTOR = {
  taskTime: "duration_sum_ms",
  succeededTasks: "succeeded",
  failedTasks: "failed",
  killedTasks: "killed",
  inputBytes: "input_bytes_read",
  outputBytes: "output_bytes_written",
  shuffleRead: "shuffle_bytes_read",
  shuffleWrite: "shuffle_bytes_written",
  memoryBytesSpilled: "memory_bytes_spilled",
  diskBytesSpilled: "disk_bytes_spilled",
} as const;

/** Fields of a job and columns of `job`. */
export const JOB = {
  name: "name",
  description: "description",
  jobGroup: "job_group",
  numTasks: "num_tasks",
  numCompletedTasks: "completed_tasks",
  numFailedTasks: "failed_tasks",
  numKilledTasks: "killed_tasks",
  numSkippedTasks: "skipped_tasks",
  numCompletedStages: "completed_stages",
  numFailedStages: "failed_stages",
  numSkippedStages: "skipped_stages",
} as const;

/** Fields of an executor and columns of `executor`, in its latest life. */
export const EXECUTOR = {
  totalCores: "total_cores",
  removeReason: "removed_reason",
  maxMemory: "max_memory_bytes",
  resourceProfileId: "resource_profile_id",
} as const;

/** Fields of an executor and columns of `executor`, added up over its lives. */
export const EXECUTOR_SUM = {
  totalTasks: "task_starts",
  completedTasks: "completed_tasks",
  failedTasks: "failed_tasks",
  totalDuration: "total_duration_ms",
  totalGCTime: "total_gc_time_ms",
  totalInputBytes: "total_input_bytes",
  totalShuffleRead: "total_shuffle_read_bytes",
  totalShuffleWrite: "total_shuffle_write_bytes",
} as const;

/** Fields of a persisted RDD and columns of `rdd`. */
export const RDD = {
  name: "name",
  numPartitions: "number_of_partitions",
  numCachedPartitions: "cached_partitions",
  storageLevel: "storage_level",
  memoryUsed: "memory_size_bytes",
  diskUsed: "disk_size_bytes",
} as const;
