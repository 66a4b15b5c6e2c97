import { expect, test } from "vitest";
import { maskDeep, maskProperty, maskText } from "../../src/report/mask.ts";

test("secrets inside texts are masked, the rest stays readable", () => {
  const texts = {
    "jdbc:postgresql://db/x?user=a&password=hunter2": "hunter2",
    "--conf spark.hadoop.fs.s3a.secret.key=abc123DEF": "abc123DEF",
    "https://user:pa55w0rd@host/path": "pa55w0rd",
    "https://b.blob.core.windows.net/c?sv=2020&sig=Zm9vYmFy%3D": "Zm9vYmFy",
    "Authorization: Bearer abcdef123456.ghi": "abcdef123456",
    "key AKIAIOSFODNN7EXAMPLE used": "AKIAIOSFODNN7EXAMPLE",
    '{"apiKey": "s3cr3t-value"}': "s3cr3t-value",
  };
  for (const [text, secret] of Object.entries(texts)) {
    expect(maskText(text)).not.toContain(secret);
    expect(maskText(text)).toContain("(masked)");
  }
});

test("ordinary words and settings are left alone", () => {
  for (const text of [
    "count at tokens.py:12",
    "spark.sql.shuffle.partitions=200",
    "10:30 at host:7077",
    "pass 3 of 4",
  ])
    expect(maskText(text)).toBe(text);
});

test("a property with a secret's name is masked, a switch of that name is not", () => {
  expect(maskProperty("spark.hadoop.fs.s3a.secret.key", "plain")).toContain("(masked)");
  expect(maskProperty("spark.ssl.needClientAuth", "true")).toBe("true");
});

test("every string of a report is masked", () => {
  const report = { a: [{ b: "password=x1y2z3" }], n: 1, big: 5n, nothing: null };
  expect(
    JSON.stringify(maskDeep(report), (_key, value) => (typeof value === "bigint" ? String(value) : value)),
  ).toBe('{"a":[{"b":"password=*********(masked)"}],"n":1,"big":"5","nothing":null}');
});
