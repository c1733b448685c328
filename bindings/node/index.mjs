// index.mjs - the same for import.
import hashcore from './index.js';

export const {
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
  version,
} = hashcore;
export default hashcore;
