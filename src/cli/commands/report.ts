import { type Command, Option } from "commander";
import { withReport } from "../../analyze-log.ts";
import { EXIT } from "../../errors.ts";
import { explain } from "../../findings/explain.ts";
import type { Limits } from "../../findings/limits.ts";
import { formatCount } from "../../format/count.ts";
import { FORMATS, type Format, renderPieces } from "../../report/render/index.ts";
import type { Report } from "../../report/report.ts";
import { readLimits } from "../limits-file.ts";
import { parseIds, parsePositive, parseTime, type ReadingFlags, sliceOf } from "../options.ts";
import { terminalOptions, writeResult } from "../output.ts";
import { Progress } from "../progress.ts";

const SEVERITIES = ["info", "warning", "critical"] as const;

interface Flags extends ReadingFlags {
  format: Format;
  json?: boolean;
  output?: string;
  db?: string;
  log?: number;
  quiet?: boolean;
  explain?: boolean;
  config?: string;
  failOn?: (typeof SEVERITIES)[number];
}

export function addReport(program: Command): void {
  program
    .command("report")
    .description("read one event log and say what was wrong")
    .argument("<log>", "event log, rolling directory, - for stdin, or a database of sparklog ingest")
    .addOption(new Option("-f, --format <format>", "how to print it").choices(FORMATS).default("text"))
    .option("--json", "the same as --format json")
    .option("-o, --output <file>", "write the report there instead of to stdout")
    .option("--db <file>", "keep the database there")
    .option("--log <n>", "which log, of a database that holds several", parsePositive)
    .option("--from <time>", "read only from this time on (ISO-8601, UTC)", parseTime)
    .option("--to <time>", "read only up to this time", parseTime)
    .option("--jobs <ids>", 'read only these jobs, such as "3,5-7"', parseIds)
    .addOption(
      new Option("--fail-on <severity>", "exit with 1 if a finding is at least this severe").choices(
        SEVERITIES,
      ),
    )
    .option("--explain", "after the report, what each rule of its findings means, with its limits")
    .option("--config <file>", 'limits of your own: JSON such as {"limits": {"skewFail": 10}}')
    .option("-q, --quiet", "no progress")
    .addHelpText(
      "before",
      `Examples:
  sparklog report application_1735689600000_0001.zstd
  sparklog report eventlog_v2_app-20250101000000-0001/ --format md -o ticket.md
  sparklog report app.lz4 --db app.db --format json | jq .verdict`,
    )
    .action(async (log: string, flags: Flags) => {
      const progress = new Progress(flags.quiet ?? false);
      const limits = readLimits(flags.config);
      const options = {
        slice: sliceOf(flags),
        limits,
        onProgress: (lines: number) => progress.update(`${formatCount(lines)} lines read`),
        ...(flags.db === undefined ? {} : { db: flags.db }),
        ...(flags.log === undefined ? {} : { logId: flags.log }),
      };
      await withReport(log, options, (report) => {
        progress.done();
        writeResult(piecesOf(report, flags, limits), flags.output);
        if (flags.failOn && reaches(report, flags.failOn)) process.exitCode = EXIT.findings;
      }).finally(() => progress.done());
    });
}

function* piecesOf(report: Report, flags: Flags, limits: Limits): Generator<string> {
  const format = flags.json ? "json" : flags.format;
  yield* renderPieces(report, format, flags.output ? { width: 100, color: false } : terminalOptions());
  yield explanations(report, limits, flags.explain === true && format !== "json" && format !== "html");
}

/** What the rules behind the verdict and the findings mean. */
function explanations(report: Report, limits: Limits, wanted: boolean): string {
  if (!wanted) return "";
  const rules = new Set([report.verdict.cause, ...report.findings.map((finding) => finding.rule)]);
  const texts = [...rules].map((rule) => explain(rule, limits)).filter((text) => text !== null);
  return texts.map((text) => `\n${text}`).join("");
}

function reaches(report: Report, severity: (typeof SEVERITIES)[number]): boolean {
  return report.findings.some(
    (finding) => SEVERITIES.indexOf(finding.severity) >= SEVERITIES.indexOf(severity),
  );
}
