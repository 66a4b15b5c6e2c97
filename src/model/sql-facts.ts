import { type ExchangeFact, exchangeFacts } from "../plan/exchanges.ts";
import { type InitialJoins, type JoinFact, joinFacts } from "../plan/joins.ts";
import { placementFacts } from "../plan/placement.ts";
import type { PlanGraph } from "../plan/plan-graph.ts";
import { addWhole, type MetricTotals, PlanWalk } from "../plan/plan-walk.ts";
import { scanFacts } from "../plan/scans.ts";
import type { RowSink, SqlExchangeRow, SqlExecutionRow, SqlJoinRow } from "../store/rows.ts";

/** Columns of sql_execution: what all exchanges of one execution moved. */
export type ExchangeSums = Pick<
  SqlExecutionRow,
  | "exchange_bytes_written"
  | "exchange_bytes_read"
  | "exchange_rows_written"
  | "exchange_rows_read"
  | "broadcast_bytes"
  | "avoidable_exchanges"
>;

/** Adds up the exchanges that are not of a cached plan. */
export function exchangeSums(facts: readonly ExchangeFact[]): ExchangeSums {
  const own = facts.filter(({ inCache }) => !inCache);
  const moved = own.filter(({ kind }) => kind !== "broadcast");
  return {
    exchange_bytes_written: sum(moved, "bytesWritten"),
    exchange_bytes_read: sum(moved, "bytesRead"),
    exchange_rows_written: sum(moved, "rowsWritten"),
    exchange_rows_read: sum(moved, "rowsRead"),
    broadcast_bytes: sum(
      own.filter(({ kind }) => kind === "broadcast"),
      "dataBytes",
    ),
    avoidable_exchanges: own.filter(({ avoidable }) => avoidable !== null).length,
  };
}

/** NULL where nothing was measured, and for what a 64-bit column cannot hold. */
function sum(
  facts: readonly ExchangeFact[],
  measure: "bytesWritten" | "bytesRead" | "rowsWritten" | "rowsRead" | "dataBytes",
): number | bigint | null {
  const values = facts.flatMap((fact) => fact[measure] ?? []);
  const total = values.length === 0 ? null : addWhole(values);
  return typeof total === "bigint" && BigInt.asIntN(64, total) !== total ? null : total;
}

/** Writes exchanges, joins, scans and placements of the plan that ran. @returns what its exchanges moved */
export function writeSqlFacts(
  rows: RowSink,
  execution: { id: number; graph: PlanGraph; totals: MetricTotals; initial: InitialJoins },
): ExchangeSums {
  const walk = new PlanWalk(execution.graph, execution.totals);
  const executionId = execution.id;
  const exchanges = exchangeFacts(walk);
  for (const fact of exchanges) rows.insert("sql_exchange", exchangeRow(executionId, fact));
  for (const fact of joinFacts(walk, execution.initial)) rows.insert("sql_join", joinRow(executionId, fact));
  for (const fact of scanFacts(walk)) {
    rows.insert("sql_scan", {
      execution_id: executionId,
      node_id: fact.nodeId,
      relation: fact.relation,
      format: fact.format,
      location: fact.location,
      partition_filters: fact.partitionFilters,
      pushed_filters: fact.pushedFilters,
      data_filters: fact.dataFilters,
      partitioned: fact.partitioned === null ? null : Number(fact.partitioned),
      files_read: fact.filesRead,
      bytes_read: fact.bytesRead,
      partitions_read: fact.partitionsRead,
      output_rows: fact.outputRows,
      metadata_time_ms: fact.metadataTimeMs,
      scan_time_ms: fact.scanTimeMs,
      in_cache: Number(fact.inCache),
      in_subquery: Number(fact.inSubquery),
    });
  }
  for (const fact of placementFacts(walk)) {
    rows.insert("sql_placement", {
      execution_id: executionId,
      node_id: fact.nodeId,
      kind: fact.kind,
      detail: fact.detail,
      below_node_id: fact.belowNodeId,
      rows_in: fact.rowsIn,
      rows_out: fact.rowsOut,
      bytes: fact.bytes,
      time_ms: fact.timeMs,
    });
  }
  return exchangeSums(exchanges);
}

function exchangeRow(executionId: number, fact: ExchangeFact): SqlExchangeRow {
  return {
    execution_id: executionId,
    node_id: fact.nodeId,
    kind: fact.kind,
    scheme: fact.scheme,
    keys: fact.keys,
    origin: fact.origin,
    configured_partitions: fact.configuredPartitions,
    effective_partitions: fact.effectivePartitions,
    coalesced: Number(fact.coalesced),
    skew_split: Number(fact.skewSplit),
    local_read: Number(fact.localRead),
    data_bytes: fact.dataBytes,
    bytes_written: fact.bytesWritten,
    rows_written: fact.rowsWritten,
    bytes_read: fact.bytesRead,
    rows_read: fact.rowsRead,
    fetch_wait_ms: fact.fetchWaitMs,
    readers: fact.readers,
    consumer_node_id: fact.consumerNodeId,
    consumer_kind: fact.consumerKind,
    why: fact.why,
    avoidable: fact.avoidable,
    avoidable_why: fact.avoidableWhy,
    in_cache: Number(fact.inCache),
    in_subquery: Number(fact.inSubquery),
  };
}

function joinRow(executionId: number, fact: JoinFact): SqlJoinRow {
  return {
    execution_id: executionId,
    node_id: fact.nodeId,
    kind: fact.kind,
    join_type: fact.joinType,
    build_side: fact.buildSide,
    left_keys: fact.leftKeys,
    right_keys: fact.rightKeys,
    left_exchange_node_id: fact.left.exchangeNodeId,
    left_bytes: fact.left.bytes,
    left_rows: fact.left.rows,
    right_exchange_node_id: fact.right.exchangeNodeId,
    right_bytes: fact.right.bytes,
    right_rows: fact.right.rows,
    output_rows: fact.outputRows,
    build_time_ms: fact.buildTimeMs,
    spill_bytes: fact.spillBytes,
    skew: Number(fact.skew),
    changed_from: fact.changedFrom,
    in_cache: Number(fact.inCache),
    in_subquery: Number(fact.inSubquery),
  };
}
