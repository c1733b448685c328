'use strict';
// bao_walker.js - the core's Bao walker as an object, and the options that all of Bao shares.
const native = require('../native');
const { argType, size } = require('./check');
const { required, parse } = require('./algorithm');
const { acquire, discard } = require('./state');

const [END, HEADER, LEAF] = [0, 1, 3]; // hc_bao_kind
const blake3 = required('blake3');

const modeOf = (o) => parse(blake3, { key: o.key, deriveKeyContext: o.deriveKeyContext });
const groupOf = (o) => (o.group === undefined ? 0 : size(o.group, 'options.group', 10));
function outboardOf(o) {
  if (o.outboard !== undefined && typeof o.outboard !== 'boolean')
    throw argType('options.outboard', 'of type boolean', o.outboard);
  return o.outboard === true;
}

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

module.exports = { Walker, END, HEADER, LEAF, groupOf, outboardOf };
