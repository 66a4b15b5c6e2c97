import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { explainAll, limitText } from "../src/findings/explain.ts";
import { LIMITS } from "../src/findings/limits.ts";

/** docs/findings.md, made of what the rules say about themselves. A test holds the file to it. */
export function findingsDocument(): string {
  const rules = explainAll();
  const section = (title: string, kind: "cause" | "remark"): string[] => [
    `## ${title}`,
    "",
    ...rules
      .filter((rule) => rule.kind === kind)
      .flatMap(({ rule, about, check, limits }) => [
        `### ${rule}`,
        "",
        about,
        "",
        `Check it in the Spark UI: ${check}`,
        "",
        ...(limits.length > 0
          ? [
              `Limits: ${limits.map((limit) => `\`${limit.name}\` ${limitText(limit.value, limit.unit)}`).join(", ")}.`,
              "",
            ]
          : []),
      ]),
  ];
  return [
    "# Findings",
    "",
    "Written by `npm run docs` from the rules themselves; do not edit. `sparklog explain RULE` prints the same.",
    "",
    "A report names one first cause, the verdict. A cause holds where its limit is passed and a perfect fix would save enough wall",
    "clock: a tenth of its stage, a twentieth of the run and three seconds. The price comes from replaying the stage's own tasks on the",
    "cores it had. What only follows from the first cause is listed as its consequence. Remarks are worth knowing and never the verdict.",
    "",
    ...section("Causes", "cause"),
    ...section("Remarks", "remark"),
    "## Limits",
    "",
    "Each may be changed in the configuration file, under `limits`. Source: Spark's documentation or code; field: practice that",
    "several tools and guides share; calibrated: set and held by the labelled set (accuracy.md).",
    "",
    "| Limit | Value | Meaning | Source |",
    "|---|--:|---|---|",
    ...Object.entries(LIMITS).map(
      ([name, limit]) =>
        `| ${name} | ${limitText(limit.value, limit.unit)} | ${limit.meaning} | ${limit.source} |`,
    ),
    "",
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("findings.md", import.meta.url), findingsDocument());
}
