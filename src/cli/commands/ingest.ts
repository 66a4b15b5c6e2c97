import { type Command, Option } from "commander";
import { type AnalyzeOptions, ingestInto } from "../../analyze-log.ts";
import { UserError } from "../../errors.ts";
import { formatCount } from "../../format/count.ts";
import type { EventLog } from "../../input/event-log.ts";
import { findEventLogs } from "../../input/find-event-logs.ts";
import { plainLine } from "../../report/render/escape.ts";

import type { TaskWriting } from "../../store/scratch-store.ts";
import { parseIds, parseTime, type ReadingFlags, sliceOf } from "../options.ts";
import { writeStdout } from "../output.ts";
import { Progress } from "../progress.ts";

interface Flags extends ReadingFlags {
  db: string;
  taskRows: TaskWriting;
  readingThread: NonNullable<AnalyzeOptions["readingThread"]>;
  quiet?: boolean;
}

export function addIngest(program: Command): void {
  program
    .command("ingest")
    .description("read event logs into one SQLite database")
    .argument("<log...>", "event logs, rolling directories, or folders of them")
    .requiredOption("--db <file>", "the database: made if it is new, added to if it exists")
    .option("--from <time>", "read only from this time on (ISO-8601, UTC)", parseTime)
    .option("--to <time>", "read only up to this time", parseTime)
    .option("--jobs <ids>", 'read only these jobs, such as "3,5-7"', parseIds)
    .addOption(
      new Option("--task-rows <way>", "how task rows are written: as pages (fast) or by SQL statements")
        .choices(["pages", "statements"])
        .default("pages"),
    )
    .addOption(
      new Option(
        "--reading-thread <which>",
        "the thread that reads and unpacks: one of its own for logs of 2 MiB and more (auto), always, or never",
      )
        .choices(["auto", "own", "same"])
        .default("auto"),
    )
    .option("-q, --quiet", "no progress")
    .addHelpText(
      "before",
      `Examples:
  sparklog ingest app.zstd --db app.db
  sparklog ingest week-of-logs/ --db week.db
  sqlite3 app.db "SELECT * FROM stage_summary ORDER BY own_time_ms DESC LIMIT 5"

The database keeps what the log holds, secrets included; reports made from it mask them.`,
    )
    .action(async (paths: string[], flags: Flags) => {
      const { read, failed } = await ingestAll(paths, flags, new Progress(flags.quiet ?? false));
      const rest = failed > 0 ? `, ${failed} not read (see above)` : "";
      writeStdout(`${read} ${read === 1 ? "log" : "logs"} read into ${plainLine(flags.db)}${rest}\n`);
      if (read === 0) throw new UserError("no log was read", "The lines above say why.");
    });
}

async function ingestAll(
  paths: string[],
  flags: Flags,
  progress: Progress,
): Promise<{ read: number; failed: number }> {
  const count = { read: 0, failed: 0 };
  for (const path of paths) {
    const logs = await findLogs(path);
    if (logs === null) count.failed++;
    for (const log of logs ?? []) count[(await ingestOne(log, flags, progress)) ? "read" : "failed"]++;
  }
  return count;
}

/** One bad path never stops the rest: it is said on stderr. */
async function findLogs(path: string): Promise<EventLog[] | null> {
  try {
    return (await findEventLogs(path)).logs;
  } catch (error) {
    explain(error);
    return null;
  }
}

async function ingestOne(log: EventLog, flags: Flags, progress: Progress): Promise<boolean> {
  try {
    const onProgress = (lines: number) =>
      progress.update(`${plainLine(log.path)}: ${formatCount(lines)} lines read`);
    await ingestInto(log, flags.db, {
      slice: sliceOf(flags),
      taskWriting: flags.taskRows,
      readingThread: flags.readingThread,
      onProgress,
    });
    return true;
  } catch (error) {
    progress.done();
    explain(error);
    return false;
  } finally {
    progress.done();
  }
}

function explain(error: unknown): void {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(`sparklog: ${plainLine(error.message)}\n`);
}
