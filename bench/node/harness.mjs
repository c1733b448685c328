// harness.mjs - what bench_calls.mjs measures with: options, the shared workloads, alternating samples, a JSON line a row.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
export const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    algorithms: { type: 'string' },
    size: { type: 'string', multiple: true },
    peers: { type: 'string' },
    'max-bytes': { type: 'string', default: '0' },
    seconds: { type: 'string', default: '0.6' },
    workloads: { type: 'string', default: path.join(here, '..', 'workloads.txt') },
    'peers-from': { type: 'string', default: path.join(here, '..', 'peers') },
    json: { type: 'string' },
    resume: { type: 'boolean', default: false },
    progress: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

// ---- Peers ------------------------------------------------------------------------------------------------------
const from = createRequire(path.join(path.resolve(options['peers-from']), 'index.js'));
export const versions = { 'node:crypto': process.versions.openssl };
export const missing = [];
// A package of the peers' folder (main: the part of it that is wanted), or undefined.
export async function peer(name, main = name) {
  try {
    const file = from.resolve(main);
    const folder = file.slice(0, file.lastIndexOf(path.join('node_modules', name)) + 'node_modules/'.length + name.length);
    const found = await import(file);
    versions[name] = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version;
    return { ...found.default, ...found };
  } catch {
    if (!missing.includes(name)) missing.push(name);
    return undefined;
  }
}

// ---- Workloads ----------------------------------------------------------------------------------------------------
// n bytes on a boundary of 64 and `off` more; byte i is (i + start) mod by.
export function bytes(n, off = 0, by = 251, start = 0) {
  const memory = new ArrayBuffer(n + off + 64);
  const out = Buffer.from(memory, off, n);
  for (let i = 0; i < n; i++) out[i] = (i + start) % by;
  return out;
}
export function readWorkloads() {
  const nodes = {};
  const found = [];
  for (const line of fs.readFileSync(options.workloads, 'utf8').trim().split('\n')) {
    const [kind, algorithm, operation, input, size, count, threads, alignment, output, digest] = line.split(' ');
    if (kind === '#') continue;
    if (kind === 'node') {
      nodes[algorithm + operation] = input.split(',').map((p) => Buffer.from(p === '-' ? '' : p, 'hex'));
      continue;
    }
    const parts = input.startsWith('node:') ? nodes[algorithm + input.slice(5)] : undefined;
    const w = { kind, algorithm, operation, parts, digest };
    Object.assign(w, { size: +size, count: +count, threads: +threads, alignment: +alignment, output: +output });
    w.data = parts ? Buffer.concat(parts) : bytes(kind === 'xof' ? 64 : w.size);
    found.push(w);
  }
  return found;
}

// ---- Measuring ------------------------------------------------------------------------------------------------------
const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
// An output as text: bytes in hex, long ones as their SHA-256; strings as they are.
function digestText(x) {
  const hex = typeof x === 'string' ? x : Buffer.from(x.buffer, x.byteOffset, x.byteLength).toString('hex');
  return hex.length <= 128 ? hex : crypto.createHash('sha256').update(hex, 'hex').digest('hex');
}
function sample(f, times) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < times; i++) f();
  return Number(process.hrtime.bigint() - start) / times;
}
function timesOf(f) {
  const once = sample(f, 1);
  if (once > 2e7) return 1;
  for (let i = 0, until = performance.now() + Math.min(30, 1000 * Number(options.seconds)); i < 20000 && performance.now() < until; i++) f();
  return Math.max(1, Math.round(400_000 / sample(f, Math.max(1, Math.min(2000, Math.round(400_000 / sample(f, 1)))))));
}
// {digests, samples}, a list a row.
function measure(t) {
  const digests = t.rows.map(([library, f]) => {
    const digest = digestText(f());
    if (digest !== (t.digest ?? (t.first ??= digest)))
      throw new Error(`${t.algorithm} ${t.operation}, ${t.size} bytes: ${library} gives a wrong output`);
    return digest;
  });
  const times = t.rows.map(([, f]) => timesOf(f));
  const samples = t.rows.map(() => []);
  const until = performance.now() + 1000 * Number(options.seconds) * t.rows.length;
  for (let i = 0; performance.now() < until || i < 3; i++) {
    if (i % 16 === 0) globalThis.gc?.();
    t.rows.forEach(([, f], k) => samples[k].push(sample(f, times[k]) / t.count));
  }
  return { digests, samples };
}

const KEYS = ['algorithm', 'operation', 'size', 'count', 'threads', 'alignment'];
const key = (t) => KEYS.map((k) => t[k]).join('|');
function wants(t) {
  return (
    `${t.algorithm} ${t.operation}`.includes(options.only) &&
    (!options.algorithms || options.algorithms.split(',').includes(t.algorithm)) &&
    (!options.size || options.size.includes(String(t.size))) &&
    (!+options['max-bytes'] || t.size * t.count <= +options['max-bytes'])
  );
}

// tests: [{KEYS, slot, digest, rows: [[library, function that does it once and gives its output]]}], hashcore's row first; a test
// that has a function `measure` of its own, which may be asynchronous, is measured by it.
export async function runAll(tests, { version, cpu }) {
  versions.hashcore = version;
  const old = options.json && options.resume && fs.existsSync(options.json) ? fs.readFileSync(options.json, 'utf8') : '';
  const done = new Set(old.split('\n').slice(1).filter(Boolean).map((line) => key(JSON.parse(line))));
  const file = options.json && fs.openSync(options.json, old ? 'a' : 'w');
  const write = (value) => file && fs.writeSync(file, `${JSON.stringify(value)}\n`);
  if (!old) write({ schema: 2, runtime: `Node ${process.version}`, cpu: cpu.enabled, missing });
  const chosen = tests.filter(wants);
  for (const [number, t] of chosen.entries()) {
    if (options.list) console.log(t.algorithm, t.operation, t.size);
    if (options.progress) console.log('@', number, chosen.length, t.algorithm, t.operation);
    if (options.list || done.has(key(t))) continue;
    const { digests, samples } = await (t.measure ?? measure)(t);
    t.rows.forEach(([library], k) => {
      const sorted = [...samples[k]].sort((a, b) => a - b);
      const ratio = quantile(samples[k].map((x, i) => x / samples[0][i]).sort((a, b) => a - b), 0.5);
      write({
        language: 'Node',
        library,
        version: versions[library.split(',')[0]] ?? '',
        kernel: k === 0 ? (cpu.kernels[t.slot] ?? '') : '',
        ...Object.fromEntries(KEYS.map((name) => [name, t[name]])),
        ns_min: +sorted[0].toFixed(3),
        ns_median: +quantile(sorted, 0.5).toFixed(3),
        ns_p95: +quantile(sorted, 0.95).toFixed(3),
        bytes_per_second: Math.round((t.size * 1e9) / sorted[0]),
        tsc_ticks_per_byte: null,
        ratio: k ? +ratio.toFixed(4) : null,
        level: '',
        digest: digests[k],
      });
      const name = k ? '' : `${t.algorithm} ${t.operation}, ${t.size} B`;
      console.log(`${name.padEnd(52)}${library.padEnd(38)}${sorted[0].toFixed(1).padStart(12)} ns${k ? `  ratio ${ratio.toFixed(2)}` : ''}`);
    });
    t.rows = []; // with what they keep
  }
}
