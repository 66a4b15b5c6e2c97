/**
 * Who may import whom: docs/architecture.md says it in words, test/architecture.test.ts runs it.
 * Files at the top of src that anyone may import: errors.ts, issues.ts, json.ts; and the row types of store/rows.ts.
 */
const BASE = ["errors.ts", "issues.ts", "json.ts", "scratch-file.ts", "write-all.ts", "store/rows.ts", "webassembly.d.ts"];

const MAY_IMPORT = {
  format: [],
  stats: [],
  queries: ["stats"],
  plan: [],
  codecs: [],
  input: ["codecs"],
  tasks: [],
  store: ["queries", "stats", "tasks"],
  model: ["plan", "stats", "tasks"],
  events: ["model", "tasks"],
  reading: ["codecs", "input", "tasks"],
  ingest: ["events", "input/event-log.ts", "model", "reading", "store", "tasks"],
  findings: ["format", "plan", "queries", "stats"],
  report: ["findings", "format", "model/removal-class.ts", "plan", "queries", "stats"],
  scan: ["analyze-log.ts", "input", "report/report.ts"],
  cli: ["analyze-log.ts", "scan", "findings", "format", "ingest/slice.ts", "input", "plan", "queries", "reading/reader-worker.ts", "report", "store"],
};

const folderRules = Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
  name: `${folder}-imports`,
  severity: "error",
  from: { path: `^src/${folder}/` },
  to: {
    path: "^src/",
    pathNot: [folder, ...allowed, ...BASE].map((name) => `^src/${name.replace(".", "\\.")}${name.endsWith(".ts") ? "$" : "/"}`),
  },
}));

/** Each package, and node:fs, has a home. */
const FENCES = [
  ["better-sqlite3", "node_modules/better-sqlite3", "^src/store/"],
  ["commander", "node_modules/commander", "^src/cli/"],
  ["stream-json", "node_modules/stream-json", "^src/reading/"],
  ["zstd", "node_modules/zstd", "^src/codecs/"],
  ["lz4", "node_modules/lz4", "^src/codecs/"],
  ["terminal-width", "node_modules/string-width", "^src/report/render/"],
  ["files", "^(node:)?fs(/promises)?$", "^src/(analyze-log\\.ts|store/|input/|cli/|(scratch-file|write-all)\\.ts|ingest/sorted-runs\\.ts|reading/reader-worker\\.ts)"],
];

const fenceRules = FENCES.map(([name, path, home]) => ({
  name: `${name}-fence`,
  severity: "error",
  from: { path: "^src/", pathNot: home },
  to: { path },
}));

export default {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } } },
    { name: "no-tests-in-src", severity: "error", from: { path: "^src/" }, to: { path: "^(test|benchmarks)/" } },
    {
      name: "renderers-see-the-report-only",
      severity: "error",
      from: { path: "^src/report/render/" },
      to: { path: "^src/", pathNot: ["^src/report/(render|sections)/", "^src/report/(report|blocks)\\.ts$", "^src/format/"] },
    },
    {
      name: "sections-see-the-report-only",
      severity: "error",
      from: { path: "^src/report/sections/" },
      to: { path: "^src/", pathNot: ["^src/report/sections/", "^src/report/(report|blocks)\\.ts$", "^src/format/", "^src/findings/"] },
    },
    ...folderRules,
    ...fenceRules,
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
  },
};
