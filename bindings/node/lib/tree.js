'use strict';
// tree.js - BLAKE3 trees: pieces hashed apart (other threads, processes, machines) and merged.
const native = require('../native');
const { Buffer, MAX_LENGTH } = require('./platform');
const { coded, bytesOnly, view, message, size, u64, threads, options: checked, lengthOf } = require('./check');
const { required, parse } = require('./algorithm');

const MODE = ['key', 'deriveKeyContext'];
const SUBTREE = new Set([...MODE, 'firstChunk', 'threads']);
const PARENT = new Set(MODE);
const ROOT = new Set([...MODE, 'length', 'outputLength', 'seek']);
const blake3 = required('blake3');

const modeOf = (o) => parse(blake3, { key: o.key, deriveKeyContext: o.deriveKeyContext });

function value(bytes, name) {
  const v = bytesOnly(bytes, name);
  if (lengthOf.call(v) !== 32) {
    throw coded(
      RangeError,
      'ERR_OUT_OF_RANGE',
      `${name}: ${lengthOf.call(v)} bytes given, 32 needed (a chaining value)`,
    );
  }
  return v;
}

// Chaining value of a subtree that begins at chunk `firstChunk` (1,024 bytes each).
function subtree(data, options) {
  const o = checked(options, SUBTREE);
  const first = o.firstChunk === undefined ? 0n : u64(o.firstChunk, 'options.firstChunk');
  const n = threads(o.threads);
  const mode = modeOf(o);
  const out = Buffer.allocUnsafe(32);
  native.subtree(out, mode, message(data), first, n);
  return out;
}

function parent(left, right, options) {
  const mode = modeOf(checked(options, PARENT));
  const out = Buffer.allocUnsafe(32);
  native.parent(out, mode, value(left, 'left'), value(right, 'right'));
  return out;
}

// Digest of the tree over two or more chaining values: equal power-of-two subtrees in order, the last maybe shorter.
function root(values, options) {
  const o = checked(options, ROOT);
  const mode = modeOf(o);
  const length = o.length ?? o.outputLength;
  const out = Buffer.allocUnsafe(length === undefined ? 32 : size(length, 'options.length', MAX_LENGTH));
  const seek = o.seek === undefined ? 0n : u64(o.seek, 'options.seek');
  let all;
  if (Array.isArray(values)) {
    all = Buffer.concat(
      values.map((v, i) => {
        const bytes = value(v, `values[${i}]`);
        return Buffer.from(new Uint8Array(bytes.buffer, bytes.byteOffset, 32)); // reading the next may detach it
      }),
    );
  } else {
    all = view(values, 'values', 'an array or an instance of Buffer, TypedArray, or DataView');
    if (lengthOf.call(all) % 32 !== 0) {
      throw coded(RangeError, 'ERR_OUT_OF_RANGE', `values: ${lengthOf.call(all)} bytes given, a multiple of 32 needed`);
    }
  }
  native.root(out, mode, all, seek);
  return out;
}

// Most bytes that a subtree beginning at this chunk may have.
const subtreeMax = (firstChunk) => native.subtreeMax(u64(firstChunk, 'firstChunk'));
// Bytes of the left child of a subtree of that many bytes; 0n when it is one chunk.
const leftLength = (length) => native.leftLength(u64(length, 'length'));

module.exports = { subtree, parent, root, subtreeMax, leftLength };
