import { crc32, deflateRawSync } from "node:zlib";

export interface ZipMember {
  name: string;
  content: Uint8Array;
  /** Written as they are, whatever the content says. */
  claimed?: { bytes?: number; crc?: number; method?: number; flags?: number };
}

/** A zip with a directory, deflated members, sizes in the local headers. Claims may be false. */
export function buildZip(members: ZipMember[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimed = {} } of members) {
    const packed = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(claimed.flags ?? 0, 2);
    fields.writeUInt16LE(claimed.method ?? 8, 4);
    fields.writeUInt32LE(claimed.crc ?? crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimed.bytes ?? content.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([magic(0x04034b50), fields, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(magic(0x02014b50), Buffer.from([20, 0]), fields, rest, Buffer.from(name));
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, central, magic(0x06054b50), end]);
}

function magic(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
