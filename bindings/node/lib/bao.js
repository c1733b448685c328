'use strict';
// bao.js - Bao verified streaming over the core's walker: encode, decode, slices, files, and a verifying Transform.
//
// The walker says which bytes come next and where they stand; this file moves them. Bytes are copied first, verified in
// the copy, and only then handed out.
const fs = require('fs');
const { Transform } = require('stream');
const { pipeline } = require('stream/promises');
const native = require('../native');
const { coded, argType, bytesOnly, message, size, u64, options: checked, lengthOf, U64_MAX } = require('./check');
const { required, parse } = require('./algorithm');
const { acquire, discard } = require('./state');

const MODE = ['group', 'key', 'deriveKeyContext'];
const ENCODE = new Set([...MODE, 'outboard']);
const DECODE = new Set([...MODE, 'outboard']);
const SLICE = new Set(['group', 'outboard']);
const STREAM = new Set([...MODE, 'outboard', 'start', 'length', 'highWaterMark', 'signal']);
const END = 0;
const HEADER = 1;
const LEAF = 3;
const blake3 = required('blake3');

const modeOf = (o) => parse(blake3, { key: o.key, deriveKeyContext: o.deriveKeyContext });
const groupOf = (o) => (o.group === undefined ? 0 : size(o.group, 'options.group', 10));
const flagOf = (o, name = 'outboard') => {
  if (o[name] !== undefined && typeof o[name] !== 'boolean')
    throw argType(`options.${name}`, 'of type boolean', o[name]);
  return o[name] === true;
};

function rootOf(value) {
  const bytes =
    typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : bytesOnly(value, 'root');
  if (lengthOf.call(bytes) !== 32) {
    throw coded(RangeError, 'ERR_OUT_OF_RANGE', `root: ${lengthOf.call(bytes)} bytes given, 32 needed`);
  }
  return Buffer.from(new Uint8Array(bytes.buffer, bytes.byteOffset, 32)); // the caller's may change
}

const asBuffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, lengthOf.call(bytes));
const broken = (text) => coded(Error, 'ERR_VERIFICATION_FAILED', text);

class Walker {
  #place = acquire();
  #step = new BigUint64Array(4);

  static decode(root, o, outboard, start, length) {
    const w = new Walker();
    native.baoDecode(w.#place.slab, w.#place.slot, root, modeOf(o), groupOf(o), outboard, start, length);
    return w;
  }

  static encode(o, outboard, length) {
    const w = new Walker();
    native.baoEncode(w.#place.slab, w.#place.slot, modeOf(o), groupOf(o), outboard, length);
    return w;
  }

  // The next step: its kind; size, encodedAt and dataAt are of it.
  next() {
    native.baoNext(this.#place.slab, this.#place.slot, this.#step);
    return Number(this.#step[0]);
  }

  get size() {
    return Number(this.#step[1]);
  }

  get encodedAt() {
    return this.#step[2];
  }

  get dataAt() {
    return this.#step[3];
  }

  put(bytes) {
    native.baoPut(this.#place.slab, this.#place.slot, bytes);
  }

  get(bytes) {
    native.baoGet(this.#place.slab, this.#place.slot, bytes);
    return bytes;
  }

  close() {
    discard(this.#place);
    this.#place = { slab: undefined, slot: 0 };
  }
}

function encodedSize(dataLength, options) {
  const o = checked(options, SLICE);
  return native.baoSize(u64(dataLength, 'dataLength'), groupOf(o), flagOf(o));
}

// {root, encoded}: the combined encoding, or with `outboard: true` all but the data.
function encode(data, options) {
  const o = checked(options, ENCODE);
  const outboard = flagOf(o);
  const input = asBuffer(message(data));
  const total = native.baoSize(BigInt(input.length), groupOf(o), outboard);
  const encoded = Buffer.allocUnsafe(Number(total));
  const w = Walker.encode(o, outboard, BigInt(input.length));
  try {
    for (let kind; (kind = w.next()) !== END;) {
      const at = Number(w.encodedAt);
      if (kind === LEAF) {
        const from = Number(w.dataAt);
        let leaf = input.subarray(from, from + w.size);
        if (!outboard) {
          leaf.copy(encoded, at);
          leaf = encoded.subarray(at, at + w.size);
        }
        w.put(leaf);
      } else {
        w.get(encoded.subarray(at, at + w.size));
      }
    }
    return { root: w.get(Buffer.allocUnsafe(32)), encoded };
  } finally {
    w.close();
  }
}

// The data of an encoding, all of it verified. `outboard`: `encoded` is the data itself, and this the rest.
function decode(encoded, root, options) {
  const o = checked(options, DECODE);
  const beside = o.outboard === undefined ? undefined : asBuffer(bytesOnly(o.outboard, 'options.outboard'));
  const input = asBuffer(bytesOnly(encoded, beside === undefined ? 'encoded' : 'data'));
  const head = beside ?? input;
  if (head.length < 8) throw broken(`the encoding ends after ${head.length} bytes, inside its header`);
  const length = head.readBigUInt64LE();
  let wanted;
  try {
    wanted = native.baoSize(length, groupOf(o), beside !== undefined);
  } catch {
    throw broken(`the header says ${length} bytes of data, more than an encoding can have`);
  }
  if (wanted !== BigInt(head.length) || (beside !== undefined && length !== BigInt(input.length))) {
    throw broken(
      `the header says ${length} bytes of data; an encoding of ${wanted} bytes was expected, ` +
        `${head.length} bytes${beside === undefined ? '' : ` and ${input.length} bytes of data`} were given`,
    );
  }
  const out = Buffer.allocUnsafe(Number(length));
  const w = Walker.decode(rootOf(root), o, beside !== undefined, 0n, U64_MAX);
  try {
    for (let kind; (kind = w.next()) !== END;) {
      const n = w.size;
      if (kind === LEAF) {
        const at = Number(w.dataAt);
        const from = beside === undefined ? Number(w.encodedAt) : at;
        input.copy(out, at, from, from + n);
        w.put(out.subarray(at, at + n));
      } else {
        const at = Number(w.encodedAt);
        w.put(head.subarray(at, at + n));
      }
    }
  } finally {
    w.close();
  }
  return out;
}

// Cut what verifies data[start, start + length) out of a combined encoding, or (`outboard`) out of data and outboard.
// Nothing is verified here. As the Bao specification says, length 0 counts as 1, and past the end means the last chunk.
function slice(encoded, start, length, options) {
  const o = checked(options, SLICE);
  const beside = o.outboard === undefined ? undefined : asBuffer(bytesOnly(o.outboard, 'options.outboard'));
  const input = asBuffer(bytesOnly(encoded, beside === undefined ? 'encoded' : 'data'));
  const head = beside ?? input;
  const w = Walker.decode(null, o, beside !== undefined, u64(start, 'start'), u64(length, 'length'));
  const out = [];
  try {
    for (let kind; (kind = w.next()) !== END;) {
      const from = kind === LEAF && beside !== undefined ? input : head;
      const at = kind === LEAF && beside !== undefined ? w.dataAt : w.encodedAt;
      if (at + BigInt(w.size) > BigInt(from.length))
        throw broken(`the encoding ends after ${from.length} bytes, too early`);
      const bytes = Buffer.from(from.subarray(Number(at), Number(at) + w.size));
      w.put(bytes);
      out.push(bytes);
    }
  } finally {
    w.close();
  }
  return Buffer.concat(out);
}

// The verified bytes that a slice holds of data[start, start + length).
function decodeSlice(sliced, root, start, length, options) {
  const o = checked(options, new Set(MODE));
  const d = new Decoder(root, { ...o, start, length });
  return Buffer.concat([...d.steps(asBuffer(bytesOnly(sliced, 'slice'))), ...d.finish()]);
}

// Takes an encoding, a slice, or data beside an outboard, in pieces of any size; gives verified data.
class Decoder {
  #walker;
  #beside;
  #start;
  #end;
  #held = Buffer.alloc(0);
  #taken = 0n;

  constructor(root, o) {
    this.#beside =
      o.outboard === undefined ? undefined : Buffer.from(asBuffer(bytesOnly(o.outboard, 'options.outboard')));
    const ranged = o.start !== undefined || o.length !== undefined;
    if (ranged && this.#beside !== undefined) {
      throw coded(
        TypeError,
        'ERR_INVALID_ARG_VALUE',
        "options.outboard goes with all of the data, not with 'start' and 'length'",
      );
    }
    this.#start = o.start === undefined ? 0n : u64(o.start, 'options.start');
    const length = o.length === undefined ? U64_MAX : u64(o.length, 'options.length');
    this.#end = length > U64_MAX - this.#start ? U64_MAX : this.#start + length;
    this.#walker = Walker.decode(rootOf(root), o, this.#beside !== undefined, this.#start, length);
  }

  *steps(chunk) {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    let used = 0;
    for (;;) {
      const w = this.#walker;
      const kind = w.next();
      if (kind === END) {
        if (used < this.#held.length) {
          throw broken(
            `${this.#held.length - used} bytes or more follow the end of the encoding, at byte ${this.#taken}`,
          );
        }
        break;
      }
      const n = w.size;
      if (kind !== LEAF && this.#beside !== undefined) {
        const at = Number(w.encodedAt);
        if (at + n > this.#beside.length)
          throw broken(`the outboard ends after ${this.#beside.length} bytes, too early`);
        const dataLength = kind === HEADER ? this.#beside.readBigUInt64LE(at) : 0n;
        w.put(this.#beside.subarray(at, at + n));
        if (kind === HEADER && native.baoSize(dataLength, this.group, true) !== BigInt(this.#beside.length)) {
          throw broken(`the outboard has ${this.#beside.length} bytes, wrong for ${dataLength} bytes of data`);
        }
        continue;
      }
      if (this.#held.length - used < n) break;
      const bytes = Buffer.from(this.#held.subarray(used, used + n));
      const at = w.dataAt;
      w.put(bytes);
      used += n;
      this.#taken += BigInt(n);
      if (kind !== LEAF) continue;
      const from = at < this.#start ? this.#start - at : 0n;
      const to = at + BigInt(n) > this.#end ? this.#end - at : BigInt(n);
      if (from < to) yield bytes.subarray(Number(from), Number(to));
    }
    this.#held = Buffer.from(this.#held.subarray(used));
  }

  *finish() {
    yield* this.steps(Buffer.alloc(0));
    if (this.#walker.next() !== END)
      throw broken(`the encoding ends after ${this.#taken + BigInt(this.#held.length)} bytes, too early`);
    this.close();
  }

  close() {
    this.#walker.close();
  }
}

// A Transform: encoding (or slice, or data beside an `outboard`) in, verified data out, an error otherwise.
function createDecoder(root, options) {
  const o = checked(options, STREAM);
  const decoder = new Decoder(root, o);
  decoder.group = groupOf(o);
  const through = function (stream, pieces, callback) {
    try {
      for (const bytes of pieces) stream.push(bytes);
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  };
  return new Transform({
    highWaterMark: o.highWaterMark,
    signal: o.signal,
    transform(chunk, _, callback) {
      through(this, decoder.steps(chunk), callback);
    },
    flush(callback) {
      through(this, decoder.finish(), callback);
    },
  });
}

// Encodes a file into another; gives its root. Parents stand before their data, so the target is written by position.
async function encodeFile(source, target, options) {
  const o = checked(options, ENCODE);
  const outboard = flagOf(o);
  const from = await fs.promises.open(source, 'r');
  let to;
  let w;
  try {
    const length = (await from.stat({ bigint: true })).size;
    to = await fs.promises.open(target, 'w');
    w = Walker.encode(o, outboard, length);
    for (let kind; (kind = w.next()) !== END;) {
      const bytes = Buffer.allocUnsafe(w.size);
      if (kind === LEAF) {
        await readFull(from, bytes, Number(w.dataAt), source);
        w.put(bytes);
      } else {
        w.get(bytes);
      }
      if (kind !== LEAF || !outboard) await to.writev([bytes], Number(w.encodedAt));
    }
    return w.get(Buffer.allocUnsafe(32));
  } finally {
    w?.close();
    await from.close();
    await to?.close();
  }
}

async function readFull(handle, bytes, position, name) {
  for (let n = 0; n < bytes.length;) {
    const { bytesRead } = await handle.read(bytes, n, bytes.length - n, position + n);
    if (bytesRead === 0) throw coded(Error, 'ERR_INVALID_STATE', `${name} became shorter while it was encoded`);
    n += bytesRead;
  }
}

// Decodes a file into another, which is removed when anything does not verify. `outboard`: its file's name.
async function decodeFile(source, target, root, options) {
  const o = { ...checked(options, DECODE) };
  if (o.outboard !== undefined) o.outboard = await fs.promises.readFile(o.outboard);
  const decoder = createDecoder(root, o);
  try {
    await pipeline(fs.createReadStream(source, { highWaterMark: 1 << 20 }), decoder, fs.createWriteStream(target));
  } catch (error) {
    if (error.code === 'ERR_VERIFICATION_FAILED') await fs.promises.rm(target, { force: true });
    throw error;
  }
}

module.exports = { encodedSize, encode, decode, slice, decodeSlice, createDecoder, encodeFile, decodeFile };
