import type { Codec } from "./codec.ts";

/** Text as it is: what no other codec claims. */
export const plain: Codec = {
  name: "none",
  suffixes: [],
  matches: () => true,
  decode: (chunks) => chunks,
};
