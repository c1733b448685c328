'use strict';
// batch.js - many messages in one call.
const native = require('../native');
const { Buffer, text } = require('./platform');
const {
  argType,
  argValue,
  bytesOnly,
  message,
  size,
  u64,
  threads,
  options: checked,
  outputEncoding,
  tagOf,
  lengthOf,
  view,
  outOfRange,
} = require('./check');
const { required, parse, recheck, digestLength, OPTIONS } = require('./algorithm');

const MANY = new Set([...OPTIONS, 'itemSize', 'offsets', 'prefix', 'out', 'outputEncoding', 'threads']);
const OFFSETS = new Set(['Uint32Array', 'Int32Array', 'BigUint64Array', 'BigInt64Array']);

// Start and end of each message in one buffer, as an array of 32- or 64-bit integers.
function offsetsOf(value) {
  if (Array.isArray(value)) return BigUint64Array.from(value, (x, i) => u64(x, `options.offsets[${i}]`));
  if (!OFFSETS.has(ArrayBuffer.isView(value) ? tagOf.call(value) : undefined)) {
    throw argType('options.offsets', 'an array or a 32- or 64-bit integer typed array', value);
  }
  return view(value, 'options.offsets');
}

// Every argument of hashMany, checked, in the addon's order.
function prepare(algorithm, items, options, known = MANY) {
  const row = required(algorithm);
  const o = checked(options, known);
  const b = {
    row,
    o,
    given: parse(row, o),
    length: digestLength(row, o),
    items: null,
    data: null,
    itemSize: 0,
    offsets: null,
  };
  b.encoding = o.outputEncoding === undefined ? undefined : outputEncoding(o.outputEncoding);
  b.threads = threads(o.threads);
  b.prefix = o.prefix === undefined ? null : message(o.prefix, 'options.prefix');
  if (Array.isArray(items)) {
    for (const name of ['itemSize', 'offsets']) {
      if (o[name] !== undefined) throw argValue(`options.${name}`, o[name], 'goes with one buffer, not with a list');
    }
    b.items = [];
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      const plain = ArrayBuffer.isView(item) && tagOf.call(item) !== undefined && lengthOf.call(item) !== 0;
      b.items.push(plain ? item : message(item, `items[${i}]`));
    }
    b.count = b.items.length;
  } else {
    b.data = view(items, 'items', 'an array or an instance of Buffer, TypedArray, or DataView');
    const total = lengthOf.call(b.data);
    if ((o.itemSize === undefined) === (o.offsets === undefined)) {
      throw argValue('options', options, "needs one of 'itemSize' and 'offsets' for one buffer");
    }
    if (o.itemSize !== undefined) {
      b.itemSize = size(o.itemSize, 'options.itemSize');
      if (b.itemSize === 0 || total % b.itemSize !== 0) {
        throw outOfRange('options.itemSize', `a divisor of the ${total} bytes in items`, b.itemSize);
      }
      b.count = total / b.itemSize;
    } else {
      b.offsets = offsetsOf(o.offsets);
      if (b.offsets.length === 0) throw argValue('options.offsets', o.offsets, 'needs one element more than messages');
      b.count = b.offsets.length - 1;
    }
  }
  b.out = undefined;
  if (o.out !== undefined) {
    const out = bytesOnly(o.out, 'options.out');
    if (lengthOf.call(out) !== b.count * b.length) {
      throw outOfRange('options.out', `${b.count * b.length} bytes long (${b.count} digests)`, lengthOf.call(out));
    }
    b.out = out;
  }
  // Reading one argument may have run code that detached another: now nothing runs any more.
  if (b.items !== null)
    for (let i = 0; i < b.count; i++) lengthOf.call(b.items[i]) !== 0 || view(b.items[i], `items[${i}]`);
  else view(b.data, 'items');
  if (b.prefix !== null) view(b.prefix, 'options.prefix');
  recheck(b.given);
  return b;
}

// All digests back to back, or a list when an encoding was asked for.
function result(b, out) {
  if (b.encoding === undefined) return b.o.out ?? out;
  const whole = Buffer.from(out.buffer, out.byteOffset, lengthOf.call(out));
  const list = new Array(b.count);
  for (let i = 0; i < b.count; i++) {
    const one = whole.subarray(i * b.length, (i + 1) * b.length);
    list[i] = b.encoding === 'buffer' ? one : text(one, b.encoding);
  }
  return list;
}

function hashMany(algorithm, items, options) {
  const b = prepare(algorithm, items, options);
  const out = b.out ?? Buffer.allocUnsafe(b.count * b.length);
  native.digestMany(
    b.row.id,
    b.given,
    b.count,
    b.items,
    b.data,
    b.itemSize,
    b.offsets,
    b.prefix,
    out,
    b.length,
    b.threads,
    undefined,
  );
  return result(b, out);
}

module.exports = { hashMany, prepare, result, MANY };
