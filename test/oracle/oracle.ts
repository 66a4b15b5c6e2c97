import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Answers, packAnswers } from "./answers.ts";
import { compareLog } from "./compare-log.ts";
import { askHistoryServer } from "./history-server.ts";

const USAGE = `npm run oracle -- LOG... [--spark-home DIR] [--keep]

Starts a real History Server on a copy of each LOG, takes its REST answers, reads the log with sparklog and
prints how many values both sides have and which differ. Needs Java 17 and a Spark:
  --spark-home DIR   a Spark distribution or the pyspark folder of a Python environment (default: $SPARK_HOME)
  --keep             also writes the answers, packed, to test/oracle/answers/
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "spark-home": { type: "string" }, keep: { type: "boolean" }, help: { type: "boolean" } },
});
const sparkHome = values["spark-home"] ?? process.env.SPARK_HOME ?? "";

if (values.help || positionals.length === 0 || !existsSync(join(sparkHome, "bin", "spark-class"))) {
  process.stderr.write(USAGE);
  process.exit(values.help ? 0 : 2);
}

async function report(log: string, answers: Answers): Promise<void> {
  if (values.keep)
    packAnswers(answers, fileURLToPath(new URL(`answers/${basename(log)}.json.gz`, import.meta.url)));
  const { compared, explained, differences } = await compareLog(log, answers);
  console.log(`${log}: History Server ${answers.historyServerVersion}`);
  console.log(`  ${compared} values compared, ${differences.length} differ without an explanation`);
  for (const [reason, count] of explained) console.log(`  ${count} differ: ${reason}`);
  for (const { where, ours, theirs } of differences)
    console.log(`  ${where}: ours ${JSON.stringify(ours)}, the History Server's ${JSON.stringify(theirs)}`);
  if (differences.length > 0) process.exitCode = 1;
}

await askHistoryServer(positionals, sparkHome, report);
