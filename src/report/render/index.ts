import type { RenderedSection } from "../blocks.ts";
import type { Report } from "../report.ts";
import { SECTIONS } from "../sections/index.ts";
import { renderHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";

export const FORMATS = ["text", "md", "html", "json"] as const;
export type Format = (typeof FORMATS)[number];

/** A report as text in one of the formats. The terminal options concern "text" only. */
export function render(report: Report, format: Format, terminal: TerminalOptions): string {
  switch (format) {
    case "json":
      return renderJson(report);
    case "md":
      return renderMarkdown(sectionsOf(report));
    case "html":
      return renderHtml(`${report.application.name ?? "Spark application"} - sparklog`, sectionsOf(report));
    case "text":
      return renderTerminal(sectionsOf(report), terminal);
  }
}

function sectionsOf(report: Report): RenderedSection[] {
  return SECTIONS.map(({ id, title, build }) => ({ id, title, blocks: build(report) })).filter(
    (section) => section.blocks.length > 0,
  );
}
