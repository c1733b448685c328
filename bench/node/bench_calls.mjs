// bench_calls.mjs - what a call costs in Node beside its peers, timed alternately in one process; ratios and JSON.
//
//   node --expose-gc bench/node/bench_calls.mjs [--only TEXT] [--seconds S] [--json FILE] [--peers DIR] [--list]
//
// --peers DIR has node_modules with any of blake3-jit, @napi-rs/blake-hash, bufferutil, hash-wasm, blake3. Without it
// only node:crypto is a peer. The first row of a test is hashcore's; the others' output must equal its output. A ratio
// is the peer's time over ours: the median over rounds of the quotient of neighbours, and the quotient of minima.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import hashcore from 'hashcore';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '0.6' },
    json: { type: 'string' },
    peers: { type: 'string', default: path.join(import.meta.dirname ?? '.', '..', 'peers') },
    list: { type: 'boolean', default: false },
  },
});

const from = createRequire(path.join(path.resolve(options.peers), 'index.js'));
const versions = { hashcore: hashcore.version, 'node:crypto': process.versions.openssl };
async function peer(name, main = name) {
  try {
    const file = from.resolve(main);
    versions[name] = JSON.parse(
      fs.readFileSync(path.join(file.slice(0, file.lastIndexOf(name) + name.length), 'package.json'), 'utf8'),
    ).version;
    try {
      return from(main);
    } catch {
      return await import(file);
    }
  } catch {
    return undefined;
  }
}
const jit = await peer('blake3-jit');
const napi = await peer('@napi-rs/blake-hash');
const bufferutil = await peer('bufferutil');
const hashWasm = await peer('hash-wasm');

const bytes = (n) => Buffer.from(Uint8Array.from({ length: n }, (_, i) => i % 251));
const hex = (x) => (typeof x === 'string' ? x : Buffer.from(x.buffer, x.byteOffset, x.byteLength).toString('hex'));
const m64 = bytes(64);
const text64 = m64.toString('hex').slice(0, 64);
const tests = [];

// rows: [library, function that does it once and gives its output]
function add(algorithm, operation, size, rows, more = {}) {
  tests.push({
    algorithm,
    operation,
    size,
    count: 1,
    threads: 1,
    slot: `${algorithm}.blocks`,
    ...more,
    rows: rows.filter(([, f]) => f),
  });
}
const once = crypto.hash;

add('sha256', 'hash to hex', 64, [
  ['hashcore', () => hashcore.hash('sha256', m64)],
  ['node:crypto hash', once && (() => once('sha256', m64))],
]);
add('sha256', 'hash to Buffer', 64, [
  ['hashcore', () => hashcore.hash('sha256', m64, 'buffer')],
  ['node:crypto hash', once && (() => once('sha256', m64, 'buffer'))],
]);
add('sha256', 'string to hex', 64, [
  ['hashcore', () => hashcore.hash('sha256', text64)],
  ['node:crypto hash', once && (() => once('sha256', text64))],
]);
add('sha256', 'createHash update digest hex', 64, [
  ['hashcore', () => hashcore.createHash('sha256').update(m64).digest('hex')],
  ['node:crypto', () => crypto.createHash('sha256').update(m64).digest('hex')],
]);
add('sha256', 'createHash update digest', 64, [
  ['hashcore', () => hashcore.createHash('sha256').update(m64).digest()],
  ['node:crypto', () => crypto.createHash('sha256').update(m64).digest()],
]);
add('sha256', 'createHash 4 strings hex', 64, [
  [
    'hashcore',
    () => hashcore.createHash('sha256').update('abcd').update('efgh').update('ijkl').update('mnop').digest('hex'),
  ],
  [
    'node:crypto',
    () => crypto.createHash('sha256').update('abcd').update('efgh').update('ijkl').update('mnop').digest('hex'),
  ],
]);
add(
  'hmac-sha256',
  'createHmac update digest hex',
  64,
  [
    ['hashcore', () => hashcore.createHmac('sha256', 'key').update(m64).digest('hex')],
    ['node:crypto', () => crypto.createHmac('sha256', 'key').update(m64).digest('hex')],
  ],
  { slot: 'sha256.blocks' },
);
add('blake2b', 'hash to hex', 64, [
  ['hashcore', () => hashcore.hash('blake2b', m64)],
  ['node:crypto hash', once && (() => once('blake2b512', m64))],
]);
const jitHex = jit && (jit.hash ?? jit.default?.hash);
add(
  'blake3',
  'hash to hex',
  64,
  [
    ['hashcore', () => hashcore.hash('blake3', m64)],
    ['blake3-jit', jitHex && (() => Buffer.from(jitHex(m64)).toString('hex'))],
    ['@napi-rs/blake-hash', napi && (() => new napi.Blake3Hasher().update(m64).digest('hex'))],
  ],
  { slot: 'blake3.block' },
);
add(
  'blake3',
  'hash to Buffer',
  64,
  [
    ['hashcore', () => hashcore.hash('blake3', m64, 'buffer')],
    ['blake3-jit', jitHex && (() => jitHex(m64))],
  ],
  { slot: 'blake3.block' },
);
add(
  'blake3',
  'createHash update digest hex',
  64,
  [
    ['hashcore', () => hashcore.createHash('blake3').update(m64).digest('hex')],
    ['@napi-rs/blake-hash', napi && (() => new napi.Blake3Hasher().update(m64).digest('hex'))],
  ],
  { slot: 'blake3.block' },
);
const fresh = () => new Uint8Array(64).fill(7);
add('sha256', 'fresh Uint8Array to hex', 64, [
  ['hashcore', () => hashcore.hash('sha256', fresh())],
  ['node:crypto hash', once && (() => once('sha256', fresh()))],
]);

const N = 100_000;
const packed = bytes(64 * N);
const loop = (encoding) =>
  once &&
  (() => {
    let last;
    const out = encoding === 'hex' ? [] : Buffer.allocUnsafe(32 * N);
    for (let i = 0; i < N; i++) {
      last = once('sha256', packed.subarray(64 * i, 64 * i + 64), encoding);
      if (encoding === 'hex') out.push(last);
      else out.set(last, 32 * i);
    }
    return encoding === 'hex' ? Buffer.from(out.join(''), 'hex') : out;
  });
const items = Array.from({ length: N }, (_, i) => packed.subarray(64 * i, 64 * i + 64));
add(
  'sha256',
  'hashMany packed',
  64,
  [
    ['hashcore', () => hashcore.hashMany('sha256', packed, { itemSize: 64 })],
    ['node:crypto hash, buffer, in a loop', loop('buffer')],
    ['node:crypto hash, hex, in a loop', loop('hex')],
  ],
  { count: N, slot: 'sha256.many' },
);
add(
  'sha256',
  'hashMany list',
  64,
  [
    ['hashcore', () => hashcore.hashMany('sha256', items)],
    ['node:crypto hash, buffer, in a loop', loop('buffer')],
  ],
  { count: N, slot: 'sha256.many' },
);
add('blake3', 'hashMany packed', 64, [['hashcore', () => hashcore.hashMany('blake3', packed, { itemSize: 64 })]], {
  count: N,
  slot: 'blake3.jobs',
});

for (const size of [1024, 1 << 20, 64 << 20]) {
  const data = bytes(size);
  for (const threads of size === 64 << 20 ? [1, 2] : [1]) {
    add(
      'blake3',
      `hash to hex${threads > 1 ? ', 2 threads' : ''}`,
      size,
      [
        [
          'hashcore',
          threads > 1 ? () => hashcore.hash('blake3', data, { threads }) : () => hashcore.hash('blake3', data),
        ],
        ['@napi-rs/blake-hash', napi && (() => new napi.Blake3Hasher().update(data).digest('hex'))],
      ],
      { threads, slot: 'blake3.many' },
    );
  }
  if (size < 64 << 20)
    add('sha256', 'hash to hex', size, [
      ['hashcore', () => hashcore.hash('sha256', data)],
      ['node:crypto hash', once && (() => once('sha256', data))],
    ]);
}
for (const size of [1, 4, 8, 16, 24, 32, 40, 48, 64, 100, 125, 256, 1024, 16384, 65536, 1 << 20]) {
  const source = bytes(size);
  const key = Buffer.from([1, 2, 3, 4]);
  const ours = Buffer.alloc(size);
  const theirs = Buffer.alloc(size);
  add(
    'xor',
    'mask',
    size,
    [
      [
        'hashcore',
        () => {
          hashcore.mask(source, key, ours, 0, size);
          return ours;
        },
      ],
      [
        'bufferutil',
        bufferutil &&
          (() => {
            bufferutil.mask(source, key, theirs, 0, size);
            return theirs;
          }),
      ],
    ],
    { slot: 'xor.mask', long: true },
  );
  add(
    'xor',
    'xorMask',
    size,
    [
      [
        'hashcore',
        () => {
          hashcore.xorMask(ours, source, key, 0);
          return ours;
        },
      ],
      [
        'bufferutil',
        bufferutil &&
          (() => {
            bufferutil.mask(source, key, theirs, 0, size);
            return theirs;
          }),
      ],
    ],
    { slot: 'xor.mask', long: true },
  );
}

const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
function sample(f, times) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < times; i++) f();
  return Number(process.hrtime.bigint() - start) / times;
}

const results = [];
const cpu = hashcore.cpu();
console.log(
  `Node ${process.version}, hashcore ${hashcore.version}, ${cpu.enabled}; times a message, ratio = peer / hashcore`,
);
for (const t of tests) {
  const name = `${t.algorithm} ${t.operation}, ${t.size} B`;
  if (!name.includes(options.only)) continue;
  if (options.list) {
    console.log(name);
    continue;
  }
  const outputs = t.rows.map(([, f]) => hex(f()));
  outputs.forEach((o, i) => {
    if (o !== outputs[0]) throw new Error(`${name}: ${t.rows[i][0]} differs from hashcore`);
  });
  const times = t.rows.map(([, f]) => {
    for (let i = 0, until = performance.now() + 60; i < 20000 && performance.now() < until; i++) f();
    return Math.max(
      1,
      Math.round(400_000 / sample(f, Math.max(1, Math.min(2000, Math.round(400_000 / sample(f, 1)))))),
    );
  });
  const samples = t.rows.map(() => []);
  for (
    let until = performance.now() + 1000 * Number(options.seconds) * t.rows.length, i = 0;
    performance.now() < until || i < 5;
    i++
  ) {
    if (i % 16 === 0) globalThis.gc?.();
    t.rows.forEach(([, f], k) => samples[k].push(sample(f, times[k]) / t.count));
  }
  t.rows.forEach(([library], k) => {
    const sorted = [...samples[k]].sort((a, b) => a - b);
    const ratios = samples[k].map((x, i) => x / samples[0][i]).sort((a, b) => a - b);
    const base = library.replace(/ hash.*$/, '');
    const long = outputs[k].length > 128;
    results.push({
      language: 'Node',
      library,
      version: versions[base] ?? '',
      kernel: k === 0 ? (cpu.kernels[t.slot] ?? '') : '',
      algorithm: t.algorithm,
      operation: t.operation,
      size: t.size,
      count: t.count,
      threads: t.threads,
      alignment: 0,
      ns_min: sorted[0],
      ns_median: quantile(sorted, 0.5),
      ns_p95: quantile(sorted, 0.95),
      bytes_per_second: Math.round((t.size * 1e9) / sorted[0]),
      digest: long ? hashcore.hash('sha256', Buffer.from(outputs[k], 'hex')) : outputs[k],
    });
    const line = `${k === 0 ? name : ''}`.padEnd(46) + library.padEnd(38) + sorted[0].toFixed(1).padStart(12) + ' ns';
    console.log(
      k === 0
        ? line
        : `${line}  ratio ${quantile(ratios, 0.5).toFixed(2)} (minima ${(sorted[0] / Math.min(...samples[0])).toFixed(2)})`,
    );
  });
}
if (options.json)
  fs.writeFileSync(
    options.json,
    `${JSON.stringify({ schema: 1, compiler: `Node ${process.version}`, cpu: cpu.enabled, results }, null, 1)}\n`,
  );
