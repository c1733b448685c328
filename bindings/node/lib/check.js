'use strict';
// check.js - argument checks and errors in node:crypto's words; everything that reaches the addon went through here.
const native = require('../native');
const { Buffer, MAX_LENGTH, inspect } = require('./platform');

const U64_MAX = 0xffffffffffffffffn;
const THREADS_AUTO = 0xffffffff;
const TypedArray = Object.getPrototypeOf(Uint8Array);
const getter = (name) => Object.getOwnPropertyDescriptor(TypedArray.prototype, name).get;
const tagOf = getter(Symbol.toStringTag); // a typed array's own kind, whatever it was dressed as; else undefined
const lengthOf = getter('byteLength');
const byteOffsetOf = getter('byteOffset');
const at = TypedArray.prototype.at;

function coded(Base, code, message) {
  const error = new Base(message);
  // As node's own: the code stands in the stack's first line, and is an ordinary property.
  error.code = code;
  if (typeof error.stack === 'string') error.stack = error.stack.replace(Base.name, `${Base.name} [${code}]`);
  return error;
}

// The value as text. Some cannot be looked at: detached DataViews, Proxies that throw.
function shown(value, options) {
  try {
    return inspect(value, options);
  } catch {
    return `[${typeof value}]`;
  }
}

function received(value) {
  if (value === null || value === undefined) return `Received ${value}`;
  if (typeof value === 'function') return `Received function ${value.name}`;
  if (typeof value === 'object') {
    let name;
    try {
      name = value.constructor?.name;
    } catch {
      // a getter or a revoked Proxy: it has no name
    }
    if (typeof name === 'string' && name) return `Received an instance of ${name}`;
    return `Received ${shown(value, { depth: -1 })}`;
  }
  let text = inspect(value, { colors: false });
  if (text.length > 28) text = `${text.slice(0, 25)}...`;
  return `Received type ${typeof value} (${text})`;
}

const kindOf = (name) => (name.includes('.') ? 'property' : 'argument');
const argType = (name, wanted, value) =>
  coded(TypeError, 'ERR_INVALID_ARG_TYPE', `The "${name}" ${kindOf(name)} must be ${wanted}. ${received(value)}`);

function argValue(name, value, reason = 'is invalid') {
  let text = shown(value);
  if (text.length > 128) text = `${text.slice(0, 128)}...`;
  return coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The ${kindOf(name)} '${name}' ${reason}. Received ${text}`);
}

const outOfRange = (name, range, value) =>
  coded(
    RangeError,
    'ERR_OUT_OF_RANGE',
    `The value of "${name}" is out of range. It must be ${range}. Received ` +
      `${typeof value === 'bigint' ? `${value}n` : value}`,
  );

const detached = (name, value) =>
  coded(
    TypeError,
    'ERR_INVALID_ARG_VALUE',
    `The argument '${name}' is a view of a detached or shrunk ArrayBuffer. ${received(value)}`,
  ); // inspect() would throw

const BYTES = 'an instance of Buffer, TypedArray, or DataView';

// A Uint8Array, Buffer or other typed array over the very bytes of `value`, which is no string. Detached and
// out-of-bounds views are told from empty ones only when the length is 0: for all others this costs nothing.
function view(value, name, wanted = `of type string or ${BYTES}`) {
  if (!ArrayBuffer.isView(value)) throw argType(name, wanted, value);
  if (tagOf.call(value) === undefined) {
    const { buffer, byteOffset, byteLength } = DATA_VIEW;
    let n;
    try {
      n = byteLength.call(value);
    } catch {
      throw detached(name, value);
    }
    if (n > MAX_LENGTH) throw outOfRange(name, `a DataView of at most ${MAX_LENGTH} bytes, or a typed array`, n);
    return new Uint8Array(buffer.call(value), byteOffset.call(value), n);
  }
  if (lengthOf.call(value) === 0 && gone(value)) throw detached(name, value);
  return value;
}
// The bytes of an ArrayBuffer or SharedArrayBuffer of any realm; undefined for all else.
const memoryLengths = [ArrayBuffer, globalThis.SharedArrayBuffer] // browsers may hide the latter
  .filter((Memory) => Memory !== undefined)
  .map((Memory) => Object.getOwnPropertyDescriptor(Memory.prototype, 'byteLength').get);
function memory(value, name) {
  for (const lengthOfMemory of memoryLengths) {
    try {
      lengthOfMemory.call(value);
    } catch {
      continue; // not of this kind
    }
    try {
      return new Uint8Array(value);
    } catch {
      throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument '${name}' is a detached ArrayBuffer`);
    }
  }
  return undefined;
}

// Whether a typed array of length 0 is one whose memory was detached or shrunk.
function gone(value) {
  try {
    at.call(value, 0);
    return false;
  } catch {
    return true;
  }
}
const dataViewGetter = (name) => Object.getOwnPropertyDescriptor(DataView.prototype, name).get;
const DATA_VIEW = {
  buffer: dataViewGetter('buffer'),
  byteOffset: dataViewGetter('byteOffset'),
  byteLength: dataViewGetter('byteLength'),
};

const bytesOnly = (value, name) => view(value, name, BYTES);

// Text to bytes: UTF-8 (lone surrogates become U+FFFD, as everywhere in Node) or a named encoding, strictly.
function textBytes(text, encoding, name = 'data') {
  if (encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'buffer') {
    return Buffer.from(text, 'utf8');
  }
  if (typeof encoding !== 'string') throw argType('inputEncoding', 'of type string', encoding);
  if (!Buffer.isEncoding(encoding)) throw coded(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`);
  const bytes = Buffer.from(text, encoding);
  if (encoding.toLowerCase() === 'hex' && bytes.length * 2 !== text.length) {
    throw coded(
      TypeError,
      'ERR_INVALID_ARG_VALUE',
      text.length % 2
        ? `The argument 'encoding' is invalid for data of length ${text.length}. Received 'hex'`
        : `The argument '${name}' is no hexadecimal text: character ${bytes.length * 2} or the one after it is no digit`,
    );
  }
  return bytes;
}

// What may be hashed: a string or a view, as something the addon reads.
const message = (value, name = 'data', encoding = undefined) =>
  typeof value === 'string' ? textBytes(value, encoding, name) : view(value, name);

const utf8 = new TextEncoder();
// Key, salt and the like. A string's bytes never lie in the shared Buffer pool.
function secret(value, name) {
  if (typeof value !== 'string') return view(value, name);
  return utf8.encode(value); // its memory is its own
}

// A non-negative integer below 2^64, as a BigInt.
function u64(value, name, max = U64_MAX) {
  if (typeof value === 'bigint') {
    if (value >= 0n && value <= max) return value;
  } else if (typeof value !== 'number') {
    throw argType(name, 'of type number or bigint', value);
  } else if (!Number.isInteger(value)) {
    throw outOfRange(name, 'an integer', value);
  } else if (value >= 0 && value <= Number.MAX_SAFE_INTEGER && BigInt(value) <= max) {
    return BigInt(value);
  }
  throw outOfRange(
    name,
    typeof value === 'number' && value > Number.MAX_SAFE_INTEGER && max > value
      ? 'a BigInt above 2 ** 53 - 1'
      : `>= 0 and <= ${max}`,
    value,
  );
}

// A length or place in memory, as a number.
const size = (value, name, max = Number.MAX_SAFE_INTEGER) => Number(u64(value, name, BigInt(max)));

function threads(value) {
  if (value === undefined) return 0;
  if (value === 'auto') return THREADS_AUTO;
  if (typeof value !== 'number') throw argType('options.threads', "of type number or 'auto'", value);
  if (!Number.isInteger(value) || value < 0 || value > 65535) {
    throw outOfRange('options.threads', 'an integer >= 0 and <= 65535', value);
  }
  return value;
}

// A copy of an options object, whose members are all known; each is read once, inherited ones too.
function options(value, known, name = 'options') {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value) || ArrayBuffer.isView(value)) {
    throw argType(name, 'of type object', value);
  }
  const own = Object.keys(value);
  for (const key of own) {
    if (!known.has(key)) {
      throw coded(
        TypeError,
        'ERR_INVALID_ARG_VALUE',
        `The property '${name}.${key}' is unknown; known are ${[...known].join(', ')}`,
      );
    }
  }
  const copy = {};
  for (const key of Object.getPrototypeOf(value) === Object.prototype ? own : known) {
    const member = value[key];
    if (member !== undefined) copy[key] = member;
  }
  return copy;
}

function outputEncoding(value) {
  if (value === undefined || value === null || value === 'buffer') return 'buffer';
  if (typeof value !== 'string') throw argType('outputEncoding', 'of type string', value);
  if (!Buffer.isEncoding(value)) throw argValue('outputEncoding', value);
  return value;
}

// A list whose members are values: getters have run, and run no more.
function readOnce(list) {
  const copy = [];
  for (let i = 0; i < list.length; i++) copy.push(list[i]);
  return copy;
}

// A short Uint8Array copied to where the addon reads it without asking V8 for its place, and how long it is; 0: no.
const COPIED = 64; // V8 keeps no longer ones in its heap
const scratch = new Uint8Array(native.scratch);
const copied = native.copied ?? copyShort;
function copyShort(data) {
  if (tagOf.call(data) !== 'Uint8Array') return 0;
  const n = lengthOf.call(data);
  if (n === 0 || n > COPIED) return 0;
  scratch.set(data);
  return n;
}

// The same for parts of one message, all Uint8Arrays. Reading `parts` runs nobody's code (readOnce).
function joined(parts) {
  if (native.copied !== undefined) return 0; // WASM's messages lie elsewhere
  let n = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (tagOf.call(part) !== 'Uint8Array') return 0;
    const length = lengthOf.call(part);
    if (length > scratch.length - n || (length === 0 && gone(part))) return 0;
    scratch.set(part, n);
    n += length;
  }
  return n;
}

module.exports = {
  copied,
  joined,
  readOnce,
  U64_MAX,
  coded,
  argType,
  argValue,
  outOfRange,
  view,
  bytesOnly,
  textBytes,
  memory,
  message,
  secret,
  u64,
  size,
  threads,
  options,
  outputEncoding,
  tagOf,
  lengthOf,
  byteOffsetOf,
  received,
};
