import type { PlanMetric } from "./plan.ts";

/** The text of single events as Spark 3.5 writes them: key order, spacing and all. */

export interface Executor {
  id: string;
  host: string;
  cores: number;
}

export interface StageText {
  stageId: number;
  attempt: number;
  name: string;
  tasks: number;
  rdds: number[];
  parents: number[];
}

/** One ended or started task: what varies from line to line. Bytes, ms and ns as in Spark. */
export interface TaskText {
  stageId: number;
  stageAttempt: number;
  type: "ShuffleMapTask" | "ResultTask";
  taskId: number;
  index: number;
  attempt: number;
  launch: number;
  finish: number;
  executor: Executor;
  locality: string;
  speculative: boolean;
  gettingResult: number;
}

export interface TaskMetrics {
  deserialize: number;
  deserializeCpu: number;
  run: number;
  cpu: number;
  peakMemory: number;
  resultSize: number;
  gc: number;
  resultSerialization: number;
  memorySpilled: number;
  diskSpilled: number;
  remoteBlocks: number;
  localBlocks: number;
  fetchWait: number;
  remoteBytes: number;
  localBytes: number;
  recordsRead: number;
  remoteRequests: number;
  shuffleBytes: number;
  shuffleTime: number;
  shuffleRecords: number;
  inputBytes: number;
  inputRecords: number;
  outputBytes: number;
  outputRecords: number;
}

export const ZERO_METRICS: Readonly<TaskMetrics> = {
  deserialize: 0,
  deserializeCpu: 0,
  run: 0,
  cpu: 0,
  peakMemory: 0,
  resultSize: 0,
  gc: 0,
  resultSerialization: 0,
  memorySpilled: 0,
  diskSpilled: 0,
  remoteBlocks: 0,
  localBlocks: 0,
  fetchWait: 0,
  remoteBytes: 0,
  localBytes: 0,
  recordsRead: 0,
  remoteRequests: 0,
  shuffleBytes: 0,
  shuffleTime: 0,
  shuffleRecords: 0,
  inputBytes: 0,
  inputRecords: 0,
  outputBytes: 0,
  outputRecords: 0,
};

/** internal.metrics names, in the order of their accumulators, with the metric each repeats. */
export const INTERNAL_METRICS: readonly (readonly [string, keyof TaskMetrics])[] = [
  ["executorDeserializeTime", "deserialize"],
  ["executorDeserializeCpuTime", "deserializeCpu"],
  ["executorRunTime", "run"],
  ["executorCpuTime", "cpu"],
  ["resultSize", "resultSize"],
  ["jvmGCTime", "gc"],
  ["resultSerializationTime", "resultSerialization"],
  ["memoryBytesSpilled", "memorySpilled"],
  ["diskBytesSpilled", "diskSpilled"],
  ["peakExecutionMemory", "peakMemory"],
  ["shuffle.read.remoteBlocksFetched", "remoteBlocks"],
  ["shuffle.read.localBlocksFetched", "localBlocks"],
  ["shuffle.read.remoteBytesRead", "remoteBytes"],
  ["shuffle.read.localBytesRead", "localBytes"],
  ["shuffle.read.fetchWaitTime", "fetchWait"],
  ["shuffle.read.recordsRead", "recordsRead"],
  ["shuffle.read.remoteReqsDuration", "remoteRequests"],
  ["shuffle.write.bytesWritten", "shuffleBytes"],
  ["shuffle.write.recordsWritten", "shuffleRecords"],
  ["shuffle.write.writeTime", "shuffleTime"],
  ["input.bytesRead", "inputBytes"],
  ["input.recordsRead", "inputRecords"],
  ["output.bytesWritten", "outputBytes"],
  ["output.recordsWritten", "outputRecords"],
];

const DETAILS = Array.from(
  { length: 14 },
  (_, frame) => `org.apache.spark.sql.Dataset.frame${frame}(Dataset.scala:${3000 + frame})`,
).join("\\n");

export function stageInfo(stage: StageText, extra = ""): string {
  const rdds = stage.rdds.map(
    (id, index) =>
      `{"RDD ID":${id},"Name":"MapPartitionsRDD","Scope":"{\\"id\\":\\"${id}\\",\\"name\\":\\"WholeStageCodegen (${index + 1})\\"}","Callsite":"${stage.name}","Parent IDs":[${stage.rdds.slice(index + 1, index + 2).join()}],"Storage Level":{"Use Disk":false,"Use Memory":false,"Use Off Heap":false,"Deserialized":false,"Replication":1},"Barrier":false,"DeterministicLevel":"DETERMINATE","Number of Partitions":${stage.tasks},"Number of Cached Partitions":0,"Memory Size":0,"Disk Size":0}`,
  );
  return `{"Stage ID":${stage.stageId},"Stage Attempt ID":${stage.attempt},"Stage Name":"${stage.name}","Number of Tasks":${stage.tasks},"RDD Info":[${rdds.join()}],"Parent IDs":[${stage.parents.join()}],"Details":"${DETAILS}"${extra},"Resource Profile Id":0,"Shuffle Push Enabled":false,"Shuffle Push Mergers Count":0}`;
}

/** Accumulables of StageCompleted: final values only. */
export function stageAccumulables(
  totals: readonly { id: number; name: string; value: number; sql: boolean }[],
): string {
  return totals
    .map((total) =>
      total.sql
        ? `{"ID":${total.id},"Name":"${total.name}","Value":"${total.value}","Internal":true,"Count Failed Values":true,"Metadata":"sql"}`
        : `{"ID":${total.id},"Name":"internal.metrics.${total.name}","Value":${total.value},"Internal":true,"Count Failed Values":true}`,
    )
    .join();
}

function taskInfo(
  task: TaskText,
  finish: number,
  gettingResult: number,
  flags: string,
  accumulables: string,
): string {
  return `"Task Info":{"Task ID":${task.taskId},"Index":${task.index},"Attempt":${task.attempt},"Partition ID":${task.index},"Launch Time":${task.launch},"Executor ID":"${task.executor.id}","Host":"${task.executor.host}","Locality":"${task.locality}","Speculative":${task.speculative},"Getting Result Time":${gettingResult},"Finish Time":${finish},${flags},"Accumulables":[${accumulables}]}`;
}

const ALIVE = '"Failed":false,"Killed":false';

export function taskStart(task: TaskText): string {
  return `{"Event":"SparkListenerTaskStart","Stage ID":${task.stageId},"Stage Attempt ID":${task.stageAttempt},${taskInfo(task, 0, 0, ALIVE, "")}}`;
}

export function taskGettingResult(task: TaskText): string {
  return `{"Event":"SparkListenerTaskGettingResult",${taskInfo(task, 0, task.gettingResult, ALIVE, "")}}`;
}

/**
 * @param reason the text of Task End Reason
 * @param metrics null for ends that bring none back (lost executors, fetch failures)
 */
export function taskEnd(
  task: TaskText,
  reason: string,
  flags: string,
  accumulables: string,
  peaks: string,
  metrics: Readonly<TaskMetrics> | null,
): string {
  const head = `{"Event":"SparkListenerTaskEnd","Stage ID":${task.stageId},"Stage Attempt ID":${task.stageAttempt},"Task Type":"${task.type}","Task End Reason":${reason},`;
  const tail = metrics ? `,"Task Metrics":${taskMetrics(metrics)}}` : "}";
  return `${head}${taskInfo(task, task.finish, task.gettingResult, flags, accumulables)},"Task Executor Metrics":${peaks}${tail}`;
}

export const SUCCESS = '{"Reason":"Success"}';
export const SUCCESS_FLAGS = ALIVE;

function taskMetrics(m: Readonly<TaskMetrics>): string {
  return `{"Executor Deserialize Time":${m.deserialize},"Executor Deserialize CPU Time":${m.deserializeCpu},"Executor Run Time":${m.run},"Executor CPU Time":${m.cpu},"Peak Execution Memory":${m.peakMemory},"Result Size":${m.resultSize},"JVM GC Time":${m.gc},"Result Serialization Time":${m.resultSerialization},"Memory Bytes Spilled":${m.memorySpilled},"Disk Bytes Spilled":${m.diskSpilled},"Shuffle Read Metrics":{"Remote Blocks Fetched":${m.remoteBlocks},"Local Blocks Fetched":${m.localBlocks},"Fetch Wait Time":${m.fetchWait},"Remote Bytes Read":${m.remoteBytes},"Remote Bytes Read To Disk":0,"Local Bytes Read":${m.localBytes},"Total Records Read":${m.recordsRead},"Remote Requests Duration":${m.remoteRequests},"Push Based Shuffle":{"Corrupt Merged Block Chunks":0,"Merged Fetch Fallback Count":0,"Merged Remote Blocks Fetched":0,"Merged Local Blocks Fetched":0,"Merged Remote Chunks Fetched":0,"Merged Local Chunks Fetched":0,"Merged Remote Bytes Read":0,"Merged Local Bytes Read":0,"Merged Remote Requests Duration":0}},"Shuffle Write Metrics":{"Shuffle Bytes Written":${m.shuffleBytes},"Shuffle Write Time":${m.shuffleTime},"Shuffle Records Written":${m.shuffleRecords}},"Input Metrics":{"Bytes Read":${m.inputBytes},"Records Read":${m.inputRecords}},"Output Metrics":{"Bytes Written":${m.outputBytes},"Records Written":${m.outputRecords}},"Updated Blocks":[]}`;
}

export function executorMetrics(
  heap: number,
  offHeap: number,
  execution: number,
  storage: number,
  gcs: number,
  gcTime: number,
): string {
  return `{"JVMHeapMemory":${heap},"JVMOffHeapMemory":${offHeap},"OnHeapExecutionMemory":${execution},"OffHeapExecutionMemory":0,"OnHeapStorageMemory":${storage},"OffHeapStorageMemory":0,"OnHeapUnifiedMemory":${execution + storage},"OffHeapUnifiedMemory":0,"DirectPoolMemory":23247543,"MappedPoolMemory":0,"ProcessTreeJVMVMemory":0,"ProcessTreeJVMRSSMemory":0,"ProcessTreePythonVMemory":0,"ProcessTreePythonRSSMemory":0,"ProcessTreeOtherVMemory":0,"ProcessTreeOtherRSSMemory":0,"MinorGCCount":${gcs},"MinorGCTime":${gcTime},"MajorGCCount":0,"MajorGCTime":0,"TotalGCTime":${gcTime}}`;
}

/** "No values": what ends without metrics carry. */
export const NO_EXECUTOR_METRICS = executorMetrics(-1, 0, 0, 0, 0, 0).replace(
  '"DirectPoolMemory":23247543',
  '"DirectPoolMemory":0',
);

export function accumulable(id: number, name: string, update: number, value: number): string {
  return `{"ID":${id},"Name":"internal.metrics.${name}","Update":${update},"Value":${value},"Internal":true,"Count Failed Values":true}`;
}

export function sqlAccumulable(metric: PlanMetric, update: number, value: number): string {
  return `{"ID":${metric.accumulatorId},"Name":"${metric.name}","Update":"${update}","Value":"${value}","Internal":true,"Count Failed Values":true,"Metadata":"sql"}`;
}

export function executorAdded(executor: Executor, time: number): string {
  const log = `http://${executor.host}:8042/node/containerlogs/container_1_${executor.id}/spark`;
  return `{"Event":"SparkListenerExecutorAdded","Timestamp":${time},"Executor ID":"${executor.id}","Executor Info":{"Host":"${executor.host}","Total Cores":${executor.cores},"Log Urls":{"stdout":"${log}/stdout?start=-4096","stderr":"${log}/stderr?start=-4096"},"Attributes":{"NM_HOST":"${executor.host}","CONTAINER_ID":"container_1_${executor.id}"},"Resources":{},"Resource Profile Id":0,"Registration Time":${time}}}`;
}

export function blockManagerAdded(executor: Executor, time: number): string {
  return `{"Event":"SparkListenerBlockManagerAdded","Block Manager ID":{"Executor ID":"${executor.id}","Host":"${executor.host}","Port":39047},"Maximum Memory":25581060096,"Timestamp":${time},"Maximum Onheap Memory":25581060096,"Maximum Offheap Memory":0}`;
}
