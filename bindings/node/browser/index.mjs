// index.mjs - hashcore for browsers: all but files. scripts/build_browser.cjs makes one module of it and what it needs.
import hashcore from '../lib/api.js';

export const {
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
  version,
} = hashcore;
export default hashcore;
