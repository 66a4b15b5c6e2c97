import { readFileSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { Command, CommanderError } from "commander";
import { removeScratch } from "../analyze-log.ts";
import { EXIT, UserError } from "../errors.ts";
import { offerThread } from "../reading/reader-worker.ts";
import { plainLine } from "../report/render/escape.ts";
import { addExplain } from "./commands/explain.ts";
import { addIngest } from "./commands/ingest.ts";
import { addPlan } from "./commands/plan.ts";
import { addQuery } from "./commands/query.ts";
import { addReport } from "./commands/report.ts";
import { addScan } from "./commands/scan.ts";
import { writeStdout } from "./output.ts";

function version(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

function buildProgram(): Command {
  const program = new Command("sparklog")
    .description("Reads a raw Spark event log, rebuilds the application in SQLite and says what was wrong.")
    .version(version())
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .addHelpText(
      "before",
      `Examples:
  sparklog report app.zstd                      what was wrong, in the terminal
  sparklog report app.zstd --format md          the same for a ticket
  sparklog ingest logs/ --db week.db            many logs into one database
  sparklog query week.db stages                 ask it
  sparklog explain skew                         what a rule means, and its limits
`,
    );
  addReport(program);
  addScan(program);
  addIngest(program);
  addPlan(program);
  addQuery(program);
  addExplain(program);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeOut: writeStdout });
  return program;
}

/** Bad usage and bad input are one line and a hint; only a fault of our own shows a stack. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof UserError) {
    process.stderr.write(`sparklog: ${plainLine(error.message)}\n`);
    if (error.hint) process.stderr.write(`  ${plainLine(error.hint)}\n`);
    return error.exitCode;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`sparklog: a fault of its own, please report it:\n${text}\n`);
  return EXIT.internal;
}

/**
 * Runs the command of process.argv and sets the exit code.
 * @param thread a reading thread that was started for it already
 */
export async function run(thread: Worker | null): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      removeScratch();
      process.exit(EXIT.interrupted);
    });
  if (thread) offerThread(thread);
  try {
    await buildProgram().parseAsync();
  } catch (error) {
    process.exitCode = explain(error);
  }
}
