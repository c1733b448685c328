'use strict';
// api.js - everything but files, which a browser has not.
const native = require('../native');
const { Hash, Hmac, createHash, createHmac, importState, hash, digestInto } = require('./hash');
const { OutputReader } = require('./reader');
const { hashMany } = require('./batch');
const { hashAsync, hashManyAsync } = require('./async');
const { xor, xorInto, xorMask, mask, unmask, equal } = require('./xor');
const { table } = require('./algorithm');
const tree = require('./tree');
const bao = require('./bao');

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
