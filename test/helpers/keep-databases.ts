import Database from "better-sqlite3";

/**
 * Keeps every database handle that a test file uses until its process ends: better-sqlite3 12 aborts Node 24 when a
 * handle is collected while Node shuts down.
 */
const used = new Set<unknown>();

for (const method of ["exec", "prepare", "pragma"] as const) {
  const original = Database.prototype[method] as (...values: unknown[]) => unknown;
  Object.defineProperty(Database.prototype, method, {
    configurable: true,
    writable: true,
    value(this: unknown, ...values: unknown[]) {
      used.add(this);
      return original.apply(this, values);
    },
  });
}
