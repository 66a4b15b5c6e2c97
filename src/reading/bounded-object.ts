type Container = Record<string, unknown> | unknown[];

/** An array or object below the event that outgrows this is left out. Sizes are characters and VALUE_SIZE a value. */
const MAX_CONTAINER_SIZE = 16 * 1024 * 1024;
const MAX_TOTAL_SIZE = 24 * 1024 * 1024;
const VALUE_SIZE = 32;
const MAX_NAMED_KEYS = 50;

interface Level {
  container: Container;
  /** Of the value to come; undefined: it is to be left out. */
  key: string | undefined;
  size: number;
}

/** Builds an object from a stream of values and leaves out what outgrows its bounds. */
export class BoundedObject {
  /** From the event itself to the innermost container that is open and kept. */
  readonly #levels: Level[] = [];
  readonly #dropped = new Set<string>();
  /** Containers that are open but left out, innermost of all. */
  #leftOut = 0;
  #total = 0;
  #whole: Container | undefined;

  get depth(): number {
    return this.#levels.length + this.#leftOut;
  }

  /** The object, once its last brace was seen. */
  whole(): Record<string, unknown> | undefined {
    return Array.isArray(this.#whole) ? undefined : this.#whole;
  }

  droppedKeys(): string[] {
    return [...this.#dropped];
  }

  key(name: string | undefined): void {
    const level = this.#levels.at(-1);
    if (this.#leftOut === 0 && level) level.key = name;
  }

  add(value: unknown, characters: number): void {
    const level = this.#levels.at(-1);
    if (this.#leftOut > 0 || !level) return;
    const size = characters + VALUE_SIZE;
    if (this.#levels.length === 1 && this.#total + size > MAX_TOTAL_SIZE) {
      this.drop();
      return;
    }
    attach(level, value);
    level.size += size;
    this.#total += size;
    if (level.size > MAX_CONTAINER_SIZE || this.#total > MAX_TOTAL_SIZE) this.#dropOversized();
  }

  /** Leaves the value to come out and names it. */
  drop(): void {
    if (this.#leftOut === 0) this.#name(this.#levels.length);
  }

  open(container: Container): void {
    const level = this.#levels.at(-1);
    if (this.#leftOut > 0 || (level && !Array.isArray(level.container) && level.key === undefined)) {
      this.#leftOut++;
    } else {
      this.#levels.push({ container, key: undefined, size: VALUE_SIZE });
      this.#total += VALUE_SIZE;
    }
  }

  close(): void {
    if (this.#leftOut > 0) {
      this.#leftOut--;
      return;
    }
    const level = this.#levels.pop();
    const parent = this.#levels.at(-1);
    if (!level) return;
    if (!parent) {
      this.#whole = level.container;
      return;
    }
    attach(parent, level.container);
    parent.size += level.size;
    if (parent.size > MAX_CONTAINER_SIZE) this.#dropOversized();
  }

  /**
   * A child of the event goes as a whole if it is a plan or a list: half of one would be wrong. Of other children
   * (Task Info, Stage Info) only the child that is too large goes.
   */
  #dropOversized(): void {
    const child = this.#levels[1];
    if (!child) return;
    const name = String(this.#levels[0]?.key);
    const whole = Array.isArray(child.container) || /plan/i.test(name);
    const from = whole || this.#levels.length === 2 ? 1 : 2;
    this.#name(from);
    const gone = this.#levels.splice(from);
    this.#leftOut = gone.length;
    for (const level of gone) this.#total -= level.size;
  }

  /** Names what hangs below the first `count` levels. */
  #name(count: number): void {
    const keys = this.#levels
      .slice(0, count)
      .flatMap((level) => (Array.isArray(level.container) ? [] : (level.key ?? [])));
    if (this.#dropped.size < MAX_NAMED_KEYS) this.#dropped.add(keys.join("."));
  }
}

function attach(level: Level, value: unknown): void {
  if (Array.isArray(level.container)) level.container.push(value);
  else if (level.key !== undefined && level.key !== "__proto__") level.container[level.key] = value;
}
