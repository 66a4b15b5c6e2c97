/** Numbers texts in the order in which they are first seen: long texts are compared once, then their numbers are. */
export class Numbers {
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}
