import { posix } from "node:path";
import { UserError } from "../../errors.ts";
import type { FoundFile } from "../found-file.ts";
import { openPlace } from "../part-place.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.ts";
import { walkZip } from "./zip-walk.ts";

export interface ZipContent {
  files: FoundFile[];
  /** The zip ends before its directory: files after these may be missing, and the last one may be cut. */
  cut: boolean;
}

/**
 * The files in a zip, as if it were a folder of the zip's name.
 * @throws UserError where not even one file's header can be read
 */
export async function zipFiles(path: string): Promise<ZipContent> {
  const listed = await readZipDirectory(path);
  const entries = listed ?? (await walkZip(path));
  if (!listed && entries.length === 0) {
    throw new UserError(
      `${path} is a zip of which no file can be read: it was cut or damaged`,
      "Fetch it again.",
    );
  }
  const files = entries.filter((entry) => !entry.name.endsWith("/")).map((entry) => foundFile(path, entry));
  return { files, cut: listed === undefined };
}

function foundFile(zip: string, entry: ZipEntry): FoundFile {
  const path = posix.join(zip, entry.name);
  const [name, folder] = [posix.basename(path), posix.dirname(path)];
  const place = { kind: "zip", path: zip, entry } as const;
  return { path, name, folder, bytes: entry.bytes, zipped: true, place, open: () => openPlace(place) };
}
