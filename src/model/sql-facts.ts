import { type ExchangeFact, exchangeFacts } from "../plan/exchanges.ts";
import { type InitialJoins, type JoinFact, joinFacts } from "../plan/joins.ts";
import { placementFacts } from "../plan/placement.ts";
import type { PlanGraph } from "../plan/plan-graph.ts";
import { type MetricTotals, PlanWalk } from "../plan/plan-walk.ts";
import { scanFacts } from "../plan/scans.ts";
import type { RowSink, SqlExchangeRow, SqlJoinRow } from "../store/rows.ts";

/** Writes exchanges, joins, scans and placements of the plan that ran. */
export function writeSqlFacts(
  rows: RowSink,
  execution: { id: number; graph: PlanGraph; totals: MetricTotals; initial: InitialJoins },
): void {
  const walk = new PlanWalk(execution.graph, execution.totals);
  const executionId = execution.id;
  for (const fact of exchangeFacts(walk)) rows.insert("sql_exchange", exchangeRow(executionId, fact));
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
