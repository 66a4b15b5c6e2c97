import { APP_CAUSES, STAGE_CAUSES } from "./causes/index.ts";
import { LIMITS, type LimitName, type Limits } from "./limits.ts";
import { RULES } from "./rules/index.ts";

/** What `sparklog explain` and docs/findings.md say about one rule. */
export interface Explanation {
  rule: string;
  /** cause: may be the verdict; remark: worth knowing. */
  kind: "cause" | "remark";
  about: string;
  check: string;
  limits: { name: LimitName; value: number; unit: string; meaning: string; source: string }[];
}

/** Every rule, causes first, in the order in which they are tried. */
export function explainAll(limits?: Limits): Explanation[] {
  const causes = [...APP_CAUSES.slice(0, 1), ...STAGE_CAUSES, ...APP_CAUSES.slice(1)].map((cause) => ({
    ...cause,
    rule: cause.cause,
    kind: "cause" as const,
  }));
  const remarks = RULES.map((rule) => ({ ...rule, kind: "remark" as const }));
  return [...causes, ...remarks].map(({ rule, kind, about, check, limits: names }) => ({
    rule,
    kind,
    about,
    check,
    limits: names.map((name) => ({ name, ...LIMITS[name], value: limits?.[name] ?? LIMITS[name].value })),
  }));
}

/** One rule in words; null: there is no such rule. */
export function explain(rule: string, limits?: Limits): string | null {
  const found = explainAll(limits).find((e) => e.rule === rule);
  return found ? explanationText(found) : null;
}

export function explanationText({ rule, kind, about, check, limits }: Explanation): string {
  const lines = [
    `${rule} (${kind === "cause" ? "a cause that may be the verdict" : "a remark, never the verdict"})`,
    "",
    about,
    "",
    `Check it in the Spark UI: ${check}`,
  ];
  if (limits.length > 0)
    lines.push("", 'Limits (each may be changed in the configuration file, under "limits"):');
  for (const limit of limits) {
    lines.push(
      `  ${limit.name} = ${limitText(limit.value, limit.unit)}: ${limit.meaning} (source: ${limit.source})`,
    );
  }
  return `${lines.join("\n")}\n`;
}

export function limitText(value: number, unit: string): string {
  if (unit === "share") return `${Number((value * 100).toFixed(2))} %`;
  if (unit === "ms") return value >= 1000 ? `${value / 1000} s` : `${value} ms`;
  if (unit === "bytes") return value >= 1024 ** 3 ? `${value / 1024 ** 3} GiB` : `${value / 1024 ** 2} MiB`;
  return `${value}${unit === "ratio" ? "x" : ""}`;
}
