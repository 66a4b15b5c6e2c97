/** Shows how far a long read is: on stderr, only on a terminal, gone when it is done. */
export class Progress {
  readonly #shown: boolean;
  #drawn = false;

  constructor(quiet: boolean) {
    this.#shown = !quiet && process.stderr.isTTY === true && !process.env.CI && process.env.TERM !== "dumb";
  }

  update(text: string): void {
    if (!this.#shown) return;
    process.stderr.write(`\r\u001b[K${text}`);
    this.#drawn = true;
  }

  done(): void {
    if (this.#drawn) process.stderr.write("\r\u001b[K");
    this.#drawn = false;
  }
}
