import { attributeSpill, type StageSpill } from "../plan/attribute-spill.ts";
import { type BroadcastThreshold, broadcastThreshold } from "../plan/broadcast-threshold.ts";
import { type JoinJudgement, judgeJoin } from "../plan/judge-join.ts";
import { placementCosts } from "../plan/judge-placement.ts";
import { judgeScan, meanFileBytes, type ScanJudgement } from "../plan/judge-scan.ts";
import { addWhole, type Whole } from "../plan/plan-walk.ts";
import { type ExchangeTotalsRow, exchangeTotals } from "../queries/exchange-totals.ts";
import type { ExchangesRow } from "../queries/exchanges.ts";
import type { JoinsRow } from "../queries/joins.ts";
import { largestExchanges } from "../queries/largest-exchanges.ts";
import { largestJoins } from "../queries/largest-joins.ts";
import { largestPlacements } from "../queries/largest-placements.ts";
import { largestScans } from "../queries/largest-scans.ts";
import { largestSpillTasks } from "../queries/largest-spill-tasks.ts";
import { type Int, narrow, type RunQuery } from "../queries/query.ts";
import type { ScansRow } from "../queries/scans.ts";
import { sessionSettings } from "../queries/session-settings.ts";
import { sparkProperties } from "../queries/spark-properties.ts";
import { spillExecutors } from "../queries/spill-executors.ts";
import { spillOperators } from "../queries/spill-operators.ts";

/** Rows of each list that a report shows; `omitted` counts more, and the queries of the same name list all. */
const SHOWN = 200;

/** What SQL moved between tasks and where its plans waste work, over all executions of the application. */
export interface SqlLedger {
  totals: ExchangeTotals;
  exchanges: Listed<LedgerExchange>;
  joins: Listed<LedgerJoin>;
  scans: Listed<LedgerScan>;
  placements: Listed<LedgerPlacement>;
  spills: Listed<LedgerSpill>;
}

export interface Listed<Row> {
  rows: Row[];
  omitted: number;
}

/** Exchanges of all plans that ran; those of cached plans are in cachedShuffles only. */
export interface ExchangeTotals {
  shuffles: number;
  singlePartition: number;
  broadcasts: number;
  hiddenShuffles: number;
  /** Reads of an exchange beyond its first. */
  reusedReads: number;
  cachedShuffles: number;
  avoidable: number;
  bytesWritten: Whole | null;
  bytesRead: Whole | null;
  rowsWritten: Whole | null;
  rowsRead: Whole | null;
  broadcastBytes: Whole | null;
}

export interface LedgerExchange {
  executionId: Int;
  nodeId: Int;
  kind: string;
  scheme: string;
  keys: string;
  origin: string | null;
  configuredPartitions: Int | null;
  effectivePartitions: Int | null;
  coalesced: boolean;
  skewSplit: boolean;
  localRead: boolean;
  dataBytes: Int | null;
  bytesWritten: Int | null;
  rowsWritten: Int | null;
  bytesRead: Int | null;
  rowsRead: Int | null;
  readers: Int;
  consumer: string | null;
  why: string;
  /** back-to-back, already-partitioned, duplicate-subtree, small-side, or null. */
  avoidable: string | null;
  avoidableWhy: string | null;
  inCache: boolean;
}

export interface LedgerJoin {
  executionId: Int;
  nodeId: Int;
  kind: string;
  joinType: string | null;
  buildSide: string | null;
  leftKeys: string;
  rightKeys: string;
  leftBytes: Int | null;
  leftRows: Int | null;
  rightBytes: Int | null;
  rightRows: Int | null;
  outputRows: Int | null;
  buildTimeMs: Int | null;
  spillBytes: Int | null;
  skew: boolean;
  changedFrom: string | null;
  broadcastThreshold: BroadcastThreshold;
  faults: JoinJudgement[];
}

export interface LedgerScan {
  executionId: Int;
  nodeId: Int;
  relation: string;
  format: string | null;
  partitionFilters: string | null;
  pushedFilters: string | null;
  filesRead: Int | null;
  meanFileBytes: number | null;
  bytesRead: Int | null;
  outputRows: Int | null;
  metadataTimeMs: Int | null;
  scanTimeMs: Int | null;
  faults: ScanJudgement[];
}

export interface LedgerPlacement {
  executionId: Int;
  nodeId: Int;
  kind: string;
  detail: string;
  rowsIn: Int | null;
  rowsOut: Int | null;
  bytes: Int | null;
  timeMs: Int | null;
  /** Enough rows to be worth a look. */
  costs: boolean;
}

export interface LedgerSpill extends StageSpill {
  /** The tasks that spilled most, with their executor. */
  hotTasks: {
    taskId: Int;
    taskIndex: Int | null;
    executorId: string | null;
    host: string | null;
    memoryBytesSpilled: Int;
    diskBytesSpilled: Int | null;
  }[];
  /** The executors that spilled most. */
  executors: {
    executorId: string;
    host: string | null;
    memoryBytesSpilled: Int;
    diskBytesSpilled: Int | null;
  }[];
}

/** The ledger of one log; null where it has no SQL plan. */
export function sqlLedger(run: RunQuery): SqlLedger | null {
  const exchangeRows = [...run.each(largestExchanges)];
  const joinRows = [...run.each(largestJoins)];
  const scanRows = [...run.each(largestScans)];
  const placementRows = [...run.each(largestPlacements)];
  const spills = ledgerSpills(run);
  if (exchangeRows.length + joinRows.length + scanRows.length + placementRows.length + spills.length === 0)
    return null;
  const thresholds = thresholdsOf(run, joinRows);
  const judged = joinRows.map((row) => ledgerJoin(row, thresholds(row.execution_id)));
  const small = smallSideExchanges(joinRows, judged);
  const ledger = exchangeRows.map((row) => ledgerExchange(row, small.get(exchangeKey(row))));
  return {
    totals: ledgerTotals(run(exchangeTotals), ledger),
    exchanges: largest(ledger, ({ bytesWritten, dataBytes }) => bytesWritten ?? dataBytes),
    joins: largest(judged, ({ faults, outputRows }) =>
      faults.length > 0 ? Number.MAX_SAFE_INTEGER : outputRows,
    ),
    scans: largest(scanRows.map(ledgerScan), ({ bytesRead, outputRows }) => bytesRead ?? outputRows),
    placements: largest(
      placementRows.map((row) => ({
        executionId: row.execution_id,
        nodeId: row.node_id,
        kind: row.kind,
        detail: row.detail,
        rowsIn: row.rows_in,
        rowsOut: row.rows_out,
        bytes: row.bytes,
        timeMs: row.time_ms,
        costs: placementCosts(row),
      })),
      ({ rowsIn }) => rowsIn,
    ),
    spills: largest(spills, ({ diskBytesSpilled }) => diskBytesSpilled),
  };
}

function thresholdsOf(run: RunQuery, joins: readonly JoinsRow[]): (executionId: Int) => BroadcastThreshold {
  const ids = [...new Set(joins.map((join) => join.execution_id))];
  const settings = narrow(
    sessionSettings,
    `name LIKE '%autoBroadcastJoinThreshold' AND execution_id IN (${ids.join(", ")})`,
  );
  const application = new Map(run(sparkProperties).map(({ name, value }) => [name, value]));
  const sessions = new Map<Int, Map<string, string>>();
  for (const { execution_id, name, value } of run.each(settings)) {
    const session = sessions.get(execution_id) ?? new Map<string, string>();
    sessions.set(execution_id, session.set(name, value));
  }
  const none = new Map<string, string>();
  return (executionId) => broadcastThreshold(sessions.get(executionId) ?? none, application);
}

function ledgerJoin(row: JoinsRow, threshold: BroadcastThreshold): LedgerJoin {
  return {
    executionId: row.execution_id,
    nodeId: row.node_id,
    kind: row.kind,
    joinType: row.join_type,
    buildSide: row.build_side,
    leftKeys: row.left_keys,
    rightKeys: row.right_keys,
    leftBytes: row.left_bytes,
    leftRows: row.left_rows,
    rightBytes: row.right_bytes,
    rightRows: row.right_rows,
    outputRows: row.output_rows,
    buildTimeMs: row.build_time_ms,
    spillBytes: row.spill_bytes,
    skew: Number(row.skew) === 1,
    changedFrom: row.changed_from,
    broadcastThreshold: threshold,
    faults: judgeJoin(row, threshold),
  };
}

/** Both exchanges of a join whose smaller side could have been broadcast: then neither side is shuffled. */
function smallSideExchanges(rows: readonly JoinsRow[], judged: readonly LedgerJoin[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const [at, row] of rows.entries()) {
    const fault = judged[at]?.faults.find((judgement) => judgement.fault === "small-side-not-broadcast");
    if (!fault) continue;
    const why = `the ${fault.side} side of join ${row.node_id} has ${fault.value} bytes, within the broadcast threshold of ${fault.limit}`;
    for (const nodeId of [row.left_exchange_node_id, row.right_exchange_node_id]) {
      if (nodeId !== null) found.set(`${row.execution_id}.${nodeId}`, why);
    }
  }
  return found;
}

function exchangeKey(row: ExchangesRow): string {
  return `${row.execution_id}.${row.node_id}`;
}

function ledgerExchange(row: ExchangesRow, smallSide: string | undefined): LedgerExchange {
  const isSmall = row.avoidable === null && smallSide !== undefined;
  return {
    executionId: row.execution_id,
    nodeId: row.node_id,
    kind: row.kind,
    scheme: row.scheme,
    keys: row.keys,
    origin: row.origin,
    configuredPartitions: row.configured_partitions,
    effectivePartitions: row.effective_partitions,
    coalesced: Number(row.coalesced) === 1,
    skewSplit: Number(row.skew_split) === 1,
    localRead: Number(row.local_read) === 1,
    dataBytes: row.data_bytes,
    bytesWritten: row.bytes_written,
    rowsWritten: row.rows_written,
    bytesRead: row.bytes_read,
    rowsRead: row.rows_read,
    readers: row.readers,
    consumer: row.consumer_kind,
    why: row.why,
    avoidable: isSmall ? "small-side" : row.avoidable,
    avoidableWhy: isSmall ? smallSide : row.avoidable_why,
    inCache: Number(row.in_cache) === 1,
  };
}

function ledgerTotals(rows: readonly ExchangeTotalsRow[], ledger: readonly LedgerExchange[]): ExchangeTotals {
  const own = rows.filter((row) => Number(row.in_cache) === 0);
  const of = (kind: string) => own.filter((row) => row.kind === kind);
  const count = (some: readonly ExchangeTotalsRow[]) =>
    some.reduce((sum, row) => sum + Number(row.exchanges), 0);
  const moved = own.filter((row) => row.kind !== "broadcast");
  const smallSides = ledger.filter(({ avoidable, inCache }) => avoidable === "small-side" && !inCache).length;
  return {
    shuffles: count(of("shuffle")),
    singlePartition: count(of("shuffle").filter((row) => Number(row.single) === 1)),
    broadcasts: count(of("broadcast")),
    hiddenShuffles: count(of("hidden")),
    reusedReads: own.reduce((sum, row) => sum + Number(row.reused_reads), 0),
    cachedShuffles: count(rows.filter((row) => Number(row.in_cache) === 1 && row.kind === "shuffle")),
    avoidable: own.reduce((sum, row) => sum + Number(row.avoidable), smallSides),
    bytesWritten: sumOf(moved, "bytes_written"),
    bytesRead: sumOf(moved, "bytes_read"),
    rowsWritten: sumOf(moved, "rows_written"),
    rowsRead: sumOf(moved, "rows_read"),
    broadcastBytes: sumOf(of("broadcast"), "data_bytes"),
  };
}

/** Of what was measured; null where nothing was. */
function sumOf(
  rows: readonly ExchangeTotalsRow[],
  measure: "bytes_written" | "bytes_read" | "rows_written" | "rows_read" | "data_bytes",
): Whole | null {
  const sums = rows.flatMap((row) => {
    const high = row[`${measure}_high`];
    const low = row[`${measure}_low`];
    return high === null || low === null ? [] : [BigInt(high) * 2n ** 32n + BigInt(low)];
  });
  return sums.length === 0 ? null : addWhole(sums);
}

function ledgerScan(row: ScansRow): LedgerScan {
  return {
    executionId: row.execution_id,
    nodeId: row.node_id,
    relation: row.relation,
    format: row.format,
    partitionFilters: row.partition_filters,
    pushedFilters: row.pushed_filters,
    filesRead: row.files_read,
    meanFileBytes: meanFileBytes(row),
    bytesRead: row.bytes_read,
    outputRows: row.output_rows,
    metadataTimeMs: row.metadata_time_ms,
    scanTimeMs: row.scan_time_ms,
    faults: judgeScan(row),
  };
}

function ledgerSpills(run: RunQuery): LedgerSpill[] {
  const tasks = byStage(run(largestSpillTasks));
  const executors = byStage(run(spillExecutors));
  return attributeSpill(run(spillOperators)).map((spill) => {
    const key = `${spill.stageId}.${spill.stageAttemptId}`;
    return {
      ...spill,
      hotTasks: (tasks.get(key) ?? []).map((task) => ({
        taskId: task.task_id,
        taskIndex: task.task_index,
        executorId: task.executor_id,
        host: task.host,
        memoryBytesSpilled: task.memory_bytes_spilled,
        diskBytesSpilled: task.disk_bytes_spilled,
      })),
      executors: (executors.get(key) ?? []).map((executor) => ({
        executorId: executor.executor_id,
        host: executor.host,
        memoryBytesSpilled: executor.memory_bytes_spilled,
        diskBytesSpilled: executor.disk_bytes_spilled,
      })),
    };
  });
}

function byStage<Row extends { stage_id: Int; stage_attempt_id: Int }>(
  rows: readonly Row[],
): Map<string, Row[]> {
  const stages = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.stage_id}.${row.stage_attempt_id}`;
    const list = stages.get(key);
    if (list) list.push(row);
    else stages.set(key, [row]);
  }
  return stages;
}

function largest<Row>(rows: readonly Row[], size: (row: Row) => Int | null): Listed<Row> {
  const sorted = rows.toSorted((a, b) => Number(size(b) ?? -1) - Number(size(a) ?? -1));
  return { rows: sorted.slice(0, SHOWN), omitted: Math.max(0, sorted.length - SHOWN) };
}
