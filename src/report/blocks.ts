/** How a reader should take a text: colour in a terminal, a class in HTML, nothing in Markdown. */
export type Tone = "good" | "warn" | "bad" | "muted";

export interface TextBlock {
  kind: "text";
  text: string;
  tone?: Tone;
}

export interface ListBlock {
  kind: "list";
  items: string[];
}

/** Cells are plain text; each renderer escapes and aligns them. */
export interface TableBlock {
  kind: "table";
  headings: string[];
  /** One a column: "right" for numbers. */
  align: ("left" | "right")[];
  rows: string[][];
  /** Tone of the row with the same index. */
  tones?: (Tone | undefined)[];
  /** Column that gives way when the table is too wide; by default the widest left one. */
  shrink?: number;
  /** True where that column holds sentences: a terminal breaks them into lines instead of cutting them. */
  wrap?: boolean;
}

export interface KeyValuesBlock {
  kind: "key-values";
  rows: [string, string][];
}

/** Horizontal bars: a value 0 .. 1 and the text beside it. */
export interface BarsBlock {
  kind: "bars";
  rows: { label: string; share: number; text: string }[];
}

/** The closed set of what a report consists of: a new kind needs a case in each renderer. */
export type Block = TextBlock | ListBlock | TableBlock | KeyValuesBlock | BarsBlock;

export interface RenderedSection {
  id: string;
  title: string;
  blocks: Block[];
}
