import type { Block } from "../blocks.ts";
import type { Report } from "../report.ts";

/** One part of a printed report: it reads the report and returns data; the renderers draw it. */
export interface Section {
  id: string;
  /** "" for a part without a heading. */
  title: string;
  /** No block: the section is left out. */
  build(report: Report): Block[];
}

export function defineSection(section: Section): Section {
  return section;
}
