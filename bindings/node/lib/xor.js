'use strict';
// xor.js - XOR of buffers, the repeating key, and bufferutil's two functions.
const native = require('../native');
const { coded, argType, argValue, bytesOnly, view, size, u64, lengthOf, tagOf, outOfRange } = require('./check');

// Below these a native call costs more than the loop (bench/node/bench_calls.mjs).
const XOR_SHORT = 32;
const MASK_SHORT = 48;

const isBytes = (value) => ArrayBuffer.isView(value) && tagOf.call(value) === 'Uint8Array';

// Each source as a view. Reading them ran no code of the caller's: an array like `arguments` holds values.
function viewsOf(sources) {
  if (sources.length === 0) throw coded(TypeError, 'ERR_MISSING_ARGS', 'At least one source must be specified');
  return sources.map((source, i) => bytesOnly(source, `sources[${i}]`));
}

function xorInto(dst, ...sources) {
  const target = bytesOnly(dst, 'dst');
  const views = viewsOf(sources);
  return views.length === 2 ? native.xor2(target, views[0], views[1]) : native.xorMany(target, views);
}

function xor(...sources) {
  const views = viewsOf(sources);
  const n = lengthOf.call(views[0]);
  for (let i = 1; i < views.length; i++) {
    if (lengthOf.call(views[i]) !== n) {
      throw coded(RangeError, 'ERR_OUT_OF_RANGE',
        `sources[${i}]: ${lengthOf.call(views[i])} bytes given, ${n} needed (all sources of one length)`);
    }
  }
  const out = Buffer.allocUnsafe(n);
  if (views.length === 2 && n <= XOR_SHORT && isBytes(views[0]) && isBytes(views[1])) {
    const [a, b] = views;
    for (let i = 0; i < n; i++) out[i] = a[i] ^ b[i];
    return out;
  }
  if (views.length === 2) native.xor2(out, views[0], views[1]);
  else native.xorMany(out, views);
  return out;
}

function xorMask(dst, src, key, offset = 0) {
  const target = bytesOnly(dst, 'dst');
  const source = bytesOnly(src, 'src');
  const mask = bytesOnly(key, 'key');
  const n = lengthOf.call(source);
  const m = lengthOf.call(mask);
  if (lengthOf.call(target) < n) {
    throw coded(RangeError, 'ERR_OUT_OF_RANGE', `dst: ${lengthOf.call(target)} bytes given, ${n} needed (src's length)`);
  }
  if (m === 0) throw coded(RangeError, 'ERR_OUT_OF_RANGE', 'key: 0 bytes given, at least 1 needed');
  const phase = offset === 0 ? 0 : u64(offset, 'offset');
  native.xorMask(target, 0, source, 0, n, mask, phase);
  return n;
}

// mask(source, mask, output, offset, length): as bufferutil's, but checked.
function mask(source, key, output, offset, length) {
  if (length > 0 && length < MASK_SHORT && isBytes(source) && isBytes(key) && isBytes(output) && offset >= 0 &&
      lengthOf.call(key) >= 4 && length <= lengthOf.call(source) && offset + length <= lengthOf.call(output) &&
      Number.isInteger(offset) && Number.isInteger(length)) {
    for (let i = 0; i < length; i++) output[offset + i] = source[i] ^ key[i & 3];
    return;
  }
  const from = bytesOnly(source, 'source');
  const four = keyOf(key);
  const to = bytesOnly(output, 'output');
  const n = size(length, 'length', lengthOf.call(from));
  const at = size(offset, 'offset', lengthOf.call(to));
  if (n > lengthOf.call(to) - at) throw outOfRange('length', `<= ${lengthOf.call(to) - at}, what output has left`, n);
  native.xorMask(to, at, from, 0, n, four, 0);
}

function unmask(buffer, key) {
  const n = isBytes(buffer) && isBytes(key) && lengthOf.call(key) >= 4 ? lengthOf.call(buffer) : 0;
  if (n > 0 && n < MASK_SHORT) { // none: maybe detached
    for (let i = 0; i < n; i++) buffer[i] ^= key[i & 3];
    return;
  }
  const bytes = bytesOnly(buffer, 'buffer');
  native.xorMask(bytes, 0, bytes, 0, lengthOf.call(bytes), keyOf(key), 0);
}

// The four bytes of a WebSocket masking key.
function keyOf(key) {
  const bytes = bytesOnly(key, 'mask');
  const n = lengthOf.call(bytes);
  if (n < 4) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `mask: ${n} bytes given, 4 needed`);
  return n === 4 ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, 4);
}

// 1 or 0 in time that depends on the lengths only, as crypto.timingSafeEqual but for any two lengths.
const equal = (a, b) => native.equal(bytesOnly(a, 'a'), bytesOnly(b, 'b'));

module.exports = { xor, xorInto, xorMask, mask, unmask, equal, argType, argValue, view };
