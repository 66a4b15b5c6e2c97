import Database from "better-sqlite3";

/**
 * better-sqlite3, with its handles kept where Node would abort on their collection: the headers of Node 24 make the
 * native objects of better-sqlite3 12 ask for an environment while they are collected, where there is none. Version 13
 * is not concerned, but cannot run on Node 20. A handle of a closed database holds next to nothing.
 */
const NODE_MAJOR = Number(process.versions.node.split(".")[0]);

if (NODE_MAJOR >= 24) keepHandles();

function keepHandles(): void {
  const handles: unknown[] = [];
  const prepare = Database.prototype.prepare as (this: Database.Database, sql: string) => Database.Statement;
  let iterates = false;
  replace(Database.prototype, "prepare", function (this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql);
    handles.push(this, statement);
    if (!iterates) keepIterators(Object.getPrototypeOf(statement) as object, handles);
    iterates = true;
    return statement;
  });
  // The package's own pragma() makes a statement that nobody holds.
  replace(
    Database.prototype,
    "pragma",
    function (this: Database.Database, source: string, options?: { simple?: boolean }) {
      const statement = this.prepare(`PRAGMA ${source}`);
      if (!statement.reader) return [statement.run()];
      return options?.simple ? statement.pluck().get() : statement.all();
    },
  );
}

function keepIterators(prototype: object, handles: unknown[]): void {
  const iterate = (prototype as { iterate: (...values: unknown[]) => unknown }).iterate;
  replace(prototype, "iterate", function (this: unknown, ...values: unknown[]) {
    const rows = iterate.apply(this, values);
    handles.push(rows);
    return rows;
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the signatures are those of the methods they stand for
function replace(target: object, name: string, value: (...values: any[]) => unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
}

export { Database };
