'use strict';
// reader.js - long output (BLAKE3, BLAKE2Xb) read at any offset, or as a stream.
const native = require('../native');
const { Buffer, MAX_LENGTH, Readable } = require('./platform');
const { u64, size, bytesOnly, threads, options: checked, lengthOf } = require('./check');

const READ = new Set(['threads']);
const STREAM = new Set(['start', 'end', 'highWaterMark', 'encoding', 'signal']);

const least = (a, b) => (a < b ? a : b);

class OutputReader {
  #place;
  #length;
  #position = 0n;

  constructor(place, length) {
    this.#place = place;
    this.#length = length;
  }

  // How many bytes there are.
  get length() {
    return this.#length;
  }

  get position() {
    return this.#position;
  }

  set position(value) {
    this.#position = u64(value, 'position', this.#length);
  }

  // Bytes at `position`, or at the reader's own, which then moves: fewer at the end, none after it.
  read(length, position = undefined, options = undefined) {
    const n = least(BigInt(size(length, 'length', MAX_LENGTH)), this.#left(position));
    const out = Buffer.allocUnsafe(Number(n));
    this.#fill(out, position, options);
    return out;
  }

  readInto(target, position = undefined, options = undefined) {
    const bytes = bytesOnly(target, 'target');
    const n = least(BigInt(lengthOf.call(bytes)), this.#left(position));
    this.#fill(new Uint8Array(bytes.buffer, bytes.byteOffset, Number(n)), position, options);
    return Number(n);
  }

  #left(position) {
    const at = position === undefined ? this.#position : u64(position, 'position');
    return at < this.#length ? this.#length - at : 0n;
  }

  #fill(out, position, options) {
    const n = threads(checked(options, READ).threads);
    const at = position === undefined ? this.#position : u64(position, 'position');
    if (out.length === 0) return;
    native.xofRead(this.#place.slab, this.#place.slot, out, at, n);
    if (position === undefined) this.#position = at + BigInt(out.length);
  }

  // A Readable of bytes start..end, `end` inclusive as in fs; the reader's position stays.
  createReadStream(options) {
    const o = checked(options, STREAM);
    let at = o.start === undefined ? 0n : u64(o.start, 'options.start', this.#length);
    const last =
      o.end === undefined || o.end === Infinity ? this.#length : least(u64(o.end, 'options.end') + 1n, this.#length);
    const reader = this;
    return new Readable({
      highWaterMark: o.highWaterMark ?? 65536,
      encoding: o.encoding,
      signal: o.signal,
      read(n) {
        try {
          const chunk = at < last ? reader.read(Number(least(BigInt(n), last - at)), at) : null;
          if (chunk !== null) at += BigInt(chunk.length);
          this.push(chunk);
        } catch (error) {
          this.destroy(error);
        }
      },
    });
  }
}

module.exports = { OutputReader };
