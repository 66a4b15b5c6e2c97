import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { IdNumbers } from "../../src/model/id-numbers.ts";
import { ParkedMap } from "../../src/model/parked-map.ts";
import { ScratchFile } from "../../src/scratch-file.ts";

function scratch(): ScratchFile {
  const file = new ScratchFile();
  onTestFinished(() => {
    file.close();
  });
  return file;
}

test("a parked map holds what a map would, changes to values among it", () => {
  const action = fc.record({ id: fc.nat(30), kind: fc.constantFrom("set", "change", "delete") });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
      const parked = new ParkedMap<{ counts: number[]; jobs: Set<number> }>(scratch(), null, 4);
      const plain = new Map<number, { counts: number[]; jobs: Set<number> }>();
      for (const [at, { id, kind }] of actions.entries()) {
        if (kind === "delete") {
          parked.delete(id);
          plain.delete(id);
        } else if (kind === "set") {
          parked.set(id, { counts: [at], jobs: new Set([id]) });
          plain.set(id, { counts: [at], jobs: new Set([id]) });
        } else {
          for (const value of [parked.get(id), plain.get(id)]) {
            value?.counts.push(at);
            value?.jobs.add(at);
          }
        }
        expect([...parked.inMemory()].length).toBeLessThanOrEqual(4);
      }
      for (let id = 0; id <= 30; id++) expect(parked.get(id)).toEqual(plain.get(id));
    }),
  );
});

test("numbers by id are those a map would hold, whatever the ids", () => {
  const id = fc.oneof(
    fc.nat(2000),
    fc.maxSafeNat(),
    fc.nat(1000).map((high) => high * 2 ** 32),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.nat()), { maxLength: 1000 }), (entries) => {
      const numbers = new IdNumbers();
      for (const [key, value] of entries) numbers.set(key, value);
      for (const [key, value] of new Map(entries)) expect(numbers.get(key)).toBe(value);
      expect(numbers.get(2001)).toBe(new Map(entries).get(2001));
    }),
  );
});

test("a value is packed when it leaves the memory and unpacked when it comes back", () => {
  const packed: number[] = [];
  const packing = {
    pack: (value: { id: number }) => {
      packed.push(value.id);
      return value.id;
    },
    unpack: (id: unknown) => ({ id: Number(id) }),
  };
  const parked = new ParkedMap<{ id: number }>(scratch(), packing, 2);
  for (const id of [1, 2, 3]) parked.set(id, { id });
  expect(packed).toEqual([1, 2]);
  expect(parked.get(1)).toEqual({ id: 1 });
});

test("what is packed as text comes back as that text", () => {
  const parked = new ParkedMap<{ name: string }>(
    scratch(),
    { pack: (value) => JSON.stringify(value), unpack: (text) => JSON.parse(text as string) },
    2,
  );
  const names = ["", "é 漢 \u0000 😀", "x".repeat(100_000), "plain"];
  for (const [id, name] of names.entries()) parked.set(id, { name });
  for (const [id, name] of names.entries()) expect(parked.get(id)).toEqual({ name });
});
