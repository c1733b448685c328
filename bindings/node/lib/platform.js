'use strict';
// platform.js - all that the core of the package takes from Node; browser/platform.js has the same of a browser.
const { Buffer, constants } = require('buffer');
const { Readable, Transform } = require('stream');
const { inspect, types } = require('util');

const text = (bytes, encoding) => bytes.toString(encoding);

// A CryptoKey as a KeyObject; all else as it is.
const keyObject = (key) => (types.isCryptoKey?.(key) ? require('crypto').KeyObject.from(key) : key);

// For wasm.js: a view of its memory, bytes of it in hexadecimal, text into it as UTF-8 (how long it is there).
const heapOf = (memory) => Buffer.from(memory);
const hex = (heap, at, n) => heap.hexSlice(at, at + n);
const writeText = (heap, at, room, string) => heap.utf8Write(string, at, room);
const environment = () => process.env.HASHCORE_CPU;
const later = setImmediate;

module.exports = {
  Buffer,
  MAX_LENGTH: constants.MAX_LENGTH,
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
