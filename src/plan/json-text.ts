/**
 * JSON text of a parsed value. JSON.stringify is recursive and gives up on plans some 2,500 nodes deep, and it refuses
 * bigint; both are written here piece by piece.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return writeSlowly(value);
  }
}

/** What is still to be written: text as it is, or a value. */
type Todo = { text: string } | { value: unknown };

function writeSlowly(root: unknown): string {
  const out: string[] = [];
  const todo: Todo[] = [{ value: root }];
  for (let next = todo.pop(); next; next = todo.pop()) {
    if ("text" in next) out.push(next.text);
    else if (Array.isArray(next.value))
      pushMembers(
        todo,
        "[",
        "]",
        next.value.map((item) => ["", item]),
      );
    else if (typeof next.value === "object" && next.value !== null) {
      const members = Object.entries(next.value).map(([key, item]): [string, unknown] => [
        `${JSON.stringify(key)}:`,
        item,
      ]);
      pushMembers(todo, "{", "}", members);
    } else
      out.push(typeof next.value === "bigint" ? `${next.value}` : (JSON.stringify(next.value) ?? "null"));
  }
  return out.join("");
}

function pushMembers(todo: Todo[], open: string, close: string, members: [string, unknown][]): void {
  todo.push({ text: close });
  for (let at = members.length - 1; at >= 0; at--) {
    const member = members[at];
    if (member) todo.push({ value: member[1] }, { text: (at === 0 ? "" : ",") + member[0] });
  }
  todo.push({ text: open });
}
