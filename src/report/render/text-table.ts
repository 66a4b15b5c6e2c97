import stringWidth from "string-width";
import type { TableBlock } from "../blocks.ts";
import { plainLine } from "./escape.ts";

const GAP = 2;
const MIN_WIDTH = 8;

const PRINTABLE_ASCII = /^[ -~]*$/;

/** Terminal columns of a text. Nearly all texts are ASCII, where counting is a hundred times faster than measuring. */
function columnsOf(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : stringWidth(text);
}

/**
 * A table as rows of lines of at most `width` terminal columns, headings first. The shrinking column is cut with an
 * ellipsis, or broken into lines where the table asks for it.
 */
export function tableRows(table: TableBlock, width: number): string[][] {
  const rows = [table.headings, ...table.rows.map((row) => row.map(plainLine))];
  const widths = fittedWidths(table, rows, width);
  return rows.map((row) => {
    const cells = table.headings.map((_, column) => {
      const text = row[column] ?? "";
      const room = widths[column] ?? 0;
      return column === table.shrink && table.wrap
        ? wrap(text, room).map((line) => cutTo(line, room))
        : [cutTo(text, room)];
    });
    const height = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((cell, column) => pad(cell[line] ?? "", widths[column] ?? 0, table.align[column] ?? "left"))
        .join(" ".repeat(GAP))
        .trimEnd(),
    );
  });
}

/** The same as lines. */
export function tableLines(table: TableBlock, width: number): string[] {
  return tableRows(table, width).flat();
}

function fittedWidths(table: TableBlock, rows: readonly string[][], width: number): number[] {
  const widths = table.headings.map((_, column) =>
    Math.max(...rows.map((row) => columnsOf(row[column] ?? ""))),
  );
  let excess = widths.reduce((a, b) => a + b, 0) + GAP * (widths.length - 1) - width;
  for (const column of shrinkOrder(table, widths)) {
    if (excess <= 0) break;
    const before = widths[column] ?? 0;
    widths[column] = Math.max(MIN_WIDTH, before - excess);
    excess -= before - (widths[column] ?? 0);
  }
  return widths;
}

function shrinkOrder(table: TableBlock, widths: readonly number[]): number[] {
  const left = widths
    .map((_, column) => column)
    .filter((column) => table.align[column] !== "right" && column !== table.shrink)
    .sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
  return table.shrink === undefined ? left : [table.shrink, ...left];
}

/** Cuts a text to so many terminal columns; wide and combined characters stay whole. */
export function cutTo(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let cut = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (columnsOf(cut + segment) > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

function pad(text: string, width: number, align: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, width - columnsOf(text)));
  return align === "right" ? space + text : text + space;
}

/** Breaks a text at spaces into lines of at most `width` columns; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    const wide = columnsOf(word);
    if (line !== "" && used + 1 + wide > width) {
      lines.push(line);
      line = word;
      used = wide;
    } else {
      used += wide + (line === "" ? 0 : 1);
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines;
}
