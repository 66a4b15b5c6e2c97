import fc from "fast-check";
import { expect, test } from "vitest";
import type { RenderedSection } from "../../src/report/blocks.ts";
import { renderHtml } from "../../src/report/render/html.ts";
import { renderMarkdown } from "../../src/report/render/markdown.ts";
import { renderTerminal } from "../../src/report/render/terminal.ts";

const HOSTILE = [
  "\u001b[31mred\u001b]0;title\u0007",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "a | b\n| c | d |",
  "[link](http://evil.example) @team `code` **bold**",
  "\u202eevil\u0000\u009b",
  "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字",
];

function sections(text: string): RenderedSection[] {
  return [
    {
      id: "s",
      title: text,
      blocks: [
        { kind: "text", text, tone: "bad" },
        { kind: "list", items: [text] },
        { kind: "key-values", rows: [["name", text]] },
        { kind: "bars", rows: [{ label: text, share: 0.5, text }] },
        {
          kind: "table",
          headings: ["a", "b"],
          align: ["left", "right"],
          rows: [[text, text]],
          tones: ["good"],
        },
      ],
    },
  ];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

test("no text of a log reaches a terminal as a control sequence", () => {
  for (const text of HOSTILE)
    expect(renderTerminal(sections(text), { width: 80, color: false })).not.toMatch(CONTROL);
});

test("no text of a log becomes markup in HTML", () => {
  for (const text of HOSTILE) {
    const html = renderHtml(text, sections(text));
    expect(html).not.toMatch(/<(script|img)\b/i);
    expect(html).not.toMatch(CONTROL);
    expect(html.match(/</g)?.length).toBe(renderHtml("x", sections("x")).match(/</g)?.length);
  }
});

test("a Markdown table stays a table whatever a cell holds", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom(...HOSTILE)), (text) => {
      const lines = renderMarkdown(sections(text))
        .split("\n")
        .filter((line) => line.startsWith("| "));
      expect(lines).toHaveLength(3);
      for (const line of lines) expect(line.match(/(?<!\\)(?:\\\\)*\|/g)).toHaveLength(3);
    }),
  );
});

test("a table fits the terminal by cutting its long column, not its numbers", () => {
  const text = renderTerminal(
    [
      {
        id: "t",
        title: "T",
        blocks: [
          {
            kind: "table",
            headings: ["Stage", "Name"],
            align: ["right", "left"],
            rows: [["123456789", "count at a very long place ".repeat(10)]],
          },
        ],
      },
    ],
    { width: 60, color: false },
  );
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  expect(text).toContain("123456789  count at a very long place");
  expect(text).toContain("…");
});

test("the page fetches nothing and runs nothing", () => {
  const html = renderHtml("t", sections("x"));
  expect(html).toContain("default-src 'none'");
  expect(html).not.toMatch(/\b(src|href)=/);
});
