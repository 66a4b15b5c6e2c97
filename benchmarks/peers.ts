import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const HERE = join(import.meta.dirname, "peers");

/** Commands of the peers that can be built or found here; a missing compiler or package leaves a peer out. */
export interface Peers {
  /** JSON.parse per line, of a file or of standard input. */
  jsonParse(input: string): string;
  simdjson: ((log: string, database: string) => string) | null;
  jackson: ((log: string) => string) | null;
  historyServer: ((log: string) => string) | null;
  duckdb: ((log: string, database: string) => string) | null;
  /** Profiling by spark-rapids-tools: its tables as files in a folder. */
  rapidsTools: ((log: string, folder: string) => string) | null;
  zstd: boolean;
  /** What was left out, and why. */
  missing: string[];
}

/**
 * @param folder for what is compiled
 * @param jars folder of a Spark distribution's jars (SPARK_HOME/jars, or those inside pyspark); null: none
 * @param python an interpreter that has duckdb
 * @param rapidsTools rapids-4-spark-tools_2.12-*.jar, which Python's package spark-rapids-user-tools holds; null: none
 */
export function findPeers(
  folder: string,
  jars: string | null,
  python: string,
  rapidsTools: string | null,
): Peers {
  mkdirSync(folder, { recursive: true });
  const missing: string[] = [];
  const or = <T>(what: string, found: T | null): T | null => {
    if (found === null) missing.push(what);
    return found;
  };
  const onJvm = jars === null ? null : compileJava(folder, jars);
  return {
    jsonParse: (input) => `"${process.execPath}" "${join(HERE, "json-parse.mjs")}" "${input}"`,
    simdjson: or("simdjson + sqlite3 (needs g++, libsimdjson-dev, libsqlite3-dev)", compileCpp(folder)),
    jackson: or(
      "Jackson (needs javac and Spark's jars: --spark-jars)",
      onJvm === null ? null : (log) => `${onJvm} ReadTree "${log}"`,
    ),
    historyServer: or(
      "History Server (needs javac and Spark's jars: --spark-jars)",
      onJvm === null ? null : (log) => `${onJvm} HistoryReplay "${log}"`,
    ),
    duckdb: or(
      "DuckDB (needs a Python with duckdb: --python)",
      spawnSync(python, ["-c", "import duckdb"]).status === 0
        ? (log, database) => `"${python}" "${join(HERE, "read_json.py")}" "${log}" "${database}"`
        : null,
    ),
    rapidsTools: or(
      "spark-rapids-tools (needs its jar and Spark's: --rapids-tools, --spark-jars)",
      jars !== null && rapidsTools !== null && existsSync(rapidsTools) && existsSync(jars)
        ? (log, out) => profiling(`java -Xmx6g -cp "${rapidsTools}:${jars}/*"`, log, out)
        : null,
    ),
    zstd: or("zstd", spawnSync("zstd", ["--version"]).status === 0 || null) ?? false,
    missing,
  };
}

function compileCpp(folder: string): Peers["simdjson"] {
  const out = join(folder, "simdjson-sqlite");
  const source = join(HERE, "simdjson-sqlite.cpp");
  const done = spawnSync("g++", [
    "-O3",
    "-march=native",
    "-std=c++17",
    source,
    "-o",
    out,
    "-lsimdjson",
    "-lsqlite3",
  ]);
  return done.status === 0 ? (log, database) => `"${out}" "${log}" "${database}"` : null;
}

/** @returns the start of a command that runs one of the Java peers */
function compileJava(folder: string, jars: string): string | null {
  if (!existsSync(jars)) return null;
  const classpath = `${folder}:${jars}/*`;
  const sources = ["ReadTree", "HistoryReplay"].map((name) => join(HERE, `${name}.java`));
  if (spawnSync("javac", ["-cp", classpath, "-d", folder, ...sources]).status !== 0) return null;
  return `java -Xmx6g -cp "${classpath}"`;
}

/** The tool takes what follows the last dot of a name for a codec, so it is given the log under another name. */
function profiling(java: string, log: string, out: string): string {
  const app = join(out, "app");
  return (
    `rm -rf "${out}"; mkdir -p "${out}"; ln -s "${log}" "${app}"; ` +
    `${java} com.nvidia.spark.rapids.tool.profiling.ProfileMain --csv --output-directory "${out}" "${app}" >"${out}/log" 2>&1`
  );
}

/** First line that a command prints about its version; "" where it is not there. */
export function versionOf(command: string, ...args: string[]): string {
  try {
    return (
      execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).split("\n")[0] ??
      ""
    );
  } catch {
    return "";
  }
}
