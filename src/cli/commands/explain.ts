import type { Command } from "commander";
import { UserError } from "../../errors.ts";
import { explain, explainAll } from "../../findings/explain.ts";
import { readLimits } from "../limits-file.ts";
import { writeResult } from "../output.ts";

interface Flags {
  config?: string;
}

export function addExplain(program: Command): void {
  program
    .command("explain")
    .description("say what a rule means, its limits and their source, and how to check it in the Spark UI")
    .argument("[rule]", "a cause or remark, such as skew; without it all are listed")
    .option("--config <file>", 'limits of your own: JSON such as {"limits": {"skewFail": 10}}')
    .addHelpText(
      "before",
      `Examples:
  sparklog explain
  sparklog explain skew`,
    )
    .action((rule: string | undefined, flags: Flags) => {
      const limits = readLimits(flags.config);
      if (rule === undefined) {
        const width = Math.max(...explainAll().map((e) => e.rule.length));
        writeResult(
          explainAll()
            .map((e) => `${e.rule.padEnd(width)}  ${firstSentence(e.about)}\n`)
            .join(""),
          undefined,
        );
        return;
      }
      const text = explain(rule, limits);
      if (text === null) throw new UserError(`there is no rule ${rule}`, "sparklog explain lists them.");
      writeResult(text, undefined);
    });
}

function firstSentence(text: string): string {
  return text.split(/(?<=[.:;])\s/, 1)[0]?.replace(/[.:;]$/, "") ?? "";
}
