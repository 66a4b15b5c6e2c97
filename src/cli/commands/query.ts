import { type Command, Option } from "commander";
import { chooseLog } from "../../analyze-log.ts";
import { UserError } from "../../errors.ts";
import { QUERIES } from "../../queries/index.ts";
import type { SqlValue } from "../../queries/query.ts";
import { plainLine } from "../../report/render/escape.ts";
import { jsonBlocks } from "../../report/render/json.ts";
import { tableLines } from "../../report/render/text-table.ts";
import { openForReading } from "../../store/open-store.ts";
import { runSql, type SqlAnswer } from "../../store/run-query.ts";
import { parsePositive } from "../options.ts";
import { terminalOptions, writeResult } from "../output.ts";

const FORMATS = ["table", "json", "csv"] as const;

/** Rows of a table at most: it is held whole. */
const TABLE_ROWS = 10_000;

interface Flags {
  list?: boolean;
  format: (typeof FORMATS)[number];
  output?: string;
  log?: number;
}

export function addQuery(program: Command): void {
  program
    .command("query")
    .description("ask a database: a named query, or SQL that only reads")
    .argument("[database]", "a database that sparklog ingest wrote")
    .argument("[query]", "the name of a query, or SQL; $log_id stands for the chosen log")
    .option("-l, --list", "list the named queries")
    .addOption(new Option("-f, --format <format>", "how to print the rows").choices(FORMATS).default("table"))
    .option("--log <n>", "which log, of a database that holds several", parsePositive)
    .option("-o, --output <file>", "write the rows there instead of to stdout")
    .addHelpText(
      "before",
      `Examples:
  sparklog query --list
  sparklog query app.db stages --format csv
  sparklog query app.db "SELECT host, SUM(failed) FROM stage_executor GROUP BY host ORDER BY 2 DESC"`,
    )
    .action((database: string | undefined, query: string | undefined, flags: Flags) => {
      if (flags.list || database === undefined) writeResult(listQueries(), flags.output);
      else if (query === undefined)
        throw new UserError("no query given", "Name one (sparklog query --list) or give SQL.");
      else ask(database, query, flags, (answer) => writeResult(print(answer, flags.format), flags.output));
    });
}

function listQueries(): string {
  const width = Math.max(...QUERIES.map((query) => query.name.length));
  return `${QUERIES.map((query) => `${query.name.padEnd(width)}  ${query.about}`).join("\n")}\n`;
}

function ask(database: string, text: string, flags: Flags, use: (answer: SqlAnswer) => void): void {
  const named = QUERIES.find((query) => query.name === text);
  if (!named && /^[\w-]+$/.test(text))
    throw new UserError(
      `no query is called ${text}`,
      "sparklog query --list lists them; SQL goes in quotes.",
    );
  const sql = named?.sql ?? text;
  const db = openForReading(database);
  try {
    const logId = sql.includes("$log_id") ? chooseLog(db, database, flags.log) : null;
    use(runSql(db, sql, logId));
  } finally {
    db.close();
  }
}

/** JSON and CSV pass through row by row; a table needs all of its rows to know how wide its columns are. */
function print(answer: SqlAnswer, format: Flags["format"]): string | Iterable<string> {
  switch (format) {
    case "json":
      return jsonRows(answer);
    case "csv":
      return csvRows(answer);
    case "table":
      return table(answer);
  }
}

function* jsonRows({ columns, rows }: SqlAnswer): Generator<string> {
  yield* jsonBlocks(namedRows(columns, rows), "");
  yield "\n";
}

function* namedRows(columns: readonly string[], rows: Iterable<SqlValue[]>): Generator<unknown> {
  for (const row of rows) yield Object.fromEntries(columns.map((name, at) => [name, row[at]]));
}

function* csvRows({ columns, rows }: SqlAnswer): Generator<string> {
  yield `${columns.map(csvCell).join(",")}\r\n`;
  for (const row of rows) yield `${row.map(csvCell).join(",")}\r\n`;
}

function table(answer: SqlAnswer): string {
  const rows: SqlValue[][] = [];
  for (const row of answer.rows) {
    if (rows.length === TABLE_ROWS) {
      process.stderr.write(
        `sparklog: the first ${TABLE_ROWS} rows, there are more\n  --format csv or json prints them all.\n`,
      );
      break;
    }
    rows.push(row);
  }
  const isNumber = answer.columns.map((_, at) => rows.every((row) => typeof row[at] !== "string"));
  const lines = tableLines(
    {
      kind: "table",
      headings: answer.columns,
      align: isNumber.map((number) => (number ? "right" : "left")),
      rows: rows.map((row) => row.map((value) => (value === null ? "" : plainLine(String(value))))),
    },
    process.stdout.isTTY ? terminalOptions().width : Number.MAX_SAFE_INTEGER,
  );
  return `${lines.join("\n")}\n`;
}

/** RFC 4180; a text that a spreadsheet would run as a formula gets a quote before it. */
function csvCell(value: SqlValue): string {
  if (value === null) return "";
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
