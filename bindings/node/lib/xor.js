'use strict';
// xor.js - XOR of buffers, the repeating key, and bufferutil's two functions.
const native = require('../native');
const { Buffer } = require('./platform');
const { coded, bytesOnly, size, u64, lengthOf, byteOffsetOf, tagOf, outOfRange } = require('./check');

// Up to these a native call costs more than the loop (bench/node/bench_calls.mjs).
const XOR_SHORT = 32;
const XOR_MASK_SHORT = native.maskShort ?? 52;
const MASK_SHORT = native.maskShort ?? 44;
const UNMASK_SHORT = native.maskShort ?? 40;
const MASK_MAX = 0xffffffff; // of the calls that take 32 bits

const { mask: nativeMask, maskIn, maskTo } = native;
const { isView } = ArrayBuffer; // Node 18 ends the process when the addon asks for the bytes of anything else
// Where the addon's two calls find the key, the offset in dst and the length.
const words = new Uint32Array(native.scratch);
const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
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
      throw coded(
        RangeError,
        'ERR_OUT_OF_RANGE',
        `sources[${i}]: ${lengthOf.call(views[i])} bytes given, ${n} needed (all sources of one length)`,
      );
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

// Four bytes a turn; n is small.
function maskShort(dst, at, src, n, key, phase) {
  const a = key[phase & 3];
  const b = key[(phase + 1) & 3];
  const c = key[(phase + 2) & 3];
  const d = key[(phase + 3) & 3];
  let i = 0;
  for (; i + 4 <= n; i += 4, at += 4) {
    dst[at] = src[i] ^ a;
    dst[at + 1] = src[i + 1] ^ b;
    dst[at + 2] = src[i + 2] ^ c;
    dst[at + 3] = src[i + 3] ^ d;
  }
  if (i < n) dst[at++] = src[i++] ^ a;
  if (i < n) dst[at++] = src[i++] ^ b;
  if (i < n) dst[at] = src[i] ^ c;
}

// A Uint8Array that has n bytes from `at` on.
const holds = (view, at, n) => tagOf.call(view) === 'Uint8Array' && at >= 0 && at + n <= lengthOf.call(view);
// Exactly four bytes, which no dressing up can feign; other keys take the checked way.
const isKey = (key) => tagOf.call(key) === 'Uint8Array' && key[3] !== undefined && key[4] === undefined;
// Whether n bytes of src, and as many of dst from `at` on, may overlap without being the same ones. Whose memory it is costs
// more to ask than the loop takes: what two views share is equal in both, so those of unlike bytes are told at once; the
// checked way decides about the few others. The getters are called as they are: V8 makes loads of these calls only.
function mayMeet(dst, at, src, n) {
  const by = byteOffsetOf.call(dst) + at - byteOffsetOf.call(src);
  return by > 0 ? by < n && src[by] === dst[at] : by < 0 && -by < n && src[0] === dst[at - by];
}
function frameKey(key, phase) {
  const a = key[phase & 3];
  const b = key[(phase + 1) & 3];
  const c = key[(phase + 2) & 3];
  const d = key[(phase + 3) & 3];
  words[0] = LITTLE_ENDIAN ? a | (b << 8) | (c << 16) | (d << 24) : d | (c << 8) | (b << 16) | (a << 24);
}

function xorMask(dst, src, key, offset = 0) {
  if (
    isKey(key) &&
    typeof offset === 'number' &&
    offset >>> 0 === offset &&
    tagOf.call(src) === 'Uint8Array'
  ) {
    const n = lengthOf.call(src);
    if (n > 0 && n <= XOR_MASK_SHORT) {
      if (holds(dst, 0, n) && !mayMeet(dst, 0, src, n)) {
        maskShort(dst, 0, src, n, key, offset);
        return n;
      }
    } else if (n <= MASK_MAX && isView(dst)) {
      frameKey(key, offset);
      words[1] = 0;
      words[2] = n;
      if ((dst === src ? maskIn(src) : maskTo(dst, src)) !== undefined) return n;
    }
  }
  return xorMaskChecked(dst, src, key, offset);
}

// What the short ways leave; apart, so that V8 takes those into their callers.
function xorMaskChecked(dst, src, key, offset) {
  const target = bytesOnly(dst, 'dst');
  const source = bytesOnly(src, 'src');
  const mask = bytesOnly(key, 'key');
  const n = lengthOf.call(source);
  if (lengthOf.call(target) < n) {
    throw coded(
      RangeError,
      'ERR_OUT_OF_RANGE',
      `dst: ${lengthOf.call(target)} bytes given, ${n} needed (src's length)`,
    );
  }
  if (lengthOf.call(mask) === 0) throw coded(RangeError, 'ERR_OUT_OF_RANGE', 'key: 0 bytes given, at least 1 needed');
  nativeMask(target, 0, source, n, mask, u64(offset, 'offset'));
  return n;
}

// mask(source, mask, output, offset, length): as bufferutil's, but checked.
function mask(source, key, output, offset, length) {
  if (isKey(key) && typeof length === 'number' && typeof offset === 'number') {
    if (length > MASK_SHORT) {
      if (offset >>> 0 === offset && length >>> 0 === length && isView(output) && isView(source)) {
        frameKey(key, 0);
        words[1] = offset;
        words[2] = length;
        if (maskTo(output, source) !== undefined) return;
      }
    } else if (
      length > 0 &&
      holds(source, 0, length) &&
      holds(output, offset, length) &&
      Number.isInteger(length) &&
      Number.isInteger(offset) &&
      !mayMeet(output, offset, source, length)
    ) {
      maskShort(output, offset, source, length, key, 0);
      return;
    }
  }
  maskChecked(source, key, output, offset, length);
}
function maskChecked(source, key, output, offset, length) {
  const from = bytesOnly(source, 'source');
  const four = keyOf(key);
  const to = bytesOnly(output, 'output');
  const n = size(length, 'length', lengthOf.call(from));
  const at = size(offset, 'offset', lengthOf.call(to));
  if (n > lengthOf.call(to) - at) throw outOfRange('length', `<= ${lengthOf.call(to) - at}, what output has left`, n);
  nativeMask(to, at, from, n, four);
}

function unmask(buffer, key) {
  if (isKey(key)) {
    const n = tagOf.call(buffer) === 'Uint8Array' ? lengthOf.call(buffer) : 0;
    if (n > 0 && n <= UNMASK_SHORT) {
      maskShort(buffer, 0, buffer, n, key, 0);
      return;
    }
    frameKey(key, 0);
    if (isView(buffer) && maskIn(buffer) !== undefined) return;
  }
  const bytes = bytesOnly(buffer, 'buffer');
  nativeMask(bytes, 0, undefined, lengthOf.call(bytes), keyOf(key));
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

module.exports = { xor, xorInto, xorMask, mask, unmask, equal };
