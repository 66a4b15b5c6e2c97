/** The peer that everything is measured against: each line of a log through JSON.parse, nothing kept. FILE or - */
import { openSync, readSync } from "node:fs";

const file = process.argv[2] === "-" ? 0 : openSync(process.argv[2]);
let buffer = Buffer.allocUnsafe(1 << 20);
let filled = 0;
let events = 0;

function readMore() {
  if (filled === buffer.length) {
    const larger = Buffer.allocUnsafe(2 * buffer.length);
    buffer.copy(larger, 0, 0, filled);
    buffer = larger;
  }
  for (;;) {
    try {
      return readSync(file, buffer, filled, Math.min(1 << 20, buffer.length - filled), null);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

for (let read = readMore(); read > 0; read = readMore()) {
  const end = filled + read;
  let from = 0;
  for (let to = buffer.indexOf(10, filled); to >= 0 && to < end; to = buffer.indexOf(10, from)) {
    if (JSON.parse(buffer.toString("utf8", from, to)).Event) events++;
    from = to + 1;
  }
  buffer.copyWithin(0, from, end);
  filled = end - from;
}
console.log(events);
