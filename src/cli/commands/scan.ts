import { type Command, Option } from "commander";
import { EXIT } from "../../errors.ts";
import { formatDuration } from "../../format/duration.ts";
import type { Block, RenderedSection, Tone } from "../../report/blocks.ts";
import { plainLine } from "../../report/render/escape.ts";
import { jsonSafe } from "../../report/render/json.ts";
import { renderMarkdown } from "../../report/render/markdown.ts";
import { renderTerminal } from "../../report/render/terminal.ts";
import { type ScanReport, type ScanRow, scanLogs } from "../../scan/scan-logs.ts";
import { terminalOptions, writeResult } from "../output.ts";
import { Progress } from "../progress.ts";

const FORMATS = ["text", "md", "json"] as const;

interface Flags {
  format: (typeof FORMATS)[number];
  json?: boolean;
  output?: string;
  strict?: boolean;
  quiet?: boolean;
}

export function addScan(program: Command): void {
  program
    .command("scan")
    .description("read every log under some paths, a line each: status, length, verdict")
    .argument("<path...>", "event logs, rolling directories, or folders of them")
    .addOption(new Option("-f, --format <format>", "how to print it").choices(FORMATS).default("text"))
    .option("--json", "the same as --format json")
    .option("-o, --output <file>", "write the list there instead of to stdout")
    .option("--strict", "exit with 3 if some log could not be read")
    .option("-q, --quiet", "no progress")
    .addHelpText(
      "before",
      `Examples:
  sparklog scan week-of-logs/
  sparklog scan week-of-logs/ --format json | jq '.logs[] | select(.status == "failed")'
`,
    )
    .action(async (paths: string[], flags: Flags) => {
      const progress = new Progress(flags.quiet ?? false);
      let read = 0;
      const report = await scanLogs(paths, (path) =>
        progress.update(`${++read}: ${plainLine(path)}`),
      ).finally(() => progress.done());
      writeResult(print(report, flags), flags.output);
      if (flags.strict && report.logs.some((row) => row.status === "failed"))
        process.exitCode = EXIT.scanFailed;
    });
}

function print(report: ScanReport, flags: Flags): string {
  if (flags.json || flags.format === "json") return `${JSON.stringify(report, jsonSafe, 2)}\n`;
  const sections: RenderedSection[] = [{ id: "scan", title: "", blocks: blocks(report) }];
  if (flags.format === "md") return renderMarkdown(sections);
  return renderTerminal(sections, flags.output ? { width: 120, color: false } : terminalOptions());
}

const TONES: Record<ScanRow["status"], Tone | undefined> = {
  ok: undefined,
  "ok-incomplete": "warn",
  "skipped-empty": "muted",
  failed: "bad",
  duplicate: "muted",
};

/** The longest first: that is where the time went. */
function blocks(report: ScanReport): Block[] {
  const rows = report.logs.toSorted((a, b) => Number(b.durationMs ?? -1) - Number(a.durationMs ?? -1));
  const count = (status: ScanRow["status"]) => rows.filter((row) => row.status === status).length;
  return [
    {
      kind: "text",
      text: `${rows.length} logs: ${count("ok")} ok, ${count("ok-incomplete")} incomplete, ${count("failed")} failed, ${count("skipped-empty")} empty, ${count("duplicate")} copies; ${report.ignored} other files ignored.`,
    },
    {
      kind: "table",
      headings: ["Application", "Status", "Duration", "Verdict", "Log"],
      align: ["left", "left", "right", "left", "left"],
      shrink: 4,
      rows: rows.map((row) => [
        row.applicationName ?? row.applicationId ?? "-",
        row.status,
        row.durationMs === null ? "-" : formatDuration(row.durationMs),
        row.verdict?.cause ?? row.reason ?? "-",
        row.path,
      ]),
      tones: rows.map((row) => TONES[row.status]),
    },
  ];
}
