// bench_wasm.mjs - the WebAssembly module of the browser's entry beside others' WebAssembly, in one process of Node.
//
//   node --expose-gc bench/node/bench_wasm.mjs [--peers-from DIR] [options of a harness: see harness.mjs]
//
// Needs prebuilds/browser.mjs (bindings/node/scripts/build_wasm.cjs, then build_browser.cjs). Peers: hash-wasm, blake3-wasm.
import fs from 'node:fs';
import { bytes, peer, runAll } from './harness.mjs';

const entry = new URL('../../prebuilds/browser.mjs', import.meta.url);
if (!fs.existsSync(entry)) {
  console.error('bench_wasm: no prebuilds/browser.mjs: run bindings/node/scripts/build_wasm.cjs and build_browser.cjs first');
  process.exit(1);
}
const hashcore = await import(entry);
const hashWasm = await peer('hash-wasm');
const blake3Wasm = await peer('blake3-wasm');
await blake3Wasm?.load?.();
const peers = {
  sha256: await hashWasm?.createSHA256(),
  blake2b: await hashWasm?.createBLAKE2b(512),
  blake3: await hashWasm?.createBLAKE3(),
};

const tests = [];
for (const size of [64, 1024, 1 << 20]) {
  const data = bytes(size);
  for (const [algorithm, wasm] of Object.entries(peers)) {
    const blake3 = algorithm === 'blake3' && blake3Wasm;
    const add = (operation, rows) => tests.push({
      algorithm, operation: `${operation}, WebAssembly`, size, count: 1, threads: 1, alignment: 0,
      slot: algorithm === 'blake3' && size > 64 ? 'blake3.many' : `${algorithm}.${algorithm === 'blake3' ? 'block' : 'blocks'}`,
      rows: rows.filter(([, f]) => f),
    });
    add('hash to hex', [
      ['hashcore', () => hashcore.hash(algorithm, data)],
      ['hash-wasm', wasm && (() => wasm.init().update(data).digest('hex'))],
      ['blake3-wasm', blake3 && (() => blake3.hash(data).toString('hex'))],
    ]);
    add('hash to bytes', [
      ['hashcore', () => hashcore.hash(algorithm, data, 'buffer')],
      ['hash-wasm', wasm && (() => wasm.init().update(data).digest('binary'))],
      ['blake3-wasm', blake3 && (() => blake3.hash(data))],
    ]);
    add('createHash update digest hex', [
      ['hashcore', () => hashcore.createHash(algorithm).update(data).digest('hex')],
      ['hash-wasm', wasm && (() => wasm.init().update(data).digest('hex'))],
      ['blake3-wasm', blake3 && (() => blake3.createHash().update(data).digest('hex'))],
    ]);
  }
}
await runAll(tests, { version: hashcore.version, cpu: hashcore.cpu() });
