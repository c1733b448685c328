// bench_calls.mjs - what a call costs in Node beside its peers, timed alternately in one process; ratios and a JSON line a row.
//
//   node --expose-gc bench/node/bench_calls.mjs [--peers-from DIR] [options of a harness: see harness.mjs]
//
// DIR has node_modules with any of the peers; without it node:crypto alone is one. The first row of a test is hashcore's; the
// others' output must equal its output, and a workload's output must be what the list says.
import crypto from 'node:crypto';

import hashcore from 'hashcore';
import * as trie from '../../examples/node/merkle_trie.mjs';
import { bytes, peer, readWorkloads, runAll } from './harness.mjs';

const jit = await peer('blake3-jit');
const napi = await peer('@napi-rs/blake-hash');
const bufferutil = await peer('bufferutil');
const hashWasm = await peer('hash-wasm');
const sodium = await peer('sodium-native');
const noble = {
  sha256: (await peer('@noble/hashes', '@noble/hashes/sha2.js'))?.sha256,
  blake2b: (await peer('@noble/hashes', '@noble/hashes/blake2.js'))?.blake2b,
  blake3: (await peer('@noble/hashes', '@noble/hashes/blake3.js'))?.blake3,
};
const once = crypto.hash; // Node 20.12 and later
const tests = [];

// rows: [library, function that does it once and gives its output]; without a function the library is not there.
function add(algorithm, operation, size, rows, more = {}) {
  const slot = `${algorithm}.blocks`;
  tests.push({ algorithm, operation, size, count: 1, threads: 1, alignment: 0, slot, ...more, rows: rows.filter(([, f]) => f) });
}
function slotOf(algorithm, size, many = false) {
  if (many) return algorithm === 'blake3' ? 'blake3.jobs' : `${algorithm}.many`;
  if (algorithm === 'blake3') return size <= 64 ? 'blake3.block' : 'blake3.many';
  return `${algorithm}.finish`;
}

// ---- Peers: [library, one-shot of bytes to bytes, object with update and digest to bytes] ------------------------------------
async function wasmObject(algorithm, size) {
  const { createSHA256, createBLAKE2b, createBLAKE3 } = hashWasm ?? {};
  if (!hashWasm) return undefined;
  const h = await (algorithm === 'sha256' ? createSHA256() : algorithm === 'blake2b' ? createBLAKE2b(8 * size) : createBLAKE3());
  return { fresh: () => h.init(), digest: (o) => o.digest('binary') };
}
function sodiumOne(algorithm, size) {
  if (!sodium || algorithm === 'blake3' || size < 16) return undefined;
  const out = Buffer.alloc(size);
  const f = algorithm === 'sha256' ? sodium.crypto_hash_sha256 : sodium.crypto_generichash;
  return (d) => {
    f(out, d);
    return out;
  };
}
function napiOne(algorithm, size) {
  if (!napi) return undefined;
  if (algorithm === 'blake3') return (d) => napi.blake3(d);
  if (algorithm === 'blake2b' && size === 64) return (d) => napi.blake2b(d);
  return undefined;
}
const nodeName = { sha256: 'sha256', blake2b: 'blake2b512' };
async function peers(algorithm, size) {
  const wasm = await wasmObject(algorithm, size);
  const inNode = algorithm === 'sha256' || (algorithm === 'blake2b' && size === 64);
  const list = [
    ['node:crypto', inNode && once && ((d) => once(nodeName[algorithm], d, 'buffer')), inNode && {
      fresh: () => crypto.createHash(nodeName[algorithm]), digest: (h) => h.digest() }],
    ['hash-wasm', wasm && ((d) => wasm.digest(wasm.fresh().update(d))), wasm],
    ['sodium-native', sodiumOne(algorithm, size)],
    ['@noble/hashes', noble[algorithm] && ((d) => noble[algorithm](d, algorithm === 'sha256' ? undefined : { dkLen: size })),
      noble[algorithm] && { fresh: () => noble[algorithm].create(algorithm === 'sha256' ? undefined : { dkLen: size }), digest: (h) => h.digest() }],
    ['blake3-jit', jit && algorithm === 'blake3' && jit.hash, jit && algorithm === 'blake3' && {
      fresh: () => jit.createHasher(), digest: (h) => h.finalize() }],
    ['@napi-rs/blake-hash', napiOne(algorithm, size), napi && algorithm === 'blake3' && {
      fresh: () => new napi.Blake3Hasher(), digest: (h) => h.digestBuffer() }],
  ];
  return list.filter(([, one]) => one);
}

async function oneShots(algorithm, operation, data, size, digest) {
  const given = algorithm === 'blake2b' && size !== 64 ? { outputLength: size, outputEncoding: 'buffer' } : 'buffer';
  const rows = [['hashcore', () => hashcore.hash(algorithm, data, given)]];
  for (const [library, one] of await peers(algorithm, size)) rows.push([library, () => one(data)]);
  add(algorithm, operation, data.length, rows, { slot: slotOf(algorithm, data.length), digest });
}

// ---- The workloads that all languages share ------------------------------------------------------------------------------------
function xorRows(w) {
  const off = w.kind === 'xordst' ? 0 : w.alignment;
  const [dst, a, b] = [bytes(w.size, w.alignment), bytes(w.size, off), bytes(w.size, off, 241, 89)];
  return [
    ['hashcore', () => (hashcore.xorInto(dst, a, b), dst)],
    ['JavaScript loop', () => {
      for (let i = 0; i < dst.length; i++) dst[i] = a[i] ^ b[i];
      return dst;
    }],
  ];
}
const inPieces = (h, pieces) => {
  for (const p of pieces) h.update(p);
  return h;
};
async function objectRows(w) {
  const pieces = w.parts ?? Array.from({ length: w.size / 32768 }, (_, i) => w.data.subarray(32768 * i, 32768 * (i + 1)));
  const kept = hashcore.createHash(w.algorithm);
  const ours = {
    new: () => inPieces(hashcore.createHash(w.algorithm), pieces).digest(),
    reset: () => inPieces(kept.reset(), pieces).digest(),
    parts: () => hashcore.hash(w.algorithm, pieces, 'buffer'),
  };
  const rows = [['hashcore', ours[w.kind] ?? ours.new]];
  for (const [library, one, object] of await peers(w.algorithm, 32)) {
    if (w.kind === 'parts') rows.push([library, () => one(Buffer.concat(pieces))]);
    else if (object) rows.push([library, () => object.digest(inPieces(object.fresh(), pieces))]);
  }
  return rows;
}
// The example's trie, with the batches by a loop of `one`.
function trieBy(algorithm, entries, one) {
  const values = entries.map(([key, value]) => [key, value.length >= 32 ? one(value) : value]);
  const heights = [];
  const top = trie.build(values.sort(([a], [b]) => Buffer.compare(a, b)), heights);
  for (const nodes of heights) for (const node of nodes) node.id = one(trie.encode(node));
  return top.id;
}
async function workload(w) {
  let rows;
  if (w.kind === 'hash') return oneShots(w.algorithm, w.operation, w.data, w.output, w.digest);
  if (w.algorithm === 'xor') rows = xorRows(w);
  else if (w.kind === 'trie') {
    let entries;
    const there = () => (entries ??= trie.entries(Number(w.operation.split('-')[1])));
    const [library, one] = (await peers(w.algorithm, 32))[0] ?? [];
    rows = [
      ['hashcore', () => trie.root(w.algorithm, there()).id],
      [library, one && (() => trieBy(w.algorithm, there(), (m) => Buffer.from(one(m))))],
    ];
  } else if (w.kind === 'xof') {
    const reader = hashcore.createHash('blake3').update(w.data).reader();
    const out = Buffer.alloc(w.size);
    rows = [
      ['hashcore', () => (reader.readInto(out, 0), out)],
      ['@noble/hashes', noble.blake3 && (() => noble.blake3(w.data, { dkLen: w.size }))],
      ['blake3-jit', jit && (() => new jit.Hasher().update(w.data).finalizeXof().read(w.size))],
    ];
  } else rows = await objectRows(w);
  const slot = w.algorithm === 'xor' ? 'xor.two' : w.kind === 'xof' ? 'blake3.xof' : slotOf(w.algorithm, w.size, w.kind === 'trie');
  return add(w.algorithm, w.operation, w.size, rows, { alignment: w.alignment, slot, digest: w.digest });
}
for (const w of readWorkloads()) await workload(w);

// ---- Node's own -----------------------------------------------------------------------------------------------------------------
const m64 = bytes(64);
const text64 = m64.toString('hex').slice(0, 64);
for (const [algorithm, size] of [['sha256', 32], ['blake2b', 64], ['blake3', 32]]) {
  for (const n of [64, 1024, 1 << 20]) await oneShots(algorithm, 'hash to Buffer', bytes(n), size);
  add(algorithm, 'hash to hex', 64, [
    ['hashcore', () => hashcore.hash(algorithm, m64)],
    ['node:crypto', once && nodeName[algorithm] && (() => once(nodeName[algorithm], m64))],
    ['blake3-jit', jit && algorithm === 'blake3' && (() => Buffer.from(jit.hash(m64)).toString('hex'))],
    ['@napi-rs/blake-hash', napi && algorithm === 'blake3' && (() => new napi.Blake3Hasher().update(m64).digest('hex'))],
  ], { slot: slotOf(algorithm, 64) });
  add(algorithm, 'createHash update digest hex', 64, [
    ['hashcore', () => hashcore.createHash(algorithm).update(m64).digest('hex')],
    ['node:crypto', nodeName[algorithm] && (() => crypto.createHash(nodeName[algorithm]).update(m64).digest('hex'))],
    ['@napi-rs/blake-hash', napi && algorithm === 'blake3' && (() => new napi.Blake3Hasher().update(m64).digest('hex'))],
  ], { slot: slotOf(algorithm, 64) });
}
add('sha256', 'string to hex', 64, [
  ['hashcore', () => hashcore.hash('sha256', text64)],
  ['node:crypto', once && (() => once('sha256', text64))],
]);
const fourStrings = (h) => h.update('abcd').update('efgh').update('ijkl').update('mnop').digest('hex');
add('sha256', 'createHash 4 strings hex', 16, [
  ['hashcore', () => fourStrings(hashcore.createHash('sha256'))],
  ['node:crypto', () => fourStrings(crypto.createHash('sha256'))],
]);
add('hmac-sha256', 'createHmac update digest hex', 64, [
  ['hashcore', () => hashcore.createHmac('sha256', 'key').update(m64).digest('hex')],
  ['node:crypto', () => crypto.createHmac('sha256', 'key').update(m64).digest('hex')],
], { slot: 'sha256.finish' });
const fresh = () => new Uint8Array(64).fill(7);
add('sha256', 'fresh Uint8Array to hex', 64, [
  ['hashcore', () => hashcore.hash('sha256', fresh())],
  ['node:crypto', once && (() => once('sha256', fresh()))],
]);

// ---- Batches ----------------------------------------------------------------------------------------------------------------------
const N = 100_000;
const packed = bytes(64 * N);
const items = Array.from({ length: N }, (_, i) => packed.subarray(64 * i, 64 * i + 64));
for (const [algorithm, size] of [['sha256', 32], ['blake2b', 64], ['blake3', 32]]) {
  const out = Buffer.alloc(size * N);
  const loop = (one) => () => {
    for (let i = 0; i < N; i++) out.set(one(items[i]), size * i);
    return out;
  };
  const loops = [];
  for (const [library, one] of await peers(algorithm, size))
    if (library !== '@noble/hashes') loops.push([library, loop(one)]);
  if (once && algorithm === 'sha256')
    loops.push(['node:crypto, to hex', () => Buffer.from(items.map((m) => once('sha256', m)).join(''), 'hex')]);
  const more = { count: N, slot: slotOf(algorithm, 64, true) };
  add(algorithm, 'hashMany packed, loop', 64, [['hashcore', () => hashcore.hashMany(algorithm, packed, { itemSize: 64 })], ...loops], more);
  add(algorithm, 'hashMany list, loop', 64, [['hashcore', () => hashcore.hashMany(algorithm, items)], ...loops.slice(0, 1)], more);
}

// ---- Big ones ------------------------------------------------------------------------------------------------------------------------
for (const threads of [1, 2]) {
  const data = bytes(64 << 20);
  add('blake3', 'hash to hex', data.length, [
    ['hashcore', () => hashcore.hash('blake3', data, { threads })],
    ['@napi-rs/blake-hash', napi && (() => new napi.Blake3Hasher().update(data).digest('hex'))],
  ], { threads, slot: 'blake3.many' });
}

// ---- Masks ----------------------------------------------------------------------------------------------------------------------------
const key = Buffer.from([1, 2, 3, 4]);
for (const size of [1, 4, 8, 16, 24, 32, 40, 48, 64, 100, 125, 256, 1024, 16384, 65536, 1 << 20]) {
  const [source, ours, theirs] = [bytes(size), Buffer.alloc(size), Buffer.alloc(size)];
  const row = ['bufferutil', bufferutil && (() => (bufferutil.mask(source, key, theirs, 0, size), theirs))];
  add('xor', 'mask', size, [['hashcore', () => (hashcore.mask(source, key, ours, 0, size), ours)], row], { slot: 'xor.mask' });
  add('xor', 'xorMask', size, [['hashcore', () => (hashcore.xorMask(ours, source, key, 0), ours)], row], { slot: 'xor.mask' });
}

await runAll(tests, { version: hashcore.version, cpu: hashcore.cpu() });
