import { styleText } from "node:util";
import type { Block, KeyValuesBlock, RenderedSection, TableBlock, Tone } from "../blocks.ts";
import { plainLine } from "./escape.ts";
import { cutTo, tableRows, wrap } from "./text-table.ts";

export interface TerminalOptions {
  /** Terminal columns. */
  width: number;
  color: boolean;
}

const STYLE = { good: "green", warn: "yellow", bad: "red", muted: "dim" } as const;

/** Sections as text for a terminal. Nothing of the log reaches the terminal as a control sequence. */
export function renderTerminal(sections: readonly RenderedSection[], options: TerminalOptions): string {
  const parts = sections.map((section) => {
    const heading = plainLine(section.title);
    const body = section.blocks.flatMap((block) => blockLines(block, options));
    const title = heading === "" ? [] : [options.color ? styleText("bold", heading) : heading];
    return [...title, ...body].join("\n");
  });
  return `${parts.join("\n\n")}\n`;
}

function paint(text: string, tone: Tone | undefined, color: boolean): string {
  return tone && color ? styleText(STYLE[tone], text) : text;
}

function blockLines(block: Block, options: TerminalOptions): string[] {
  switch (block.kind) {
    case "text":
      return wrap(plainLine(block.text), options.width).map((line) => paint(line, block.tone, options.color));
    case "list":
      return block.items.flatMap((item) =>
        wrap(plainLine(item), options.width - 4).map((line, at) => `${at === 0 ? "  - " : "    "}${line}`),
      );
    case "table":
      return table(block, options);
    case "key-values":
      return keyValues(block, options.width);
    case "bars":
      return block.rows.map((row) => {
        const bar = "█".repeat(Math.round(Math.max(0, Math.min(1, row.share)) * 24)) || "▏";
        return `  ${cutTo(plainLine(row.label), 22).padEnd(22)} ${bar.padEnd(24)} ${plainLine(row.text)}`;
      });
  }
}

function table(block: TableBlock, options: TerminalOptions): string[] {
  const [head = [], ...rows] = tableRows(block, options.width - 2);
  return [
    ...head.map((line) => `  ${options.color ? styleText("dim", line) : line}`),
    ...rows.flatMap((lines, at) => lines.map((line) => `  ${paint(line, block.tones?.[at], options.color)}`)),
  ];
}

function keyValues(block: KeyValuesBlock, width: number): string[] {
  const label = Math.max(0, ...block.rows.map(([name]) => name.length));
  return block.rows.flatMap(([name, value]) =>
    wrap(plainLine(value), width - label - 4).map(
      (line, at) => `  ${(at === 0 ? name : "").padEnd(label)}  ${line}`,
    ),
  );
}
