import { formatBytes } from "../../format/bytes.ts";
import { formatCount } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import type { Block } from "../blocks.ts";
import type { LedgerExchange, LedgerJoin, LedgerPlacement, LedgerSpill, SqlLedger } from "../report.ts";
import { defineSection } from "./section.ts";

const SHOWN = 8;

/** What the plans shuffled and why, which joins look wrong, and which operators spilled. */
export const exchanges = defineSection({
  id: "exchanges",
  title: "Exchanges, joins and spill of the plans",
  build({ sqlLedger }) {
    if (!sqlLedger) return [];
    const moved = sqlLedger.exchanges.rows.length > 0;
    return [
      ...(moved ? [{ kind: "text" as const, text: headline(sqlLedger) }] : []),
      ...exchangeTable(sqlLedger),
      ...list(
        sqlLedger.exchanges.rows
          .filter(({ avoidable }) => avoidable !== null)
          .slice(0, SHOWN)
          .map(avoidableText),
      ),
      ...list(
        sqlLedger.joins.rows
          .filter(({ faults }) => faults.length > 0)
          .slice(0, SHOWN)
          .map(joinText),
      ),
      ...list(scanTexts(sqlLedger)),
      ...list(
        sqlLedger.placements.rows
          .filter(({ costs }) => costs)
          .slice(0, SHOWN)
          .map(placementText),
      ),
      ...list(sqlLedger.spills.rows.slice(0, SHOWN).map(spillText)),
    ];
  },
});

function headline({ totals }: SqlLedger): string {
  const parts = [
    `${formatCount(totals.shuffles)} shuffles (${totals.singlePartition} into one partition)`,
    `${formatCount(totals.broadcasts)} broadcasts`,
    `${formatCount(totals.hiddenShuffles)} shuffles without an Exchange node`,
  ];
  const moved = `${formatBytes(totals.bytesWritten)} written, ${formatBytes(totals.bytesRead)} read`;
  return `${parts.join(", ")}; ${moved}; ${totals.avoidable} look avoidable.`;
}

function exchangeTable({ exchanges }: SqlLedger): Block[] {
  const shown = exchanges.rows.slice(0, SHOWN);
  if (shown.length === 0) return [];
  return [
    {
      kind: "table",
      headings: ["Execution", "Node", "Kind", "Written", "Rows", "Partitions", "Why it is there"],
      align: ["right", "right", "left", "right", "right", "right", "left"],
      shrink: 6,
      rows: shown.map((row) => [
        String(row.executionId),
        String(row.nodeId),
        row.inCache ? `${row.kind} (cached)` : row.kind,
        formatBytes(row.bytesWritten ?? row.dataBytes),
        row.rowsWritten === null ? "unknown" : formatCount(row.rowsWritten),
        partitions(row),
        row.why,
      ]),
      tones: shown.map(({ avoidable }) => (avoidable === null ? undefined : "warn")),
    },
  ];
}

function partitions({ configuredPartitions, effectivePartitions }: LedgerExchange): string {
  if (configuredPartitions === null) return "-";
  return effectivePartitions === null
    ? `${configuredPartitions}`
    : `${configuredPartitions} -> ${effectivePartitions}`;
}

function avoidableText(row: LedgerExchange): string {
  return `Exchange ${row.nodeId} of execution ${row.executionId} looks avoidable (${row.avoidable}): ${row.avoidableWhy}`;
}

function joinText(join: LedgerJoin): string {
  const sides = `${formatBytes(join.leftBytes)} with ${formatBytes(join.rightBytes)}`;
  const faults = join.faults.map(({ fault, value, limit }) => {
    if (value === null) return fault;
    const text =
      fault === "row-expansion"
        ? `${value.toFixed(1)} rows out for each row of the larger side`
        : formatBytes(value);
    return `${fault} (${text}; limit ${fault === "row-expansion" ? limit : formatBytes(limit)})`;
  });
  return `${join.kind} ${join.nodeId} of execution ${join.executionId}, ${sides}: ${faults.join(", ")}`;
}

function scanTexts({ scans }: SqlLedger): string[] {
  return scans.rows
    .filter(({ faults }) => faults.length > 0)
    .slice(0, SHOWN)
    .map((scan) => {
      const files =
        scan.filesRead === null
          ? ""
          : ` (${formatCount(scan.filesRead)} files of ${formatBytes(scan.meanFileBytes)})`;
      return `Scan ${scan.nodeId} of execution ${scan.executionId}, ${scan.relation}${files}: ${scan.faults.map(({ fault }) => fault).join(", ")}`;
    });
}

function placementText(place: LedgerPlacement): string {
  const parts = [
    place.rowsIn === null ? "" : `${formatCount(place.rowsIn)} rows in`,
    place.rowsOut === null ? "" : `${formatCount(place.rowsOut)} rows out`,
    place.bytes === null ? "" : `${formatBytes(place.bytes)} to and from Python`,
    place.timeMs === null ? "" : `${formatDuration(place.timeMs)} in Python`,
  ];
  const measured = parts.filter((part) => part !== "").join(", ");
  return `${place.kind}, node ${place.nodeId} of execution ${place.executionId}, ${place.detail}${measured === "" ? "" : `: ${measured}`}`;
}

function spillText(spill: LedgerSpill): string {
  const operators = spill.operators.map(
    ({ kind, nodeId, share }) => `${kind} ${nodeId} (${Math.round(share * 100)} %)`,
  );
  const [hot] = spill.hotTasks;
  const by = operators.length === 0 ? "no operator reports it" : operators.join(", ");
  const where = hot ? `; most in task ${hot.taskId} on executor ${hot.executorId ?? "unknown"}` : "";
  return `Stage ${spill.stageId}.${spill.stageAttemptId} spilled ${formatBytes(spill.diskBytesSpilled)} to disk: ${by}; ${spill.cause}: ${spill.why}${where}`;
}

function list(items: string[]): Block[] {
  return items.length === 0 ? [] : [{ kind: "list", items }];
}
