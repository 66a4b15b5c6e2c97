import type { Block, RenderedSection, TableBlock } from "../blocks.ts";
import { markdownText } from "./escape.ts";

/** Sections as Markdown for a ticket. The first line is the first section's first text: the verdict. */
export function renderMarkdown(sections: readonly RenderedSection[]): string {
  const parts = sections.map((section) => {
    const title = section.title === "" ? [] : [`### ${markdownText(section.title)}`];
    return [...title, ...section.blocks.map(block)].join("\n\n");
  });
  return `${parts.join("\n\n")}\n`;
}

function block(block: Block): string {
  switch (block.kind) {
    case "text":
      return block.tone === "bad" || block.tone === "warn"
        ? `**${markdownText(block.text)}**`
        : markdownText(block.text);
    case "list":
      return block.items.map((item) => `- ${markdownText(item)}`).join("\n");
    case "table":
      return table(block);
    case "key-values":
      return block.rows.map(([name, value]) => `- ${markdownText(name)}: ${markdownText(value)}`).join("\n");
    case "bars":
      return block.rows.map((row) => `- ${markdownText(row.label)}: ${markdownText(row.text)}`).join("\n");
  }
}

function table(block: TableBlock): string {
  const line = (cells: readonly string[]) =>
    `| ${block.headings.map((_, at) => markdownText(cells[at] ?? "")).join(" | ")} |`;
  const rule = `|${block.headings.map((_, at) => (block.align[at] === "right" ? " ---: " : " --- ")).join("|")}|`;
  return [line(block.headings), rule, ...block.rows.map(line)].join("\n");
}
