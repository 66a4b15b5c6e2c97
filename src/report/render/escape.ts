/** C0 and C1 control characters (ESC among them), and those that reverse the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be kept out
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text of a log as one line that a terminal prints and does not obey. */
export function plainLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ").replace(CONTROL, "\ufffd");
}

/** The same inside a Markdown table cell or paragraph: no markup, no link, no mention, no HTML. */
export function markdownText(text: string): string {
  return plainLine(text)
    .replace(/[\\`*_[\]|~#]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/@(?=\w)/g, "@\u2060")
    .replace(/(https?|ftp):\/\//gi, "$1:\u2060//");
}

/** The same inside HTML text or a quoted attribute. */
export function htmlText(text: string): string {
  return plainLine(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;");
}
