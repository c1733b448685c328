'use strict';
// async.js - promises of digests that worker threads make.
//
// A worker never touches memory that JavaScript can detach, resize or collect: input is copied piece by piece into
// staging buffers that nobody else sees, the next piece while the worker hashes the last. A few jobs run at a time and
// the others wait their turn, so a thousand of them need no more memory than four.
const native = require('../native');
const { Buffer } = require('./platform');
const { argType, argValue, coded, threads, options: checked, outputEncoding, lengthOf, byteOffsetOf, u64 } = require('./check');
const { required, parse, digestLength, OPTIONS } = require('./algorithm');
const { acquire, discard } = require('./state');
const { parts, encode } = require('./hash');
const { prepare, result, MANY } = require('./batch');

const PIECE = 4 << 20;
const ACTIVE_MAX = 4; // libuv's own number of threads
const HASH = new Set([...OPTIONS, 'outputEncoding', 'seek', 'threads', 'signal']);
const MANY_ASYNC = new Set([...MANY, 'signal']);

let active = 0;
const waiting = [];

async function inTurn(work, signal) {
  if (active >= ACTIVE_MAX) await turn(signal);
  else active++;
  try {
    return await work();
  } finally {
    const wake = waiting.shift();
    if (wake !== undefined)
      wake(); // its place is ours
    else active--;
  }
}

// Kept when a place is free; who is told to stop before leaves the queue.
function turn(signal) {
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => {
      waiting.splice(waiting.indexOf(wake), 1);
      reject(abortError(signal));
    });
    const wake = () => {
      forget();
      resolve();
    };
    waiting.push(wake);
  });
}

// Calls f once when the signal says stop, unless the function that this gives is called before. A signal has one listener,
// whatever the number of jobs: Node warns of more than ten.
const heard = new WeakMap();
function onAbort(signal, f) {
  if (typeof signal?.addEventListener !== 'function') return () => {};
  let all = heard.get(signal);
  if (all === undefined) {
    all = new Set();
    all.tell = () => {
      heard.delete(signal);
      all.forEach((g) => g());
    };
    heard.set(signal, all);
    signal.addEventListener('abort', all.tell, { once: true });
  }
  all.add(f);
  return () => {
    if (!all.delete(f) || all.size > 0) return;
    heard.delete(signal);
    signal.removeEventListener('abort', all.tell);
  };
}

// What the promise gives, or a rejection as soon as the signal says stop; the promise's own end is then nobody's.
function unlessAborted(promise, signal) {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => reject(abortError(signal)));
    promise.then(resolve, reject).finally(forget);
    if (signal.aborted) reject(abortError(signal));
  });
}

function signalOf(o) {
  const { signal } = o;
  if (signal === undefined) return undefined;
  if (typeof signal !== 'object' || signal === null || !('aborted' in signal)) {
    throw argType('options.signal', 'an instance of AbortSignal', signal);
  }
  checkAbort(signal);
  return signal;
}

// Node's own AbortError, with the signal's reason as its cause.
function abortError(signal) {
  const error = coded(Error, 'ABORT_ERR', 'The operation was aborted');
  error.name = 'AbortError';
  error.cause = signal.reason;
  return error;
}
function checkAbort(signal) {
  if (signal?.aborted) throw abortError(signal);
}

const typed = Object.getPrototypeOf(Uint8Array.prototype);
const bufferOf = Object.getOwnPropertyDescriptor(typed, 'buffer').get;

// Where a view's bytes are now; copy() notices when they have gone since.
class Source {
  constructor(bytes, name) {
    this.buffer = bufferOf.call(bytes);
    this.byteOffset = byteOffsetOf.call(bytes);
    this.length = lengthOf.call(bytes);
    this.name = name;
  }

  copy(target, targetAt, from, n) {
    if (n === 0) return;
    try {
      target.set(new Uint8Array(this.buffer, this.byteOffset + from, n), targetAt);
    } catch {
      throw coded(
        TypeError,
        'ERR_INVALID_ARG_VALUE',
        `The argument '${this.name}' was detached or made shorter while it was hashed`,
      );
    }
  }
}

const staging = (n) => Buffer.allocUnsafeSlow(n);

// Two staging buffers in turn: one is filled while a worker reads the other.
async function feed(place, sources, n, signal, buffers = []) {
  let running;
  let turn = 0;
  try {
    for (const source of sources) {
      for (let from = 0; from < source.length; from += PIECE) {
        checkAbort(signal);
        const length = Math.min(PIECE, source.length - from);
        if (buffers[turn] === undefined || buffers[turn].length < length) buffers[turn] = staging(length);
        const piece = buffers[turn];
        source.copy(piece, 0, from, length);
        if (running !== undefined) await running;
        running = native.absorb(place.slab, place.slot, piece.subarray(0, length), n, [place.slab, piece]);
        turn ^= 1;
      }
    }
  } finally {
    if (running !== undefined) await running; // the state is its own until then
  }
  checkAbort(signal);
}

async function hashAsync(algorithm, data, options = 'hex') {
  const row = required(algorithm);
  const o = typeof options === 'string' ? { outputEncoding: options } : checked(options, HASH);
  const encoding = outputEncoding(o.outputEncoding ?? 'hex');
  const out = Buffer.allocUnsafe(digestLength(row, o));
  const seek = o.seek === undefined ? undefined : u64(o.seek, 'options.seek');
  const n = threads(o.threads);
  const signal = signalOf(o);
  const given = parse(row, o);
  const place = acquire();
  try {
    native.init(place.slab, place.slot, row.id, given);
    const list = Array.isArray(data);
    const sources = parts(data).map((bytes, i) => new Source(bytes, list ? `data[${i}]` : 'data'));
    await inTurn(() => feed(place, sources, n, signal), signal);
    native.finalInto(place.slab, place.slot, out, seek);
  } finally {
    discard(place);
  }
  return encode(out, encoding);
}

// The messages of a batch, each as a part of a Source.
function* messages(b, start, end) {
  if (b.items !== null) {
    for (let i = start; i < end; i++) {
      const source = new Source(b.items[i], `items[${i}]`);
      yield [source, 0, source.length];
    }
    return;
  }
  const source = new Source(b.data, 'items');
  for (let i = start; i < end; i++) {
    if (b.offsets === null) {
      yield [source, i * b.itemSize, b.itemSize];
      continue;
    }
    const from = Number(b.offsets[i]);
    const to = Number(b.offsets[i + 1]);
    if (from < 0 || to < from || to > source.length) {
      throw coded(
        RangeError,
        'ERR_OUT_OF_RANGE',
        `options.offsets: element ${i + (from < 0 || from > source.length ? 0 : 1)} ` +
          `is ${to < from ? to : Math.max(from, to)}; offsets must not decrease, nor pass the ${source.length} bytes of items`,
      );
    }
    yield [source, from, to - from];
  }
}

async function hashManyAsync(algorithm, items, options) {
  const b = prepare(algorithm, items, options, MANY_ASYNC);
  const signal = signalOf(b.o);
  if (b.o.out !== undefined) {
    throw argValue('options.out', b.o.out, 'goes with hashMany only: a worker writes into memory of its own');
  }
  const out = Buffer.allocUnsafeSlow(b.count * b.length);
  const prefix = b.prefix === null ? null : Buffer.from(b.prefix.buffer, b.prefix.byteOffset, lengthOf.call(b.prefix));
  const keptPrefix = prefix === null ? null : copyOf(prefix);
  const given = b.given && b.given.map((x, i) => (i < 2 || x === undefined ? x : copyOf(x)));
  if (b.offsets !== null) b.offsets = b.offsets.slice();
  const work = async () => {
    let group = [];
    let bytes = 0;
    let first = 0;
    const flush = async () => {
      if (group.length === 0) return;
      const data = staging(bytes);
      const offsets = new BigUint64Array(group.length + 1);
      let at = 0;
      group.forEach(([source, from, n], i) => {
        source.copy(data, at, from, n);
        at += n;
        offsets[i + 1] = BigInt(at);
      });
      const target = out.subarray(first * b.length, (first + group.length) * b.length);
      await native.digestMany(
        b.row.id,
        given,
        group.length,
        null,
        data,
        0,
        offsets,
        keptPrefix,
        target,
        b.length,
        b.threads,
        [data, offsets, given, keptPrefix, out],
      );
      checkAbort(signal);
      first += group.length;
      group = [];
      bytes = 0;
    };
    for (const one of messages(b, 0, b.count)) {
      const [source, from, n] = one;
      if (n > PIECE) {
        await flush();
        await long(
          b,
          given,
          keptPrefix,
          source,
          from,
          n,
          out.subarray(first * b.length, (first + 1) * b.length),
          signal,
        );
        first++;
        continue;
      }
      if (bytes + n > PIECE || group.length === 65536) await flush();
      group.push(one);
      bytes += n;
    }
    await flush();
  };
  try {
    await inTurn(work, signal);
  } finally {
    if (given !== undefined) for (const x of given.slice(2)) x?.fill(0); // our own copies of key and the like
  }
  return result(b, out);
}

function copyOf(bytes) {
  const copy = staging(lengthOf.call(bytes));
  new Source(bytes, 'options').copy(copy, 0, 0, copy.length);
  return copy;
}

// A message too long to be copied at once.
async function long(b, given, prefix, source, from, n, out, signal) {
  const place = acquire();
  try {
    native.init(place.slab, place.slot, b.row.id, given);
    const whole = Object.create(
      Source.prototype,
      Object.getOwnPropertyDescriptors({
        buffer: source.buffer,
        byteOffset: source.byteOffset + from,
        length: n,
        name: source.name,
      }),
    );
    await feed(place, prefix === null ? [whole] : [new Source(prefix, 'options.prefix'), whole], b.threads, signal);
    native.finalInto(place.slab, place.slot, out, undefined);
  } finally {
    discard(place);
  }
}

module.exports = { hashAsync, hashManyAsync, inTurn, onAbort, unlessAborted, signalOf, abortError, checkAbort };
