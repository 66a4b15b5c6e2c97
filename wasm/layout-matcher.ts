/**
 * AssemblyScript: the same as PlainMatcher of src/tasks/layout-matcher.ts, 16 bytes at a time. Compiled by
 * `npm run wasm` into src/tasks/layout-matcher-wasm.ts. Functions that read something take its place and return the
 * next, NO if it is not there. The caller keeps 16 readable bytes behind the line and behind the literals, and a line
 * feed right behind the line, which ends every search.
 */

const NO: usize = 0;

/** As SLOT in src/tasks/task-line-layout.ts. */
const COLUMN: u8 = 0;
const PEAK: u8 = 1;
const SKIPPED_INTEGER: u8 = 2;
const BOOLEAN: u8 = 3;
const SKIPPED_BOOLEAN: u8 = 4;
const TEXT: u8 = 5;
const SKIPPED_TEXT: u8 = 6;

const QUOTE: u8 = 0x22;
const MINUS: u8 = 0x2d;

/** Where the values of slots go. */
let numbers: usize = 0;
let textFrom: usize = 0;
let textTo: usize = 0;
let updateIds: usize = 0;
let updateValues: usize = 0;
export let updates: i32 = 0;

/** The integer read last; NaN for one of more than 15 digits. */
let number: f64 = 0;

const ID = memory.data<u8>([0x7b, 0x22, 0x49, 0x44, 0x22, 0x3a, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]); // {"ID":
const ID_LENGTH: usize = 6;
const NAME = memory.data<u8>([0x2c, 0x22, 0x4e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0, 0, 0, 0, 0, 0, 0, 0]); // ,"Name":
const NAME_LENGTH: usize = 8;
// ,"Update":
const UPDATE = memory.data<u8>([0x2c, 0x22, 0x55, 0x70, 0x64, 0x61, 0x74, 0x65, 0x22, 0x3a, 0, 0, 0, 0, 0, 0]);
const UPDATE_LENGTH: usize = 10;
// ,"Value":
const VALUE = memory.data<u8>([0x2c, 0x22, 0x56, 0x61, 0x6c, 0x75, 0x65, 0x22, 0x3a, 0, 0, 0, 0, 0, 0, 0]);
const VALUE_LENGTH: usize = 9;
// ,"Internal":
const INTERNAL = memory.data<u8>([0x2c, 0x22, 0x49, 0x6e, 0x74, 0x65, 0x72, 0x6e, 0x61, 0x6c, 0x22, 0x3a, 0, 0, 0, 0]);
const INTERNAL_LENGTH: usize = 12;
// ,"Count Failed Values":
const COUNT_FAILED = memory.data<u8>([
  0x2c, 0x22, 0x43, 0x6f, 0x75, 0x6e, 0x74, 0x20, 0x46, 0x61, 0x69, 0x6c, 0x65, 0x64, 0x20, 0x56, 0x61, 0x6c, 0x75, 0x65,
  0x73, 0x22, 0x3a, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]);
const COUNT_FAILED_LENGTH: usize = 23;
// ,"Metadata":"sql"
const METADATA = memory.data<u8>([
  0x2c, 0x22, 0x4d, 0x65, 0x74, 0x61, 0x64, 0x61, 0x74, 0x61, 0x22, 0x3a, 0x22, 0x73, 0x71, 0x6c, 0x22, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0,
]);
const METADATA_LENGTH: usize = 17;
const TRUE: u32 = 0x65757274;
/** "alse", behind the f. */
const ALSE: u32 = 0x65736c61;

/** Masks that move the first n bytes of a vector to its end and fill the front with zeros, for n from 0 to 15. */
const RIGHT_ALIGN = memory.data(256);

/** Call once: tables, and where outputs go. */
export function setUp(
  numbersAt: usize,
  textFromAt: usize,
  textToAt: usize,
  updateIdsAt: usize,
  updateValuesAt: usize,
): void {
  numbers = numbersAt;
  textFrom = textFromAt;
  textTo = textToAt;
  updateIds = updateIdsAt;
  updateValues = updateValuesAt;
  for (let n = 0; n < 16; n++) {
    for (let lane = 0; lane < 16; lane++) {
      const from = lane - (16 - n);
      // A lane number of 16 or more gives zero.
      store<u8>(RIGHT_ALIGN + n * 16 + lane, from < 0 ? 0x80 : <u8>from);
    }
  }
}

/** @returns true if line..end has the layout of these slots and literals and every slot holds what it may */
export function match(slots: i32, kinds: usize, bounds: usize, literals: usize, line: usize, end: usize): bool {
  updates = 0;
  let at = line;
  let from: usize = 0;
  for (let slot = 0; slot < slots; slot++) {
    const to = <usize>load<i32>(bounds + 4 * (slot + 1));
    at = literal(literals + from, to - from, at);
    if (at == NO) return false;
    at = readSlot(load<u8>(kinds + slot), slot, at, line);
    if (at == NO) return false;
    from = to;
  }
  at = literal(literals + from, <usize>load<i32>(bounds + 4 * (slots + 1)) - from, at);
  return at == end;
}

function readSlot(kind: u8, slot: i32, at: usize, line: usize): usize {
  switch (kind) {
    case COLUMN:
    case PEAK: {
      const next = integer(at);
      store<f64>(numbers + 8 * slot, number);
      return number >= 0 && load<u8>(at) != MINUS ? next : NO;
    }
    case SKIPPED_INTEGER:
      return integer(at);
    case BOOLEAN:
    case SKIPPED_BOOLEAN:
      store<f64>(numbers + 8 * slot, load<u8>(at) == 0x74 ? 1 : 0);
      return boolean(at);
    case TEXT: {
      const next = text(at);
      if (next == NO || !isAscii(at, next)) return NO;
      store<i32>(textFrom + 4 * slot, <i32>(at - line));
      store<i32>(textTo + 4 * slot, <i32>(next - line));
      return next;
    }
    case SKIPPED_TEXT:
      return text(at);
    default:
      return accumulables(at);
  }
}

// @ts-ignore: decorator
@inline
function literal(expected: usize, length: usize, place: usize): usize {
  let at = place;
  let from = expected;
  let left = length;
  while (left >= 16) {
    if (v128.any_true(v128.xor(v128.load(from), v128.load(at)))) return NO;
    at += 16;
    from += 16;
    left -= 16;
  }
  const same = i8x16.bitmask(i8x16.eq(v128.load(from), v128.load(at)));
  return (same | (-1 << <i32>left)) == -1 ? at + left : NO;
}

/** A JSON integer. */
function integer(place: usize): usize {
  const negative = load<u8>(place) == MINUS;
  const from = negative ? place + 1 : place;
  const digits = i8x16.sub(v128.load(from), i8x16.splat(0x30));
  const count = ctz(~i8x16.bitmask(i8x16.lt_u(digits, i8x16.splat(10))));
  // "" and "007" are no integers; -0 is none of ours.
  if (count == 0 || (load<u8>(from) == 0x30 && (count > 1 || negative))) return NO;
  if (count >= 16) return longInteger(from + 16);
  const aligned = i8x16.swizzle(digits, v128.load(RIGHT_ALIGN + 16 * <usize>count));
  const tens = i16x8.add(
    i16x8.mul(v128.and(aligned, i16x8.splat(0xff)), i16x8.splat(10)),
    i16x8.shr_u(aligned, 8),
  );
  const thousands = i32x4.dot_i16x8_s(tens, i16x8(100, 1, 100, 1, 100, 1, 100, 1));
  const high = <i64>i32x4.extract_lane(thousands, 0) * 10000 + <i64>i32x4.extract_lane(thousands, 1);
  const low = <i64>i32x4.extract_lane(thousands, 2) * 10000 + <i64>i32x4.extract_lane(thousands, 3);
  const value = <f64>(high * 100000000 + low);
  number = negative ? -value : value;
  return from + count;
}

function longInteger(place: usize): usize {
  let at = place;
  while (<u32>load<u8>(at) - 0x30 < 10) at++;
  number = NaN;
  return at;
}

function boolean(at: usize): usize {
  if (load<u32>(at) == TRUE) return at + 4;
  return load<u8>(at) == 0x66 && load<u32>(at + 1) == ALSE ? at + 5 : NO;
}

/** Text up to its closing quote. Escapes and control characters are left to the JSON parser. */
function text(place: usize): usize {
  let at = place;
  let special = specialBytes(at);
  while (special == 0) {
    at += 16;
    special = specialBytes(at);
  }
  at += ctz(special);
  return load<u8>(at) == QUOTE ? at : NO;
}

/** Bit i is set where byte i is a quote, a backslash or a control character. */
// @ts-ignore: decorator
@inline
function specialBytes(at: usize): i32 {
  const bytes = v128.load(at);
  const marks = v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c)));
  return i8x16.bitmask(v128.or(marks, i8x16.lt_u(bytes, i8x16.splat(0x20))));
}

function isAscii(from: usize, to: usize): bool {
  for (let at = from; at < to; at++) if (load<u8>(at) >= 0x80) return false;
  return true;
}

/** "..." or an integer; its value is not kept. */
function scalar(at: usize): usize {
  if (load<u8>(at) != QUOTE) return integer(at);
  const end = text(at + 1);
  return end == NO ? NO : end + 1;
}

function accumulables(place: usize): usize {
  if (load<u8>(place) != 0x5b) return NO;
  if (load<u8>(place + 1) == 0x5d) return place + 2;
  let at = place;
  do {
    at = accumulable(at + 1);
    if (at == NO) return NO;
  } while (load<u8>(at) == 0x2c);
  return load<u8>(at) == 0x5d ? at + 1 : NO;
}

/** One accumulable, its keys in the one order that Spark writes. */
function accumulable(place: usize): usize {
  let at = literal(ID, ID_LENGTH, place);
  if (at == NO) return NO;
  at = integer(at);
  if (at == NO || !(number >= 0)) return NO;
  const id = number;
  at = optional(NAME, NAME_LENGTH, at);
  if (at == NO) return NO;
  const update = literal(UPDATE, UPDATE_LENGTH, at);
  if (update != NO) at = scalar(update);
  if (at == NO) return NO;
  at = optional(VALUE, VALUE_LENGTH, at);
  if (at == NO) return NO;
  at = literal(INTERNAL, INTERNAL_LENGTH, at);
  if (at == NO) return NO;
  at = boolean(at);
  if (at == NO) return NO;
  at = literal(COUNT_FAILED, COUNT_FAILED_LENGTH, at);
  if (at == NO) return NO;
  at = boolean(at);
  if (at == NO) return NO;
  const sql = literal(METADATA, METADATA_LENGTH, at);
  if (sql != NO) {
    at = sql;
    if (update != NO && !keepUpdate(id, update)) return NO;
  }
  return load<u8>(at) == 0x7d ? at + 1 : NO;
}

/** A key that may be missing, with its value. */
function optional(key: usize, length: usize, place: usize): usize {
  const at = literal(key, length, place);
  return at == NO ? place : scalar(at);
}

/** The update of an SQL metric: an integer, as a number or as text. */
function keepUpdate(id: f64, place: usize): bool {
  const quoted = load<u8>(place) == QUOTE;
  const end = integer(quoted ? place + 1 : place);
  if (end == NO || isNaN(number) || (quoted && load<u8>(end) != QUOTE)) return false;
  store<f64>(updateIds + 8 * updates, id);
  store<f64>(updateValues + 8 * updates, number);
  updates++;
  return true;
}
