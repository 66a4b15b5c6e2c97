import type { RenderedSection } from "../blocks.ts";
import type { Report } from "../report.ts";
import { SECTIONS } from "../sections/index.ts";
import { renderHtml } from "./html.ts";
import { jsonPieces } from "./json.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";

export const FORMATS = ["text", "md", "html", "json"] as const;
export type Format = (typeof FORMATS)[number];

/** A report as text in one of the formats. The terminal options concern "text" only. */
export function render(report: Report, format: Format, terminal: TerminalOptions): string {
  return [...renderPieces(report, format, terminal)].join("");
}

/** The same in pieces: JSON grows with the log and need not be held whole. */
export function* renderPieces(report: Report, format: Format, terminal: TerminalOptions): Generator<string> {
  switch (format) {
    case "json":
      return yield* jsonPieces(report);
    case "md":
      return yield renderMarkdown(sectionsOf(report));
    case "html":
      return yield renderHtml(
        `${report.application.name ?? "Spark application"} - sparklog`,
        sectionsOf(report),
      );
    case "text":
      return yield renderTerminal(sectionsOf(report), terminal);
  }
}

function sectionsOf(report: Report): RenderedSection[] {
  return SECTIONS.map(({ id, title, build }) => ({ id, title, blocks: build(report) })).filter(
    (section) => section.blocks.length > 0,
  );
}
