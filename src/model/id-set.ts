const PAGE_BITS = 1 << 15;

/** A set of ids that are mostly dense from 0 (task ids), as pages of bits: a million ids take 125 kB. */
export class IdSet {
  readonly #pages = new Map<number, Uint32Array>();

  /** @returns false where the id was in the set */
  add(id: number): boolean {
    const page = Math.floor(id / PAGE_BITS);
    let bits = this.#pages.get(page);
    if (!bits) {
      bits = new Uint32Array(PAGE_BITS / 32);
      this.#pages.set(page, bits);
    }
    const at = id - page * PAGE_BITS;
    const word = at >>> 5;
    const bit = 1 << (at & 31);
    if (((bits[word] ?? 0) & bit) !== 0) return false;
    bits[word] = (bits[word] ?? 0) | bit;
    return true;
  }

  has(id: number): boolean {
    const page = Math.floor(id / PAGE_BITS);
    const at = id - page * PAGE_BITS;
    const bits = this.#pages.get(page);
    return bits !== undefined && ((bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0;
  }
}
