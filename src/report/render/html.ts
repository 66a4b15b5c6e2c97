import type { Block, RenderedSection, TableBlock } from "../blocks.ts";
import { htmlText } from "./escape.ts";

const CSS = `
:root{color-scheme:light dark;--ink:#1d2330;--paper:#fff;--muted:#5d6778;--line:#d9dee7;--good:#17713a;--warn:#8a5a00;--bad:#b3201f;--bar:#4a7bd0}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ef;--paper:#14171d;--muted:#9aa5b5;--line:#323945;--good:#63c788;--warn:#e0b050;--bad:#ff8a80;--bar:#6d9bea}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:68rem;margin:2rem auto;padding:0 1.25rem}
h1{font-size:1.45rem;line-height:1.3;margin:0 0 1rem}h2{font-size:1.05rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line);padding-bottom:.25rem}
p{margin:.4rem 0;overflow-wrap:anywhere}ul{margin:.4rem 0;padding-left:1.3rem}.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;width:100%}th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{font-weight:600;color:var(--muted);white-space:nowrap}.right{text-align:right;white-space:nowrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem;margin:.4rem 0}dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}
.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}.muted{color:var(--muted)}
.bars{display:grid;grid-template-columns:max-content 1fr max-content;gap:.25rem .8rem;align-items:center}.bars i{display:block;height:.8rem;background:var(--bar);border-radius:2px;min-width:1px}
`.trim();

/** One HTML file without scripts, links or anything fetched; a policy in its head forbids both. */
export function renderHtml(title: string, sections: readonly RenderedSection[]): string {
  const body = sections.map((section, at) => {
    const heading =
      section.title === "" ? "" : `<h2 id="${htmlText(section.id)}">${htmlText(section.title)}</h2>`;
    const [first, ...rest] = section.blocks;
    // The verdict is the page's headline.
    const blocks =
      at === 0 && first?.kind === "text"
        ? [`<h1${tone(first.tone)}>${htmlText(first.text)}</h1>`, ...rest.map(block)]
        : section.blocks.map(block);
    return `<section>${heading}${blocks.join("\n")}</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${htmlText(title)}</title>
<style>${CSS}</style>
</head>
<body>
${body.join("\n")}
</body>
</html>
`;
}

function tone(name: string | undefined): string {
  return name ? ` class="${name}"` : "";
}

function block(block: Block): string {
  switch (block.kind) {
    case "text":
      return `<p${tone(block.tone)}>${htmlText(block.text)}</p>`;
    case "list":
      return `<ul>${block.items.map((item) => `<li>${htmlText(item)}</li>`).join("")}</ul>`;
    case "table":
      return table(block);
    case "key-values":
      return `<dl>${block.rows.map(([name, value]) => `<dt>${htmlText(name)}</dt><dd>${htmlText(value)}</dd>`).join("")}</dl>`;
    case "bars":
      return `<div class="bars">${block.rows
        .map(
          (row) =>
            `<span>${htmlText(row.label)}</span><i style="width:${(Math.max(0, Math.min(1, row.share)) * 100).toFixed(1)}%"></i><span>${htmlText(row.text)}</span>`,
        )
        .join("")}</div>`;
  }
}

function table(block: TableBlock): string {
  const cell = (tag: string, text: string, at: number) =>
    `<${tag}${block.align[at] === "right" ? ' class="right"' : ""}>${htmlText(text)}</${tag}>`;
  const head = block.headings.map((text, at) => cell("th", text, at)).join("");
  const rows = block.rows.map(
    (row, at) =>
      `<tr${tone(block.tones?.[at])}>${block.headings.map((_, column) => cell("td", row[column] ?? "", column)).join("")}</tr>`,
  );
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}
