'use strict';
// index.js - hashcore for Node: node:crypto's habits, and batches, trees, Bao, files and XOR beside them.
const native = require('./native');
const { Hash, Hmac, createHash, createHmac, importState, hash, digestInto } = require('./lib/hash');
const { OutputReader } = require('./lib/reader');
const { hashMany } = require('./lib/batch');
const { hashAsync, hashManyAsync } = require('./lib/async');
const { hashFile } = require('./lib/file');
const { xor, xorInto, xorMask, mask, unmask, equal } = require('./lib/xor');
const { table } = require('./lib/algorithm');
const tree = require('./lib/tree');
const bao = require('./lib/bao');

// Names that createHash takes without a key.
const getHashes = () => table.filter((row) => !row.mac).map((row) => row.name);
// {detected, enabled, kernels}: what the processor has, what is in use, and the kernel of each slot.
const cpu = () => native.cpu();

module.exports = {
  createHash,
  createHmac,
  getHashes,
  hash,
  hashAsync,
  hashMany,
  hashManyAsync,
  hashFile,
  digestInto,
  importState,
  xor,
  xorInto,
  xorMask,
  mask,
  unmask,
  equal,
  tree,
  bao,
  cpu,
  Hash,
  Hmac,
  OutputReader,
  version: native.version,
};
