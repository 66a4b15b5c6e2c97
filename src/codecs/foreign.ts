/** A format that is recognised so that it can be named, but not read. */
export interface ForeignFormat {
  name: string;
  /** What the user can do about it. */
  hint: string;
  matches(head: Uint8Array): boolean;
}

/** tar names itself behind the header of its first file. */
const TAR_MARK_AT = 257;

const FOREIGN_FORMATS: readonly ForeignFormat[] = [
  foreign(
    "snappy framing format",
    "Unpack it first: snzip -dc FILE | sparklog report -",
    0xff,
    6,
    0,
    0,
    0x73,
    0x4e,
    0x61,
    0x50,
  ),
  foreign("LZ4 legacy frame", "Unpack it first: lz4 -dc FILE | sparklog report -", 0x02, 0x21, 0x4c, 0x18),
  foreign("bzip2", "Unpack it first: bzip2 -dc FILE | sparklog report -", 0x42, 0x5a, 0x68),
  foreign("xz", "Unpack it first: xz -dc FILE | sparklog report -", 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0),
  foreign("7z", "Unpack it first: 7z x FILE", 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c),
  foreign("rar", "Unpack it first: unrar x FILE", 0x52, 0x61, 0x72, 0x21, 0x1a),
  foreign(
    "zip",
    "Save it as a file and give its path: a zip cannot be read from a stream.",
    0x50,
    0x4b,
    3,
    4,
  ),
  foreign("Parquet", "Event logs are JSON lines; this is a table.", 0x50, 0x41, 0x52, 0x31),
  foreign("UTF-16 text", "Convert it first: iconv -f utf-16 -t utf-8 FILE | sparklog report -", 0xff, 0xfe),
  foreign("UTF-16 text", "Convert it first: iconv -f utf-16 -t utf-8 FILE | sparklog report -", 0xfe, 0xff),
  {
    name: "tar",
    hint: "Unpack it first: tar -xf FILE",
    matches: (head) =>
      new TextDecoder("latin1").decode(head.subarray(TAR_MARK_AT, TAR_MARK_AT + 5)) === "ustar",
  },
];

/** The format of a file that no codec reads, if its first bytes show one. */
export function foreignFormat(head: Uint8Array): ForeignFormat | undefined {
  return FOREIGN_FORMATS.find((format) => format.matches(head));
}

function foreign(name: string, hint: string, ...magic: number[]): ForeignFormat {
  return { name, hint, matches: (head) => magic.every((byte, at) => head[at] === byte) };
}
