/**
 * AssemblyScript: decoders of raw LZ4, snappy and LZF blocks, and xxHash32. Compiled by `npm run wasm` into
 * src/codecs/block-decoders-wasm.ts. A decoder fills output..outputEnd exactly, or gives false: the block is damaged.
 * It reads and writes nothing but its two ranges and the MARGIN behind each, which the caller keeps free: so runs are
 * copied 16 bytes at a time.
 */

const MIN_LZ4_MATCH: usize = 4;

/** Copies a run that does not reach into itself. Up to 15 bytes behind it are overwritten. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function copyRun(to: usize, from: usize, length: usize): void {
  const end = to + length;
  do {
    v128.store(to, v128.load(from));
    to += 16;
    from += 16;
  } while (to < end);
}

/** Repeats what stands `distance` back; nearer than its length, the run is a pattern. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function copyMatch(to: usize, distance: usize, length: usize): void {
  if (distance >= 16) {
    copyRun(to, to - distance, length);
    return;
  }
  const end = to + length;
  while (to < end) {
    store<u8>(to, load<u8>(to - distance));
    to++;
  }
}

export function lz4(input: usize, inputEnd: usize, output: usize, outputEnd: usize): bool {
  let at = input;
  let to = output;
  while (at < inputEnd) {
    const token = <usize>load<u8>(at++);
    let length = token >> 4;
    if (length == 15) {
      let more: usize = 255;
      while (more == 255 && at < inputEnd) {
        more = <usize>load<u8>(at++);
        length += more;
      }
    }
    if (length > inputEnd - at || length > outputEnd - to) return false;
    copyRun(to, at, length);
    at += length;
    to += length;
    if (at == inputEnd) return to == outputEnd; // a block ends with literals
    const distance = <usize>load<u16>(at);
    at += 2;
    length = token & 15;
    if (length == 15) {
      let more: usize = 255;
      while (more == 255 && at < inputEnd) {
        more = <usize>load<u8>(at++);
        length += more;
      }
    }
    length += MIN_LZ4_MATCH;
    if (at > inputEnd || length > outputEnd - to || distance == 0 || distance > to - output) return false;
    copyMatch(to, distance, length);
    to += length;
  }
  return false;
}

/** The elements of a block, behind the size that it claims. */
export function snappy(input: usize, inputEnd: usize, output: usize, outputEnd: usize): bool {
  let at = input;
  let to = output;
  while (at < inputEnd) {
    const tag = <usize>load<u8>(at++);
    const kind = tag & 3;
    if (kind == 0) {
      let length = (tag >> 2) + 1;
      if (length > 60) {
        const bytes = length - 60;
        // Of a wrong 0xffffffff, 0 is left: no run, which the end of the block then shows.
        length = (<usize>load<u32>(at) & (0xffffffff >> (8 * (4 - bytes)))) + 1;
        at += bytes;
      }
      if (at > inputEnd || length > inputEnd - at || length > outputEnd - to) return false;
      copyRun(to, at, length);
      at += length;
      to += length;
      continue;
    }
    let length = (tag >> 2) + 1;
    let distance: usize;
    if (kind == 1) {
      length = ((tag >> 2) & 7) + 4;
      distance = ((tag >> 5) << 8) | <usize>load<u8>(at);
      at += 1;
    } else if (kind == 2) {
      distance = <usize>load<u16>(at);
      at += 2;
    } else {
      distance = <usize>load<u32>(at);
      at += 4;
    }
    if (at > inputEnd || length > outputEnd - to || distance == 0 || distance > to - output) return false;
    copyMatch(to, distance, length);
    to += length;
  }
  return to == outputEnd;
}

/** The data of a compressed chunk. */
export function lzf(input: usize, inputEnd: usize, output: usize, outputEnd: usize): bool {
  let at = input;
  let to = output;
  while (at < inputEnd) {
    const control = <usize>load<u8>(at++);
    if (control < 32) {
      const length = control + 1;
      if (length > inputEnd - at || length > outputEnd - to) return false;
      copyRun(to, at, length);
      at += length;
      to += length;
      continue;
    }
    let length = (control >> 5) + 2;
    if (length == 9) length += <usize>load<u8>(at++);
    const distance = (((control & 31) << 8) | <usize>load<u8>(at++)) + 1;
    if (at > inputEnd || length > outputEnd - to || distance > to - output) return false;
    copyMatch(to, distance, length);
    to += length;
  }
  return to == outputEnd;
}

const P1: u32 = 2654435761;
const P2: u32 = 2246822519;
const P3: u32 = 3266489917;
const P4: u32 = 668265263;
const P5: u32 = 374761393;

// @ts-ignore: a decorator of AssemblyScript
@inline
function round(lane: u32, word: u32): u32 {
  return rotl<u32>(lane + word * P2, 13) * P1;
}

export function xxhash32(start: usize, end: usize, seed: u32): u32 {
  let at = start;
  let hash = seed + P5;
  if (end - start >= 16) {
    let v1 = seed + P1 + P2;
    let v2 = seed + P2;
    let v3 = seed;
    let v4 = seed - P1;
    for (const last = end - 16; at <= last; at += 16) {
      v1 = round(v1, load<u32>(at));
      v2 = round(v2, load<u32>(at, 4));
      v3 = round(v3, load<u32>(at, 8));
      v4 = round(v4, load<u32>(at, 12));
    }
    hash = rotl<u32>(v1, 1) + rotl<u32>(v2, 7) + rotl<u32>(v3, 12) + rotl<u32>(v4, 18);
  }
  hash += <u32>(end - start);
  for (; at + 4 <= end; at += 4) hash = rotl<u32>(hash + load<u32>(at) * P3, 17) * P4;
  for (; at < end; at++) hash = rotl<u32>(hash + <u32>load<u8>(at) * P5, 11) * P1;
  hash = (hash ^ (hash >> 15)) * P2;
  hash = (hash ^ (hash >> 13)) * P3;
  return hash ^ (hash >> 16);
}
