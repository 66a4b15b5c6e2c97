import stringWidth from "string-width";
import type { TableBlock } from "../blocks.ts";
import { plainLine } from "./escape.ts";

const GAP = 2;
const MIN_WIDTH = 8;

/** A table as lines of at most `width` terminal columns: the shrinking column is cut with an ellipsis. */
export function tableLines(table: TableBlock, width: number): string[] {
  const rows = [table.headings, ...table.rows.map((row) => row.map(plainLine))];
  const widths = table.headings.map((_, column) =>
    Math.max(...rows.map((row) => stringWidth(row[column] ?? ""))),
  );
  const total = widths.reduce((a, b) => a + b, 0) + GAP * (widths.length - 1);
  let excess = total - width;
  for (const column of shrinkOrder(table, widths)) {
    if (excess <= 0) break;
    const before = widths[column] ?? 0;
    widths[column] = Math.max(MIN_WIDTH, before - excess);
    excess -= before - (widths[column] ?? 0);
  }
  return rows.map((row) =>
    row
      .map((cell, column) =>
        pad(cutTo(cell, widths[column] ?? 0), widths[column] ?? 0, table.align[column] ?? "left"),
      )
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
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
  if (stringWidth(text) <= width) return text;
  let cut = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(cut + segment) > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

function pad(text: string, width: number, align: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, width - stringWidth(text)));
  return align === "right" ? space + text : text + space;
}

/** Breaks a text at spaces into lines of at most `width` columns; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && stringWidth(`${line} ${word}`) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines;
}
