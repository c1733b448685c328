'use strict';
// hash.js - Hash and Hmac objects (Transform streams, as node:crypto's) and one-shot hashing.
const native = require('../native');
const { Buffer, MAX_LENGTH, Transform, keyObject, text } = require('./platform');
const {
  copied,
  joined,
  readOnce,
  U64_MAX,
  coded,
  argType,
  argValue,
  bytesOnly,
  memory,
  message,
  secret,
  size,
  u64,
  threads,
  options: checked,
  outputEncoding,
  lengthOf,
  view,
  textBytes,
} = require('./check');
const { find, required, parse, recheck, xofLength, digestLength, OPTIONS } = require('./algorithm');
const { acquire, release } = require('./state');
const { OutputReader } = require('./reader');

// Called once a message: taken out of the exports, which are too many for V8 to find one fast.
const {
  update: nativeUpdate,
  updateText: nativeUpdateText,
  updateCopy: nativeUpdateCopy,
  finalHex: nativeFinalHex,
  finalInto: nativeFinalInto,
  hashHex: nativeHashHex,
  hashTextHex: nativeHashTextHex,
  hashCopyHex: nativeHashCopyHex,
  hashInto: nativeHashInto,
  hashTextInto: nativeHashTextInto,
  hashCopyInto: nativeHashCopyInto,
  initKey: nativeInitKey,
  initTextKey: nativeInitTextKey,
} = native;
const SHORT_TEXT = 1360; // UTF-16 units whose UTF-8 the addon takes on its stack
const SHORT_OUTPUT = 4096; // bytes of memory that may be made in vain where the short call does not do
const STREAM_OPTIONS = [
  'allowHalfOpen',
  'autoDestroy',
  'captureRejections',
  'decodeStrings',
  'defaultEncoding',
  'emitClose',
  'encoding',
  'highWaterMark',
  'objectMode',
  'readableHighWaterMark',
  'readableObjectMode',
  'signal',
  'writableHighWaterMark',
  'writableObjectMode',
];
const CREATE = new Set([...OPTIONS, ...STREAM_OPTIONS]);
const CREATE_HMAC = new Set(['encoding', ...STREAM_OPTIONS]);
const DIGEST = new Set(['outputEncoding', 'length', 'outputLength', 'seek']);
const DIGEST_INTO = new Set(['length', 'outputLength', 'seek']);
const COPY = new Set(['outputLength', ...STREAM_OPTIONS]);
const HASH = new Set([...OPTIONS, 'outputEncoding', 'seek', 'threads']);
const HASH_INTO = new Set([...OPTIONS, 'seek', 'threads']);
const INTERNAL = Symbol('internal');

const finalized = () => coded(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
const encode = (buffer, encoding) => (encoding === 'buffer' ? buffer : text(buffer, encoding));

class Hash {
  #row;
  #place; // where the state is; undefined while nothing was absorbed
  #begin; // id of the algorithm while the state is not begun, -1 after that
  #plain; // made without options: the place is given back by digest(), and reset() begins anew
  #length; // BLAKE3's default output length when it is not 32
  #finalized = false;
  #streamOptions;

  constructor(token, row, o, place) {
    if (token !== INTERNAL) throw coded(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
    this.#row = row;
    this.#begin = row.id;
    this.#plain = true;
    if (o !== undefined) this.#configure(o);
    if (place !== undefined) {
      this.#place = place;
      this.#begin = -1;
      this.#plain = false;
    }
  }

  #configure(o) {
    this.#streamOptions = o;
    this.#length = xofLength(this.#row, o);
    const given = parse(this.#row, o);
    if (given === undefined && !this.#row.mac) return;
    recheck(given);
    const place = acquire();
    native.init(place.slab, place.slot, this.#row.id, given);
    this.#place = place;
    this.#begin = -1;
    this.#plain = false;
  }

  // The place of a state that is begun.
  #state() {
    if (this.#place === undefined) this.#place = acquire();
    if (this.#begin !== -1) {
      native.init(this.#place.slab, this.#place.slot, this.#begin, undefined);
      this.#begin = -1;
    }
    return this.#place;
  }

  #finish() {
    this.#finalized = true;
    if (this.#plain) {
      release(this.#place);
      this.#place = undefined;
      this.#begin = this.#row.id;
    }
  }

  update(data, inputEncoding) {
    if (this.#finalized) throw finalized();
    if (this.#place === undefined) this.#place = acquire();
    const { slab, slot } = this.#place;
    if (typeof data === 'string') {
      if (
        data.length < SHORT_TEXT &&
        (inputEncoding === undefined || inputEncoding === 'utf8') &&
        nativeUpdateText(slab, slot, data, this.#begin) === true
      ) {
        this.#begin = -1;
        return this;
      }
      data = textBytes(data, inputEncoding);
    } else if (!ArrayBuffer.isView(data)) {
      throw argType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data);
    }
    const n = copied(data);
    if (n > 0) {
      nativeUpdateCopy(slab, slot, n, this.#begin);
    } else if (nativeUpdate(slab, slot, data, this.#begin) !== true) {
      data = view(data, 'data');
      if (lengthOf.call(data) === 0) {
        this.#state();
        return this;
      }
      if (nativeUpdate(slab, slot, data, this.#begin) !== true) throw argType('data', 'readable', data);
    }
    this.#begin = -1;
    return this;
  }

  // The default length of the output; throws where there is none.
  #size() {
    if (this.#length !== undefined) return this.#length;
    if (this.#plain) return this.#row.digestSize;
    const n = native.digestSize(this.#place.slab, this.#place.slot);
    if (n === U64_MAX) {
      throw argValue('length', undefined, 'is needed: the output has no length of its own');
    }
    if (n > BigInt(MAX_LENGTH)) throw coded(RangeError, 'ERR_OUT_OF_RANGE', 'The output is too long for one Buffer');
    return Number(n);
  }

  digest(options) {
    if (this.#finalized) throw finalized();
    if (options === 'hex' && this.#length === undefined) {
      const { slab, slot } = this.#state();
      const text = nativeFinalHex(slab, slot);
      if (text !== undefined) {
        this.#finish();
        return text;
      }
    }
    let encoding = options;
    let o = {};
    if (options !== undefined && options !== null && typeof options !== 'string') {
      if (typeof options !== 'object' || ArrayBuffer.isView(options)) {
        throw argType('outputEncoding', 'of type string or an options object', options);
      }
      o = checked(options, DIGEST);
      encoding = o.outputEncoding;
    }
    encoding = outputEncoding(encoding);
    const length = o.length ?? o.outputLength;
    const out = Buffer.allocUnsafe(length === undefined ? this.#size() : size(length, 'options.length', MAX_LENGTH));
    this.#final(out, o.seek);
    return encode(out, encoding);
  }

  digestInto(target, offset = 0, options = undefined) {
    if (this.#finalized) throw finalized();
    const o = checked(options, DIGEST_INTO);
    const length = o.length ?? o.outputLength;
    const out = room(target, offset, length === undefined ? this.#size() : size(length, 'options.length', MAX_LENGTH));
    this.#final(out, o.seek);
    return out.length;
  }

  #final(out, seek) {
    const { slab, slot } = this.#state();
    nativeFinalInto(slab, slot, out, seek === undefined ? undefined : u64(seek, 'options.seek'));
    this.#finish();
  }

  copy(options) {
    if (this.#finalized) throw finalized();
    const o = checked(options, COPY);
    const row = this.#row;
    let place;
    if (this.#begin === -1) {
      place = acquire();
      native.copy(place.slab, place.slot, this.#place.slab, this.#place.slot);
    }
    const twin = new this.constructor(INTERNAL, row, undefined, place);
    twin.#streamOptions = options === undefined || options === null ? this.#streamOptions : o;
    twin.#length = this.#length;
    // A plain state's twin is plain as well, begun or not.
    twin.#plain = this.#plain;
    if (o.outputLength !== undefined) {
      if (row.name !== 'blake3') {
        const n = u64(o.outputLength, 'options.outputLength');
        const own = twin.#size();
        if (n !== BigInt(own)) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `outputLength: ${n} bytes given, ${own} needed`);
      } else {
        twin.#length = xofLength(row, o);
      }
    }
    return twin;
  }

  reset() {
    this.#finalized = false;
    if (this.#plain) this.#begin = this.#row.id;
    else native.reset(this.#place.slab, this.#place.slot);
    return this;
  }

  reader() {
    if (this.#finalized) throw finalized();
    const from = this.#state();
    const place = acquire();
    const length = native.xofOpen(place.slab, place.slot, from.slab, from.slot);
    return new OutputReader(place, length);
  }

  exportState(format = 'native') {
    if (this.#finalized) throw finalized();
    if (format !== 'native' && format !== 'go') throw argValue('format', format, "must be 'native' or 'go'");
    const { slab, slot } = this.#state();
    const out = Buffer.alloc(2048); // never from the pool: it may hold a key
    const n = native.exportState(slab, slot, out, format === 'go' ? 1 : 0);
    return out.subarray(0, n);
  }

  get algorithm() {
    return this.#row.name;
  }

  get blockSize() {
    return this.#row.blockSize;
  }

  get outputLength() {
    if (this.#length !== undefined) return this.#length;
    if (this.#plain) return this.#row.digestSize;
    const n = native.digestSize(this.#place.slab, this.#place.slot);
    return n === U64_MAX ? Infinity : Number(n);
  }

  _transform(chunk, encoding, callback) {
    try {
      this.update(chunk, encoding);
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  }

  _flush(callback) {
    let out;
    try {
      out = this.digest();
    } catch (error) {
      callback(error);
      return;
    }
    this.push(out);
    callback();
  }

  // Becoming a stream costs more than a short hash: it waits until somebody asks for one.
  static _stream(hash) {
    const o = {};
    for (const name of STREAM_OPTIONS) {
      if (hash.#streamOptions?.[name] !== undefined) o[name] = hash.#streamOptions[name];
    }
    Transform.call(hash, { ...o, decodeStrings: false });
  }
}

const becomeStream = Hash._stream;
delete Hash._stream;
for (const name of ['_readableState', '_writableState']) {
  Object.defineProperty(Hash.prototype, name, {
    get() {
      becomeStream(this);
      return this[name];
    },
    set(value) {
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    },
    configurable: true,
    enumerable: true,
  });
}
Object.setPrototypeOf(Hash.prototype, Transform.prototype);
Object.setPrototypeOf(Hash, Transform);

class Hmac extends Hash {}

function createHash(algorithm, options) {
  const row = required(algorithm);
  if (options === undefined && !row.mac) return new Hash(INTERNAL, row);
  return new Hash(INTERNAL, row, checked(options, CREATE));
}

function createHmac(algorithm, key, options) {
  if (typeof algorithm !== 'string') throw argType('hmac', 'of type string', algorithm);
  const row = find(algorithm);
  const mac = row && macOf(row);
  if (mac === undefined) throw coded(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${algorithm}`);
  if (options === undefined) {
    const place = acquire();
    const done =
      typeof key === 'string'
        ? key.length < SHORT_TEXT && nativeInitTextKey(place.slab, place.slot, mac.id, key)
        : ArrayBuffer.isView(key) && nativeInitKey(place.slab, place.slot, mac.id, key);
    if (done === true) return new Hmac(INTERNAL, mac, undefined, place);
    release(place);
  }
  const o = checked(options, CREATE_HMAC);
  if (o.encoding !== undefined && o.encoding !== null && typeof o.encoding !== 'string') {
    throw argType('options.encoding', 'of type string', o.encoding);
  }
  return new Hmac(INTERNAL, mac, { ...o, key: keyBytes(key, o.encoding) });
}

const macs = new Map();
function macOf(row) {
  if (!macs.has(row)) macs.set(row, row.mac ? row : find(`hmac-${row.name}`));
  return macs.get(row);
}

const KEY = 'of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or CryptoKey';
// As node:crypto's keys: text, bytes (an ArrayBuffer too), a KeyObject or CryptoKey that is secret.
function keyBytes(key, encoding) {
  if (typeof key === 'string') {
    return encoding === undefined || encoding === 'utf8' ? secret(key, 'key') : textBytes(key, encoding, 'key');
  }
  if (ArrayBuffer.isView(key)) return bytesOnly(key, 'key');
  const bytes = memory(key, 'key');
  if (bytes !== undefined) return bytes;
  const object = keyObject(key);
  const type = typeof object?.export === 'function' ? object.type : undefined;
  if (type === 'secret') return bytesOnly(object.export(), 'key');
  if (type === 'private' || type === 'public') {
    throw coded(TypeError, 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE', `Invalid key object type ${type}, expected secret.`);
  }
  throw argType('key', KEY, key);
}

function importState(algorithm, image, options) {
  const row = required(algorithm);
  const o = checked(options, COPY);
  const place = acquire();
  native.importState(place.slab, place.slot, row.id, bytesOnly(image, 'image'));
  const hash = new (row.mac ? Hmac : Hash)(INTERNAL, row, undefined, place);
  return o.outputLength === undefined ? hash : hash.copy(o);
}

// target[offset .. offset + n] as a view of its bytes.
function room(target, offset, n, name = 'target') {
  const bytes = bytesOnly(target, name);
  const total = lengthOf.call(bytes);
  const at = size(offset, 'offset', total);
  if (n > total - at) {
    throw coded(RangeError, 'ERR_OUT_OF_RANGE', `${name}: ${total - at} bytes from offset ${at}, ${n} needed`);
  }
  return new Uint8Array(bytes.buffer, bytes.byteOffset + at, n);
}

// One message or several parts of one, as views.
function parts(data, name = 'data') {
  if (!Array.isArray(data)) return [message(data, name)];
  const list = [];
  for (let i = 0; i < data.length; i++) list.push(message(data[i], `${name}[${i}]`));
  // Reading one element may have run code that detached another.
  for (const part of list) view(part, name);
  return list;
}

// Everything of a one-shot but its output, which is asked for when nothing of the caller's can run any more.
function hashParts(row, data, name, o, output) {
  const given = parse(row, o);
  const seek = o.seek === undefined ? 0 : u64(o.seek, 'options.seek');
  const n = threads(o.threads);
  const list = parts(data, name);
  recheck(given);
  const out = output();
  native.digest(row.id, given, list, out, seek, n);
  return out;
}

// The digest of one message, without any parameter but its length, into `out` (or, without it, as hexadecimal text) by one
// short call; undefined: not this way.
function brief(row, data, out) {
  if (typeof data === 'string') {
    if (data.length >= SHORT_TEXT) return undefined;
    return out === undefined ? nativeHashTextHex(row.id, data) : nativeHashTextInto(row.id, data, out);
  }
  const list = Array.isArray(data);
  if (!list && !ArrayBuffer.isView(data)) return undefined;
  const n = list ? joined(data) : copied(data);
  if (n > 0) return out === undefined ? nativeHashCopyHex(row.id, n) : nativeHashCopyInto(row.id, n, out);
  if (list) return undefined;
  return out === undefined ? nativeHashHex(row.id, data) : nativeHashInto(row.id, data, out);
}

// Whether nothing is asked for that changes more than the digest's length and form.
function lengthOnly(o) {
  for (const name in o) if (name !== 'outputLength' && name !== 'outputEncoding') return false;
  return true;
}

// The third argument of hash: node:crypto takes an encoding only, and says so.
function hashOptions(options) {
  if (typeof options === 'string') return { outputEncoding: options };
  if (typeof options !== 'object' || options === null || Array.isArray(options) || ArrayBuffer.isView(options)) {
    throw argType('outputEncoding', 'of type string', options);
  }
  return checked(options, HASH);
}

function hash(algorithm, data, options = 'hex') {
  const row = find(algorithm);
  if (row === undefined) required(algorithm, `Digest method ${algorithm} is not supported`);
  if (Array.isArray(data)) data = readOnce(data);
  if (options === 'hex') {
    const digest = brief(row, data, undefined);
    if (digest !== undefined) return digest;
  } else if (options === 'buffer') {
    const out = Buffer.allocUnsafe(row.digestSize);
    if (brief(row, data, out) === true) return out;
  }
  const o = hashOptions(options);
  const encoding = outputEncoding(o.outputEncoding ?? 'hex');
  const length = digestLength(row, o);
  if (options !== 'hex' && options !== 'buffer' && length <= SHORT_OUTPUT && lengthOnly(o)) {
    const out = Buffer.allocUnsafe(length);
    if (brief(row, data, out) === true) return encode(out, encoding);
  }
  return encode(
    hashParts(row, data, 'input', o, () => Buffer.allocUnsafe(length)),
    encoding,
  );
}

function digestInto(algorithm, data, target, offset = 0, options = undefined) {
  const row = required(algorithm);
  const o = checked(options, HASH_INTO);
  const length = digestLength(row, o);
  return hashParts(row, data, 'data', o, () => room(target, offset, length)).length;
}

module.exports = { Hash, Hmac, createHash, createHmac, importState, hash, digestInto, parts, encode };
