import type { IssueLog } from "../issues.ts";
import { isObject, text } from "../json.ts";
import { initialJoins } from "../plan/joins.ts";
import { planGraph } from "../plan/plan-graph.ts";
import { type PlanSummary, summarizePlan } from "../plan/plan-summary.ts";
import { preOrder, readMetric } from "../plan/plan-tree.ts";
import type { MetricTotals } from "../plan/plan-walk.ts";
import { ScratchFile } from "../scratch-file.ts";
import type { RowSink, SqlExecutionRow } from "../store/rows.ts";
import type { TaskBatch, TaskConsumer } from "../tasks/task-batch.ts";
import { TASK_COLUMN, TASK_STATUS } from "../tasks/task-batch.ts";
import { HeldPlans } from "./held-plans.ts";
import { IdSet } from "./id-set.ts";
import { OpenExecutions } from "./open-executions.ts";
import { scalaSetOrder } from "./scala-set-order.ts";
import { readInteger, readLong, readStart, readTime, type SqlExecution } from "./sql-execution.ts";
import { type ExchangeSums, exchangeSums, writeSqlFacts } from "./sql-facts.ts";
import { writeMetrics, writeStageMetric } from "./sql-metrics.ts";
import { type PlanVersion, SqlPlans } from "./sql-plans.ts";
import type { SqlStage, StageKey, Updates } from "./sql-stage.ts";
import { UpdateBudget } from "./update-log.ts";

/** Bytes of accumulator values held in memory; the rest waits in a temporary file. */
export const VALUES_IN_MEMORY = 48 * 1024 ** 2;

/** What may be held in memory; the defaults are for use, other values for tests. */
export interface SqlMemory {
  /** Bytes of accumulator values. */
  values?: number;
  /** Executions that are not folded. */
  executions?: number;
}

/** What the plan that ran holds and moved. */
interface RanPlan {
  summary: PlanSummary;
  sums: ExchangeSums;
}

/** A stage as JobStart lists it. */
export interface JobStage {
  stageId: number;
  numberOfTasks: number;
}

/**
 * SQL executions: plans, metrics and what ran, folded into rows when an execution's end and all its job ends were
 * read, as the History Server does. Events come in log order: the tasks read so far must be handed on (tasks) before
 * any other event of the same log is.
 */
export class SqlModel implements TaskConsumer {
  readonly #rows: RowSink;
  readonly #issues: IssueLog;
  readonly #scratch = new ScratchFile();
  readonly #plans: SqlPlans;
  readonly #held = new HeldPlans(this.#scratch);
  readonly #open: OpenExecutions;
  readonly #folded = new IdSet();
  /** Execution ids of running jobs. */
  readonly #executionOfJob = new Map<number, number>();

  constructor(rows: RowSink, issues: IssueLog, memory: SqlMemory = {}) {
    this.#rows = rows;
    this.#issues = issues;
    const budget = new UpdateBudget(memory.values ?? VALUES_IN_MEMORY, this.#scratch);
    this.#open = new OpenExecutions(budget, this.#scratch, memory.executions);
    this.#plans = new SqlPlans(rows);
  }

  /** SparkListenerSQLExecutionStart. */
  executionStart(json: unknown): void {
    const event = this.#event(json);
    if (!event) return;
    const { execution } = event;
    if (execution.facts.start) {
      this.#issues.add("duplicate-events", "SQL executions were started twice; the first start counts");
      return;
    }
    const start = readStart(event.json, execution.id);
    execution.facts.start = start;
    for (const [name, value] of start.modifiedConfigs) {
      this.#rows.insert("sql_modified_config", { execution_id: execution.id, name, value });
    }
    this.#planVersion(execution, event.json);
  }

  /** SparkListenerSQLAdaptiveExecutionUpdate: a plan that replaces the one before. */
  adaptiveExecutionUpdate(json: unknown): void {
    const event = this.#event(json);
    if (event) this.#planVersion(event.execution, event.json);
  }

  /** SparkListenerSQLAdaptiveSQLMetricUpdates: further metrics, of nodes no full update is sent for. */
  adaptiveMetricUpdates(json: unknown): void {
    const event = this.#event(json);
    if (!event || !Array.isArray(event.json.sqlPlanMetrics)) return;
    event.execution.declare(event.json.sqlPlanMetrics.flatMap(readMetric));
    this.#recheck(event.execution);
  }

  /** SparkListenerDriverAccumUpdates: pairs of accumulator id and value. */
  driverAccumUpdates(json: unknown): void {
    const event = this.#event(json);
    if (!event || !Array.isArray(event.json.accumUpdates)) return;
    for (const pair of event.json.accumUpdates) {
      const id = Array.isArray(pair) ? readInteger(pair[0]) : null;
      const value = Array.isArray(pair) ? readLong(pair[1]) : null;
      if (id === null || value === null) this.#badValue("a driver metric update that is no pair of integers");
      else event.execution.addDriverValue(id, value);
    }
  }

  /** SparkListenerSQLExecutionEnd. */
  executionEnd(json: unknown): void {
    const id = isObject(json) ? readInteger(json.executionId) : null;
    const execution = id === null ? undefined : this.#open.get(id);
    if (!execution || !isObject(json)) {
      if (id === null || !this.#folded.has(id)) {
        this.#issues.add("event-loss", "SQL executions ended without a start", {}, "sql-end-without-start");
      }
      return;
    }
    execution.facts.ended = true;
    execution.facts.endTime = readTime(json.time);
    execution.facts.errorMessage = text(json.errorMessage);
    this.#foldIfDone(execution);
  }

  /** A job and the stages it lists; executionId from its property spark.sql.execution.id. */
  jobStart(jobId: number, executionId: number | null, stages: readonly JobStage[]): void {
    if (executionId === null || this.#folded.has(executionId)) return;
    const execution = this.#open.getOrAdd(executionId);
    execution.facts.jobs.set(jobId, null);
    this.#executionOfJob.set(jobId, executionId);
    for (const { stageId, numberOfTasks } of stages) {
      execution.facts.stageIds.add(stageId);
      this.#beginStage({ executionId, stageId, attemptId: 0, numberOfTasks }, execution);
    }
  }

  /** A new attempt starts with empty slots, as many as the first attempt had tasks. */
  stageSubmitted(stageId: number, stageAttemptId: number, numberOfTasks: number): void {
    const key = this.#open.stage(stageId)?.key;
    const execution = key && this.#open.get(key.executionId);
    if (!execution || key.attemptId === stageAttemptId) return;
    const slots = key.numberOfTasks || numberOfTasks;
    this.#beginStage({ ...key, attemptId: stageAttemptId, numberOfTasks: slots }, execution);
  }

  jobEnd(jobId: number, succeeded: boolean): void {
    const executionId = this.#executionOfJob.get(jobId);
    const execution = executionId === undefined ? undefined : this.#open.get(executionId);
    if (!execution) return;
    this.#executionOfJob.delete(jobId);
    execution.facts.jobs.set(jobId, succeeded);
    this.#foldIfDone(execution);
  }

  tasks(batch: TaskBatch): void {
    const stageIds = batch.column("stage_id");
    const attemptIds = batch.column("stage_attempt_id");
    const updates = { ids: batch.accumulatorIds, values: batch.accumulatorUpdates, large: batch.bigUpdates };
    let stage: SqlStage | undefined;
    let stageId = Number.NaN;
    for (let row = 0; row < batch.rows; row++) {
      if (batch.accumulatorStart[row] === batch.accumulatorStart[row + 1]) continue;
      if (stageIds[row] !== stageId) {
        stageId = stageIds[row] ?? Number.NaN;
        stage = this.#open.stage(stageId);
      }
      if (stage && stage.key.attemptId === attemptIds[row]) this.#addTask(stage, batch, row, updates);
    }
  }

  /** Folds what never ended and frees everything. */
  finish(): void {
    for (const id of this.#open.ids()) {
      const execution = this.#open.get(id);
      if (execution) this.#fold(execution);
    }
    this.#scratch.close();
  }

  #addTask(stage: SqlStage, batch: TaskBatch, row: number, updates: Updates): void {
    const index = batch.columns[TASK_COLUMN.task_index]?.[row] ?? -1;
    if (!stage.accepts(index)) {
      if (!stage.hasSlot(index))
        this.#badValue("SQL metrics of a task whose index is not one of its stage's");
      return;
    }
    const from = batch.accumulatorStart[row] ?? 0;
    const to = batch.accumulatorStart[row + 1] ?? from;
    const taskId = batch.columns[TASK_COLUMN.task_id]?.[row] ?? 0;
    const succeeded = batch.columns[TASK_COLUMN.status]?.[row] === TASK_STATUS.success;
    if (succeeded) stage.addSucceeded(index, taskId, updates, from, to);
    else stage.addUnfinished(index, taskId, updates, from, to);
  }

  #event(json: unknown): { json: Record<string, unknown>; execution: SqlExecution } | null {
    const id = isObject(json) ? readInteger(json.executionId) : null;
    if (id === null || !isObject(json)) {
      this.#badValue("a SQL event without an execution id");
      return null;
    }
    if (this.#folded.has(id)) {
      this.#issues.add(
        "duplicate-events",
        "SQL events came after their execution's end, repeated or late; they were left out",
        {},
        "sql-after-end",
      );
      return null;
    }
    return { json, execution: this.#open.getOrAdd(id) };
  }

  #planVersion(execution: SqlExecution, json: Record<string, unknown>): void {
    const plan = this.#plans.store(json.sparkPlanInfo, text(json.physicalPlanDescription));
    if (!plan) {
      this.#badValue("a SQL plan that is no object");
      return;
    }
    /** Of the adaptive plans in it, outermost first. */
    const areFinal: boolean[] = [];
    for (const { nodeName, simpleString, metrics } of preOrder(plan.root)) {
      if (nodeName === "AdaptiveSparkPlan") areFinal.push(simpleString.includes("isFinalPlan=true"));
      execution.declare(metrics);
    }
    this.#rows.insert("sql_plan_version", {
      execution_id: execution.id,
      version: execution.facts.planVersions++,
      plan_id: plan.planId,
      is_final: areFinal.includes(true) ? 1 : 0,
    });
    this.#recheck(execution);
    this.#keepPlan(execution, plan, areFinal[0] === true);
  }

  /**
   * The graph of the last plan is written, when it is known to be the last. A plan that calls itself final is drawn while
   * it is at hand, any other only if no further one comes; of the first it is kept what the last is compared with.
   */
  #keepPlan(execution: SqlExecution, plan: PlanVersion, isFinal: boolean): void {
    const { facts } = execution;
    facts.planId = plan.planId;
    const isFirst = facts.initialSummary === null;
    const graph = isFirst || isFinal ? planGraph(plan.root) : null;
    if (isFirst && graph) {
      facts.initialPlanId = plan.planId;
      facts.initialSummary = summarizePlan(graph);
      facts.initialJoins = initialJoins(graph);
    }
    this.#held.hold(execution.id, plan.text, graph);
  }

  #recheck(execution: SqlExecution): void {
    for (const stage of this.#stagesOf(execution)) stage.recheckDeclared();
  }

  /** Stages of an execution's jobs whose slots are still its own, in the order in which Spark folds them. */
  #stagesOf({ id, facts }: SqlExecution): SqlStage[] {
    const stages: SqlStage[] = [];
    for (const stageId of scalaSetOrder([...facts.stageIds])) {
      const stage = this.#open.stage(stageId);
      if (stage?.key.executionId === id) stages.push(stage);
    }
    return stages;
  }

  #beginStage(key: StageKey, execution: SqlExecution): void {
    const { numberOfTasks } = key;
    this.#endStage(key.stageId);
    const slots = Number.isSafeInteger(numberOfTasks) && numberOfTasks > 0 ? numberOfTasks : 0;
    this.#open.addStage({ ...key, numberOfTasks: slots }, execution);
  }

  #endStage(stageId: number): void {
    const stage = this.#open.stage(stageId);
    if (!stage) return;
    for (const metric of stage.metrics()) writeStageMetric(this.#rows, metric);
    this.#open.deleteStage(stageId);
  }

  #foldIfDone(execution: SqlExecution): void {
    if (execution.isDone) this.#fold(execution);
  }

  #fold(execution: SqlExecution): void {
    const { facts } = execution;
    const stages = this.#stagesOf(execution);
    const metrics = stages.flatMap((stage) => stage.metrics());
    const totals = writeMetrics(this.#rows, execution, metrics);
    const plan = this.#writePlan(execution, (accumulatorId) => totals.get(accumulatorId) ?? null);
    this.#rows.insert("sql_execution", this.#executionRow(execution, plan));
    for (const metric of metrics) writeStageMetric(this.#rows, metric);
    for (const { key } of stages) this.#open.deleteStage(key.stageId);
    for (const jobId of facts.jobs.keys()) this.#executionOfJob.delete(jobId);
    this.#open.delete(execution.id);
    this.#folded.add(execution.id);
  }

  #writePlan(execution: SqlExecution, totals: MetricTotals): RanPlan | null {
    const { planId, initialJoins } = execution.facts;
    const graph = this.#held.take(execution.id);
    if (!graph || planId === null) return null;
    this.#plans.writeGraph(planId, graph);
    const sums = writeSqlFacts(this.#rows, { id: execution.id, graph, totals, initial: initialJoins });
    return { summary: summarizePlan(graph), sums };
  }

  #executionRow(execution: SqlExecution, plan: RanPlan | null): SqlExecutionRow {
    const { start, endTime, errorMessage, initialSummary, ...facts } = execution.facts;
    return {
      execution_id: execution.id,
      root_execution_id: start?.rootExecutionId ?? execution.id,
      description: start?.description ?? null,
      details: start?.details ?? null,
      start_time_ms: start?.time ?? null,
      end_time_ms: endTime,
      error_message: errorMessage,
      status: execution.status,
      job_tags: start?.jobTags ?? null,
      job_group: start?.jobGroup ?? null,
      plan_versions: facts.planVersions,
      initial_plan_id: facts.initialPlanId,
      plan_id: facts.planId,
      ...summaryColumns(plan?.summary ?? null),
      ...(plan?.sums ?? exchangeSums([])),
      initial_joins_json: JSON.stringify(initialSummary?.joins ?? {}),
    };
  }

  #badValue(what: string): void {
    this.#issues.add("bad-values", `${what} was left out`, {}, `sql: ${what}`);
  }
}

function summaryColumns(summary: PlanSummary | null) {
  return {
    engine: summary?.engine ?? "spark",
    final_plan: summary?.finalPlan === null || summary === null ? null : Number(summary.finalPlan),
    shuffle_exchanges: summary?.shuffleExchanges ?? 0,
    broadcast_exchanges: summary?.broadcastExchanges ?? 0,
    single_partition_exchanges: summary?.singlePartitionExchanges ?? 0,
    reused_exchanges: summary?.reusedExchanges ?? 0,
    cached_shuffle_exchanges: summary?.cachedShuffleExchanges ?? 0,
    hidden_shuffles: summary?.hiddenShuffles ?? 0,
    joins_json: JSON.stringify(summary?.joins ?? {}),
    aqe_reads: summary?.aqeReads ?? 0,
    aqe_coalesced_reads: summary?.coalescedReads ?? 0,
    aqe_skewed_reads: summary?.skewedReads ?? 0,
    aqe_local_reads: summary?.localReads ?? 0,
    aqe_skew_joins: summary?.skewJoins ?? 0,
  };
}
