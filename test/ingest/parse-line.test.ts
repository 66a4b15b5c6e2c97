import fc from "fast-check";
import { expect, test } from "vitest";
import { parseLine } from "../../src/ingest/parse-line.ts";

test("an integer beyond 2^53 is exact, wherever it stands", () => {
  const line = '{"a":9007199254740993,"b":[1,-9223372036854775808],"c":{"d":12345678901234567890123}}';
  expect(parseLine(line)).toEqual({
    a: 9007199254740993n,
    b: [1, -9223372036854775808n],
    c: { d: 12345678901234567890123n },
  });
});

test("digits inside a string are text, escapes and all", () => {
  expect(parseLine('{"a":"x \\" : 9007199254740993 ","b":9007199254740993}')).toEqual({
    a: 'x " : 9007199254740993 ',
    b: 9007199254740993n,
  });
});

test("long fractions and exponents stay numbers", () => {
  expect(parseLine('{"a":1234567890123456.5,"b":1234567890123456e3}')).toEqual({
    a: 1234567890123456.5,
    b: 1234567890123456e3,
  });
});

test("a fraction of many digits beside a long integer stays a number", () => {
  expect(parseLine('{"rate":0.0000000000000001,"id":9007199254740993}')).toEqual({
    rate: 1e-16,
    id: 9007199254740993n,
  });
});

test("what is no JSON object is nothing", () => {
  for (const line of ["", "17", "null", "[1]", '"x"', '{"a":', '{"a":1}}', "\u0000\u0000", "{'a':1}"])
    expect(parseLine(line)).toBeNull();
});

test("any object is read as JSON.parse reads it, but for the exact integers", () => {
  const rounded = (value: unknown) =>
    JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? Number(item) : item));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const line = JSON.stringify(value);
      expect(rounded(parseLine(line))).toBe(rounded(JSON.parse(line)));
    }),
    { seed: 1, numRuns: 2000 },
  );
});
