const FIRST_SLOTS = 256;
const EMPTY = -1;

/** A number by id, in typed arrays of at most 32 bytes an id: a Map's table would count as much and more with every collection. */
export class IdNumbers {
  #ids = new Float64Array(FIRST_SLOTS).fill(EMPTY);
  #numbers = new Float64Array(FIRST_SLOTS);
  #size = 0;

  get(id: number): number | undefined {
    const slot = this.#slot(id);
    return this.#ids[slot] === id ? this.#numbers[slot] : undefined;
  }

  set(id: number, number: number): void {
    let slot = this.#slot(id);
    if (this.#ids[slot] === EMPTY) {
      this.#size++;
      if (3 * this.#size > 2 * this.#ids.length) {
        this.#grow();
        slot = this.#slot(id);
      }
      this.#ids[slot] = id;
    }
    this.#numbers[slot] = number;
  }

  /** Where the id stands, or the free slot it would take. Ids are not negative. */
  #slot(id: number): number {
    const mask = this.#ids.length - 1;
    // Ids count up: multiplied, neighbours stand apart, and so do ids that differ in their upper half only.
    let slot = Math.imul((id % 2 ** 32) ^ (id / 2 ** 32), 0x9e3779b1) >>> 7;
    for (slot &= mask; this.#ids[slot] !== id && this.#ids[slot] !== EMPTY; slot = (slot + 1) & mask);
    return slot;
  }

  #grow(): void {
    const ids = this.#ids;
    const numbers = this.#numbers;
    this.#ids = new Float64Array(2 * ids.length).fill(EMPTY);
    this.#numbers = new Float64Array(2 * ids.length);
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] as number;
      if (id === EMPTY) continue;
      const slot = this.#slot(id);
      this.#ids[slot] = id;
      this.#numbers[slot] = numbers[at] as number;
    }
  }
}
