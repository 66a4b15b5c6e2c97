/** Scala's Set keeps insertion order up to four elements and hashes from five on. */
const SMALL = 4;
const BITS_A_LEVEL = 5;
const LAST_SHIFT = 30;

/**
 * The order in which a Scala 2.13 `Set[Int]` gives its elements. Spark keeps the stages of an execution in one, and
 * where two stages gave equally large metric values the History Server names the first in this order.
 */
export function scalaSetOrder(ids: readonly number[]): number[] {
  return ids.length <= SMALL ? [...ids] : level(ids, 0);
}

/** One node of the hash trie: single elements by their 5 bits first, then the nodes below by theirs. */
function level(ids: readonly number[], shift: number): number[] {
  const slots: number[][] = Array.from({ length: 1 << BITS_A_LEVEL }, () => []);
  for (const id of ids) slots[(spread(id) >>> shift) & 31]?.push(id);
  const single = slots.filter(({ length }) => length === 1).flat();
  const below = slots.filter(({ length }) => length > 1);
  return [
    ...single,
    ...below.flatMap((slot) => (shift >= LAST_SHIFT ? slot : level(slot, shift + BITS_A_LEVEL))),
  ];
}

/** How Scala spreads an Int's hash over all bits. */
function spread(hash: number): number {
  let h = (hash + ~(hash << 9)) | 0;
  h ^= h >>> 14;
  h = (h + (h << 4)) | 0;
  return h ^ (h >>> 10);
}
