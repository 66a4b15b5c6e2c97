import { type Command, Option } from "commander";
import { analyzePlan } from "../../analyze-log.ts";
import { formatCount } from "../../format/count.ts";
import type { PlanView } from "../../plan/plan-view.ts";
import { renderDot } from "../../plan/render-dot.ts";
import { planJson } from "../../plan/render-json.ts";
import { renderTree } from "../../plan/render-tree.ts";
import { maskDeep, maskText } from "../../report/mask.ts";
import { plainLine } from "../../report/render/escape.ts";
import { jsonSafe } from "../../report/render/json.ts";
import { parsePositive } from "../options.ts";
import { writeResult } from "../output.ts";
import { Progress } from "../progress.ts";

const FORMATS = ["tree", "dot", "json"] as const;

interface Flags {
  execution: number;
  version?: number;
  format: (typeof FORMATS)[number];
  output?: string;
  log?: number;
  quiet?: boolean;
}

export function addPlan(program: Command): void {
  program
    .command("plan")
    .description("print the plan of one SQL execution with its metrics")
    .argument("<log>", "event log, rolling directory, - for stdin, or a database of sparklog ingest")
    .requiredOption("-e, --execution <n>", "which SQL execution", parsePositive)
    .option(
      "--version <n>",
      "which version of its plan, from 0; by default the last one, which ran",
      parsePositive,
    )
    .addOption(new Option("-f, --format <format>", "how to print it").choices(FORMATS).default("tree"))
    .option("--log <n>", "which log, of a database that holds several", parsePositive)
    .option("-o, --output <file>", "write the plan there instead of to stdout")
    .option("-q, --quiet", "no progress")
    .addHelpText(
      "before",
      `Examples:
  sparklog plan app.zstd --execution 24
  sparklog plan app.db --execution 24 --version 0
  sparklog plan app.db --execution 24 --format dot | dot -Tsvg -o plan.svg`,
    )
    .action(async (log: string, flags: Flags) => {
      const progress = new Progress(flags.quiet ?? false);
      const view = await analyzePlan(log, flags.execution, flags.version, {
        onProgress: (lines) => progress.update(`${formatCount(lines)} lines read`),
        ...(flags.log === undefined ? {} : { logId: flags.log }),
      }).finally(() => progress.done());
      writeResult(print(view, flags.format), flags.output);
    });
}

/** Secrets are masked as in a report. */
function print(view: PlanView, format: Flags["format"]): string {
  switch (format) {
    case "tree":
      return `${renderTree(view)
        .map((line) => plainLine(maskText(line)))
        .join("\n")}\n`;
    case "dot":
      return maskText(renderDot(view));
    case "json":
      return `${JSON.stringify(maskDeep(planJson(view)), jsonSafe, 2)}\n`;
  }
}
