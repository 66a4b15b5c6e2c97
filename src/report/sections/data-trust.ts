import { formatBytes } from "../../format/bytes.ts";
import { formatCount } from "../../format/count.ts";
import type { Block } from "../blocks.ts";
import { defineSection } from "./section.ts";

/** First thing to know of any number below: whether the log was whole. */
export const dataTrust = defineSection({
  id: "data-trust",
  title: "Data",
  build({ log, application }) {
    const serious = log.issues.filter((issue) => issue.severity !== "info");
    const size = `${formatCount(log.events)} events, ${formatBytes(log.uncompressedBytes)} of text in ${log.parts.length === 1 ? "one file" : `${log.parts.length} files`} (${log.codec})`;
    const whole = serious.length === 0 && application.complete && log.slice === null;
    const head: Block = whole
      ? { kind: "text", tone: "good", text: `Complete: ${size}; nothing was lost.` }
      : {
          kind: "text",
          tone: "warn",
          text: `Not complete: ${size}. Numbers that rest on missing data are lower bounds.`,
        };
    const issues = log.issues.map((issue) => {
      const where = [
        issue.part !== null && log.parts.length > 1 ? `part ${issue.part + 1}` : null,
        issue.line === null ? null : `line ${issue.line}`,
        issue.byteOffset === null ? null : `byte ${issue.byteOffset}`,
      ].filter(Boolean);
      // Messages that count say so at their head.
      const times =
        issue.count > 1 && !/^\d/.test(issue.message) ? ` (${formatCount(issue.count)} times)` : "";
      return `${issue.code}: ${issue.message}${where.length > 0 ? ` [${where.join(", ")}]` : ""}${times}`;
    });
    return issues.length > 0 ? [head, { kind: "list", items: issues }] : [head];
  },
});
