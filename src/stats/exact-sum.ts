/** Sums of doubles stay exact below this; then they are carried over to a bigint. */
const CARRY_FROM = 2 ** 52;

/** Adds whole doubles without rounding, and counts them. */
export class ExactSum {
  #carried = 0n;
  #partial = 0;
  count = 0;

  add(value: number): void {
    this.count++;
    if (value > CARRY_FROM || value < -CARRY_FROM) this.#carried += BigInt(value);
    else {
      this.#partial += value;
      if (this.#partial > CARRY_FROM || this.#partial < -CARRY_FROM) {
        this.#carried += BigInt(this.#partial);
        this.#partial = 0;
      }
    }
  }

  get value(): bigint {
    return this.#carried + BigInt(this.#partial);
  }

  /** The sum as a number, and as a bigint where that would round it. */
  get narrowed(): number | bigint {
    if (this.#carried === 0n && Number.isSafeInteger(this.#partial)) return this.#partial;
    const { value } = this;
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
}
