import { defineEvent } from "./event.ts";

const SQL = "org.apache.spark.sql";
const CATALOG = `${SQL}.catalyst.catalog.`;
const CATALOG_EVENTS = [
  "CreateDatabase",
  "DropDatabase",
  "AlterDatabase",
  "CreateTable",
  "DropTable",
  "RenameTable",
]
  .concat(["AlterTable", "CreateFunction", "DropFunction", "AlterFunction", "RenameFunction"])
  .flatMap((name) => [`${CATALOG}${name}PreEvent`, `${CATALOG}${name}Event`]);
const THRIFT_EVENTS = [
  "SessionCreated",
  "SessionClosed",
  "OperationStart",
  "OperationParsed",
  "OperationCanceled",
]
  .concat(["OperationFinish", "OperationError", "OperationClosed"])
  .flatMap((name) => [
    `${SQL}.hive.thriftserver.ui.SparkListenerThriftServer${name}`,
    `${SQL}.hive.thriftserver.ui.SparkListener${name}`,
  ]);
const CONNECT_EVENTS = ["SessionStarted", "SessionClosed", "OperationStarted", "OperationAnalyzed"]
  .concat(["OperationReadyForExecution", "OperationCanceled", "OperationClosed", "OperationFailed"])
  .concat(["OperationFinished"])
  .map((name) => `${SQL}.connect.service.SparkListenerConnect${name}`);

/** Events that Spark writes and that carry nothing the database keeps: known, so not listed as unknown. */
export const knownWithoutRows = defineEvent({
  events: [
    ...CATALOG_EVENTS,
    ...THRIFT_EVENTS,
    ...CONNECT_EVENTS,
    `${SQL}.streaming.StreamingQueryListener$QueryIdleEvent`,
    `${SQL}.execution.ui.SparkListenerQueryExecutionMetrics`,
  ],
  ingest() {},
});
