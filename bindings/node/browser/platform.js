'use strict';
// platform.js - lib/platform.js for browsers: what of Node's Buffer, util and stream the package needs, over what the
// web has. Bytes are plain Uint8Arrays, streams are the web's.
const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

// ---- Text and bytes ---------------------------------------------------------------------------------------

const ALIASES = { 'utf-8': 'utf8', binary: 'latin1', ucs2: 'utf16le', 'ucs-2': 'utf16le', 'utf-16le': 'utf16le' };
const HEX = Array.from({ length: 256 }, (_, i) => (i + 256).toString(16).slice(1));
const nameOf = (encoding) => ALIASES[encoding.toLowerCase()] ?? encoding.toLowerCase();
const codes = (text, wide) => {
  const out = new (wide ? Uint16Array : Uint8Array)(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return new Uint8Array(out.buffer);
};
// Bytes or 16-bit units as the characters of these codes; a call takes only so many arguments.
function characters(units) {
  let s = '';
  for (let i = 0; i < units.length; i += 4096) s += String.fromCharCode(...units.subarray(i, i + 4096));
  return s;
}
// As Node reads base64: both alphabets, up to the first '=', whatever else stands between is passed over.
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
function fromBase64(text) {
  const digits = text.replace(/=[^]*/, '').replace(/-/g, '+').replace(/_/g, '/').replace(/[^A-Za-z0-9+/]/g, '');
  const out = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  let at = 0;
  for (let i = 0; i < digits.length; i++) {
    bits = (bits << 6) | ALPHABET.indexOf(digits[i]);
    if (i % 4 !== 0) out[at++] = bits >> (6 - 2 * (i % 4));
  }
  return out;
}
// Up to the first character that is no digit, as Node does; lib/check.js compares the length.
function fromHex(text) {
  const digits = /^(?:[0-9a-f]{2})*/i.exec(text)[0];
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

const CODECS = {
  utf8: [(text) => utf8.encode(text), (bytes) => fromUtf8.decode(plain(bytes))],
  hex: [fromHex, (bytes) => Array.from(bytes, (x) => HEX[x]).join('')],
  base64: [fromBase64, (bytes) => btoa(characters(bytes))],
  base64url: [
    fromBase64,
    (bytes) => btoa(characters(bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, ''),
  ],
  latin1: [codes, characters],
  ascii: [codes, (bytes) => characters(bytes.map((x) => x & 127))],
  utf16le: [
    (text) => codes(text, true),
    (bytes) => characters(new Uint16Array(bytes.slice(0, bytes.length & ~1).buffer)),
  ],
};
// TextDecoder refuses shared memory.
const plain = (bytes) => (bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice());
const text = (bytes, encoding) => CODECS[nameOf(encoding)][1](bytes);

const Buffer = {
  alloc: (n) => new Uint8Array(n),
  allocUnsafe: (n) => new Uint8Array(n),
  allocUnsafeSlow: (n) => new Uint8Array(n),
  isEncoding: (name) => typeof name === 'string' && Object.hasOwn(CODECS, nameOf(name)),
  from(value, at = 'utf8', n = undefined) {
    if (typeof value === 'string') return CODECS[nameOf(at)][0](value);
    return ArrayBuffer.isView(value) ? new Uint8Array(value) : new Uint8Array(value, at, n);
  },
  concat(list) {
    const out = new Uint8Array(list.reduce((n, x) => n + x.length, 0));
    let at = 0;
    for (const x of list) {
      out.set(x, at);
      at += x.length;
    }
    return out;
  },
};

// ---- For wasm.js --------------------------------------------------------------------------------------------

const heapOf = (memory) => new Uint8Array(memory);
function hex(heap, at, n) {
  if (heap.toHex !== undefined) return heap.subarray(at, at + n).toHex();
  let s = '';
  for (const end = at + n; at < end; at++) s += HEX[heap[at]];
  return s;
}
function writeText(heap, at, room, string) {
  let i = 0;
  for (let unit; i < string.length && i < 128 && (unit = string.charCodeAt(i)) < 128; i++) heap[at + i] = unit;
  return i === string.length ? i : utf8.encodeInto(string, heap.subarray(at, at + room)).written;
}
const environment = () => undefined;
// A task of its own, without the four milliseconds that timers come to wait.
function later(f) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    f();
  };
  port2.postMessage(0);
}

// ---- Errors -------------------------------------------------------------------------------------------------

function inspect(value) {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `[Function: ${value.name}]`;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
  return Array.isArray(value) ? '[Array]' : '[Object]';
}

const keyObject = (key) => key; // a CryptoKey tells its bytes by a promise only

// ---- Streams ------------------------------------------------------------------------------------------------

// The {readable, writable} pair that pipeThrough() takes, made when it is asked for, over a Node Transform's methods.
const pairs = new WeakMap();
function pairOf(self) {
  let pair = pairs.get(self);
  if (pair !== undefined) return pair;
  // f calls back when it is done, and push() in between.
  const run = (controller, f) =>
    new Promise((resolve, reject) => {
      self.push = (chunk) => controller.enqueue(chunk);
      f((error) => (error ? reject(error) : resolve()));
    });
  const o = self._options;
  pair = new TransformStream(
    {
      start: (controller) => {
        const { signal } = o ?? {};
        if (signal?.aborted) controller.error(signal.reason);
        else signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true });
      },
      transform: (chunk, controller) => run(controller, (done) => self._transform(chunk, undefined, done)),
      flush: (controller) => run(controller, (done) => self._flush(done)),
    },
    o?.highWaterMark === undefined
      ? undefined
      : { highWaterMark: o.highWaterMark, size: (chunk) => chunk.byteLength ?? chunk.length },
  );
  pairs.set(self, pair);
  return pair;
}
class Transform {
  constructor(options) {
    this._options = options;
    this._transform = options.transform;
    this._flush = options.flush;
  }

  get readable() {
    return pairOf(this).readable;
  }

  get writable() {
    return pairOf(this).writable;
  }
}

// new Readable({read, highWaterMark}) gives a ReadableStream.
function Readable({ read, highWaterMark, signal }) {
  return new ReadableStream({
    start(controller) {
      if (signal?.aborted) controller.error(signal.reason);
      else signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
    pull(controller) {
      const node = {
        push: (chunk) => (chunk === null ? controller.close() : controller.enqueue(chunk)),
        destroy: (error) => controller.error(error),
      };
      read.call(node, highWaterMark);
    },
  });
}

module.exports = {
  Buffer,
  MAX_LENGTH: 2 ** 31 - 1, // what the module's memory can take
  Readable,
  Transform,
  environment,
  heapOf,
  hex,
  inspect,
  keyObject,
  later,
  text,
  writeText,
};
