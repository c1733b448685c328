'use strict';
// bao.js - Bao verified streaming over the core's walker: encode, decode, slices, and a verifying Transform.
//
// The walker says which bytes come next and where they stand; this file moves them. Bytes are copied first, verified in
// the copy, and only then handed out.
const native = require('../native');
const { coded, bytesOnly, message, u64, options: checked, lengthOf, U64_MAX } = require('./check');
const { Buffer, Transform } = require('./platform');
const { Walker, END, HEADER, LEAF, groupOf, outboardOf } = require('./bao_walker');

const MODE = ['group', 'key', 'deriveKeyContext'];
const ENCODE = new Set([...MODE, 'outboard']);
const SLICE = new Set(['group', 'outboard']);
const STREAM = new Set([...MODE, 'outboard', 'start', 'length', 'highWaterMark', 'signal']);

function rootOf(value) {
  const bytes =
    typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : bytesOnly(value, 'root');
  if (lengthOf.call(bytes) !== 32) {
    throw coded(RangeError, 'ERR_OUT_OF_RANGE', `root: ${lengthOf.call(bytes)} bytes given, 32 needed`);
  }
  return Buffer.from(new Uint8Array(bytes.buffer, bytes.byteOffset, 32)); // the caller's may change
}

const asBuffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, lengthOf.call(bytes));
const u64At = (bytes, at) => new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(at, true);
const broken = (text) => coded(Error, 'ERR_VERIFICATION_FAILED', text);

function encodedSize(dataLength, options) {
  const o = checked(options, SLICE);
  return native.baoSize(u64(dataLength, 'dataLength'), groupOf(o), outboardOf(o));
}

// {root, encoded}: the combined encoding, or with `outboard: true` all but the data.
function encode(data, options) {
  const o = checked(options, ENCODE);
  const outboard = outboardOf(o);
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
          encoded.set(leaf, at);
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
  const o = checked(options, ENCODE);
  const beside = o.outboard === undefined ? undefined : asBuffer(bytesOnly(o.outboard, 'options.outboard'));
  const input = asBuffer(bytesOnly(encoded, beside === undefined ? 'encoded' : 'data'));
  const head = beside ?? input;
  if (head.length < 8) throw broken(`the encoding ends after ${head.length} bytes, inside its header`);
  const length = u64At(head, 0);
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
        out.set(input.subarray(from, from + n), at);
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
        const dataLength = kind === HEADER ? u64At(this.#beside, at) : 0n;
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

module.exports = { encodedSize, encode, decode, slice, decodeSlice, createDecoder };
