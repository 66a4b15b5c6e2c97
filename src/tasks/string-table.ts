/** Numbers the texts that many tasks share (executor ids, hosts), per log, from 0. Rows of log_string. */
export class StringTable {
  readonly #ids = new Map<string, number>();
  readonly #texts: string[] = [];

  id(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#texts.length;
    this.#ids.set(text, id);
    this.#texts.push(text);
    return id;
  }

  text(id: number): string | undefined {
    return this.#texts[id];
  }

  get texts(): readonly string[] {
    return this.#texts;
  }
}
