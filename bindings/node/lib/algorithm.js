'use strict';
// algorithm.js - names of algorithms and their options, as the addon takes them.
const native = require('../native');
const { MAX_LENGTH } = require('./platform');
const { coded, argType, argValue, secret, u64, view } = require('./check');

const XOF = 2; // HC_ALG_XOF

const GIVEN = { outputLength: 1, key: 2, salt: 4, person: 8, deriveKeyContext: 16, tree: 32 };
const TREE = ['fanout', 'depth', 'leafSize', 'nodeOffset', 'nodeDepth', 'innerSize', 'lastNode'];
const TREE_DEFAULTS = [1n, 1n, 0n, 0n, 0n, 0n, 0n];
const BYTES = ['key', 'salt', 'person', 'deriveKeyContext'];
const NONE = new BigUint64Array(8);
const OPTIONS = new Set(['outputLength', ...BYTES, ...TREE]);

const table = [];
for (let id = 0, row; (row = native.algorithm(id)) !== undefined; id++) {
  table.push({ id, ...row, xof: (row.flags & XOF) !== 0, mac: row.name.startsWith('hmac-') });
}
const byName = new Map(table.map((row) => [row.name, row]));

// The row of a name or an alias ("SHA-256", "blake2b512"); undefined when there is none.
function find(name) {
  const known = byName.get(name);
  if (known !== undefined) return known;
  if (typeof name !== 'string') throw argType('algorithm', 'of type string', name);
  const row = byName.get(native.algorithm(name)?.name);
  if (row !== undefined && byName.size < 256) byName.set(name, row);
  return row;
}

function required(name, text = 'Digest method not supported') {
  const row = find(name);
  if (row === undefined) throw coded(Error, 'ERR_CRYPTO_INVALID_DIGEST', text);
  return row;
}

// Options of an algorithm in the addon's form, or undefined when none is given. BLAKE3's outputLength is no parameter
// of the hash but the default length of its output, so it is not in there.
function parse(row, o) {
  let given = 0;
  let numbers;
  const bytes = [undefined, undefined, undefined, undefined];
  for (const name of Object.keys(o)) {
    const value = o[name];
    if (value === undefined) continue;
    const which = BYTES.indexOf(name);
    const place = TREE.indexOf(name);
    if (which >= 0) {
      if (name === 'deriveKeyContext' && typeof value !== 'string' && !ArrayBuffer.isView(value)) {
        throw argType(
          'options.deriveKeyContext',
          'of type string or an instance of Buffer, TypedArray, or DataView',
          value,
        );
      }
      bytes[which] = secret(value, `options.${name}`);
      given |= GIVEN[name];
    } else if (name === 'outputLength' && row.name !== 'blake3') {
      numbers ??= new BigUint64Array(8);
      numbers[0] =
        value === Infinity && row.name === 'blake2xb'
          ? 0xffffffffffffffffn
          : u64(value, 'options.outputLength', 0xfffffffffffffffen);
      given |= GIVEN.outputLength;
    } else if (place >= 0) {
      numbers ??= new BigUint64Array(8);
      if (!(given & GIVEN.tree)) numbers.set(TREE_DEFAULTS, 1);
      given |= GIVEN.tree;
      if (name === 'lastNode' && typeof value === 'boolean') numbers[place + 1] = BigInt(value);
      else numbers[place + 1] = u64(value, `options.${name}`);
    }
  }
  return given === 0 ? undefined : [given, numbers ?? NONE, ...bytes];
}

// Reading one argument may have run code that detached another (a getter): nothing may, between this and the call.
function recheck(given) {
  if (given !== undefined) for (const bytes of given.slice(2)) if (bytes !== undefined) view(bytes, 'options');
}

// The length of BLAKE3 output that `outputLength` asks for.
function xofLength(row, o) {
  if (o.outputLength === undefined || row.name !== 'blake3') return undefined;
  return Number(u64(o.outputLength, 'options.outputLength', BigInt(MAX_LENGTH)));
}

// Bytes of output of one digest: what is asked for, else the algorithm's own. BLAKE2Xb of unknown length has none.
function digestLength(row, o) {
  const given = o.outputLength;
  if (given === undefined) return row.digestSize;
  if (typeof given === 'number' && given >= 0 && given <= MAX_LENGTH && Number.isInteger(given)) return given;
  if (given === Infinity) throw argValue('options.outputLength', Infinity, 'is no length to read');
  return Number(u64(given, 'options.outputLength', BigInt(MAX_LENGTH)));
}

module.exports = { table, find, required, parse, recheck, xofLength, digestLength, OPTIONS };
