// suite.mjs - the contract of the browser's entry, in JavaScript that any browser, worker or Node runs.
import { fromHex, hex, mod251, random, runAll } from '../known_answers.mjs';

const ABC = {
  sha224: '23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7',
  sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  blake3: '6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85',
  blake2b:
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
};

function same(got, wanted, what = '') {
  const text = (x) => (ArrayBuffer.isView(x) ? hex(new Uint8Array(x.buffer, x.byteOffset, x.byteLength)) : x);
  const [a, b] = [got, wanted].map((x) => JSON.stringify(Array.isArray(x) ? x.map(text) : text(x), big) ?? String(x));
  if (a !== b) throw new Error(`${what}: ${a} where ${b} is right`);
}
const big = (_, x) => (typeof x === 'bigint' ? `${x}n` : x);
function ok(value, what) {
  if (!value) throw new Error(`${what}: it is not so`);
}
function fails(f, code, text = /./) {
  let error;
  try {
    f();
  } catch (e) {
    error = e;
  }
  if (error === undefined) throw new Error(`no error: ${f}`);
  if (!code.split(' ').includes(error.code) || !text.test(error.message)) {
    throw new Error(`${f} threw ${error.code} ${error.stack}`);
  }
}
async function rejects(promise, code) {
  const error = await promise.then(
    () => undefined,
    (e) => e,
  );
  if (error?.code !== code) throw new Error(`${code} was expected, got ${error?.code} ${error?.stack}`);
}
async function all(readable) {
  const out = [];
  const reader = readable.getReader();
  for (let r; !(r = await reader.read()).done;) out.push(r.value);
  return new Uint8Array(await new Blob(out).arrayBuffer());
}
// data as a stream of pieces of n bytes.
const streamOf = (data, n) =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < data.length; at += n) controller.enqueue(data.subarray(at, at + n));
      controller.close();
    },
  });

// [name, function] of each; files: [name, text] of tests/vectors.
export function suite(h, files, { every = 1 } = {}) {
  const { createHash, createHmac, hash } = h;
  return [
    ['known answers', () => {
      const { run } = runAll(h, files, { every });
      ok(run >= Math.floor(13000 / every), `${run} records`);
      return `${run} records`;
    }],
    ['what it exports', () => {
      const names = ['createHash', 'createHmac', 'getHashes', 'hash', 'hashAsync', 'hashMany', 'hashManyAsync', 'digestInto',
        'importState', 'xor', 'xorInto', 'xorMask', 'mask', 'unmask', 'equal', 'tree', 'bao', 'cpu', 'Hash', 'Hmac',
        'OutputReader', 'version'];
      same(Object.keys(h.default).sort(), names.slice().sort());
      for (const name of names) ok(h[name] === h.default[name] && h[name] !== undefined, name);
      same(h.cpu().enabled, 'simd128');
      same(h.getHashes().sort(), ['blake2b', 'blake2xb', 'blake3', 'sha224', 'sha256']);
      ok(/^\d+\.\d+\.\d+$/.test(h.version), h.version);
    }],
    ['digests are plain Uint8Arrays or text in any encoding', () => {
      for (const [name, wanted] of Object.entries(ABC)) {
        same(hash(name, 'abc'), wanted);
        const bytes = createHash(name).update('abc').digest();
        ok(Object.getPrototypeOf(bytes) === Uint8Array.prototype && bytes.buffer.byteLength === bytes.length, name);
        same(bytes, fromHex(wanted));
        same(hash(name, 'abc', 'buffer'), bytes);
        same(createHash(name).update('a').update(new Uint8Array([98])).update('c').digest('hex'), wanted);
        same(h.digestInto(name, 'abc', bytes.fill(0)), bytes.length);
        same(bytes, fromHex(wanted));
      }
      same(hash('SHA-256', 'abc', 'base64'), 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=');
      same(hash('sha256', 'abc', 'base64url'), 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
      const latin1 = String.fromCharCode(...fromHex(ABC.sha256));
      same(hash('sha256', 'abc', 'latin1'), latin1);
      same(hash('sha256', 'abc', 'binary'), latin1);
      same(hash('sha256', 'abc', 'utf16le').length, 16);
      const pair = hash('sha256', 'abc', 'ucs2');
      same(pair.charCodeAt(1), 0xbf16);
      same(hash('sha256', 'abc', 'ascii').charCodeAt(0), 0x3a);
    }],
    ['text goes in by every encoding, strictly', () => {
      const of = (text, encoding) => createHash('sha256').update(text, encoding).digest('hex');
      for (const text of ['', 'abc', 'ä€😀', '\ud800lone', 'x'.repeat(5000), 'ä'.repeat(3000)]) {
        const bytes = new TextEncoder().encode(text);
        same(hash('sha256', text), hash('sha256', bytes), text.slice(0, 9));
        same(of(text), hash('sha256', bytes));
        same(of(text, 'utf-8'), hash('sha256', bytes));
      }
      same(of('616263', 'hex'), ABC.sha256);
      same(of('YWJj', 'base64'), ABC.sha256);
      same(of('_-8=', 'base64'), hash('sha256', fromHex('ffef')));
      same(of('/+8', 'base64url'), hash('sha256', fromHex('ffef')));
      same(of('\xe4\u0162', 'latin1'), hash('sha256', fromHex('e462')));
      same(of('ab', 'utf16le'), hash('sha256', fromHex('61006200')));
      fails(() => of('zz', 'hex'), 'ERR_INVALID_ARG_VALUE');
      fails(() => of('abc', 'hex'), 'ERR_INVALID_ARG_VALUE');
      fails(() => of('abc', 'nope'), 'ERR_UNKNOWN_ENCODING');
      fails(() => of('abc', 'toString'), 'ERR_UNKNOWN_ENCODING');
      fails(() => hash('sha256', 'abc', 'nope'), 'ERR_INVALID_ARG_VALUE');
    }],
    ['any view, and no other thing, is a message', () => {
      const bytes = mod251(4096);
      for (const n of [1, 8, 31, 32, 33, 64, 65, 1000, 4096]) {
        const wanted = hash('blake3', bytes.slice(0, n));
        const moved = new Uint8Array(5000).subarray(3, 3 + n);
        moved.set(bytes.subarray(0, n));
        same(hash('blake3', moved), wanted, n);
        same(hash('blake3', new DataView(moved.buffer, 3, n)), wanted, n);
        if (n % 8 === 0) {
          same(hash('blake3', new Float64Array(bytes.slice(0, n).buffer)), wanted, n);
          same(createHash('blake3').update(new Uint16Array(bytes.slice(0, n).buffer)).digest('hex'), wanted, n);
        }
      }
      for (const value of [undefined, null, 5, 5n, {}, [1], new ArrayBuffer(3), () => 1, true]) {
        fails(() => createHash('sha256').update(value), 'ERR_INVALID_ARG_TYPE', /"data" argument/);
        if (!Array.isArray(value)) fails(() => hash('sha256', value), 'ERR_INVALID_ARG_TYPE');
      }
      if (globalThis.SharedArrayBuffer !== undefined) {
        const shared = new Uint8Array(new SharedArrayBuffer(100));
        same(hash('sha256', shared), hash('sha256', new Uint8Array(100)));
      }
      const gone = new Uint8Array(64);
      structuredClone(gone.buffer, { transfer: [gone.buffer] });
      for (const f of [() => hash('sha256', gone), () => createHash('sha256').update(gone), () => h.unmask(gone, mod251(4)),
        () => h.hashMany('sha256', [gone]), () => createHash('blake2b', { key: gone })]) {
        fails(f, 'ERR_INVALID_ARG_VALUE ERR_OUT_OF_RANGE', /detached/);
      }
    }],
    ['objects: finalized, reset, copy, options', () => {
      const o = createHash('blake2b', { key: 'key', salt: 'salt', person: 'person', outputLength: 20 });
      const first = o.update('one').digest('hex');
      fails(() => o.update('x'), 'ERR_CRYPTO_HASH_FINALIZED');
      fails(() => o.digest(), 'ERR_CRYPTO_HASH_FINALIZED');
      fails(() => o.copy(), 'ERR_CRYPTO_HASH_FINALIZED');
      same(o.reset().update('o').copy().update('ne').digest('hex'), first);
      same(createHash('blake3').update('seed').digest({ length: 64, seek: 2n ** 40n }).length, 64);
      same(createHash('blake3', { outputLength: 70 }).update('a').digest('hex').slice(0, 64), hash('blake3', 'a'));
      same(createHash('blake2xb', { outputLength: Infinity }).update('a').reader().read(40).length, 40);
      fails(() => createHash('blake2b', { key: new Uint8Array(65) }), 'ERR_OUT_OF_RANGE', /^key: 65 bytes/);
      fails(() => createHash('blake2b', { outputLength: 65 }), 'ERR_OUT_OF_RANGE', /^outputLength: 65/);
      fails(() => createHash('sha256', { outputLength: 10 }), 'ERR_OUT_OF_RANGE ERR_INVALID_ARG_VALUE', /outputLength/);
      fails(() => createHash('sha256', { key: 'x' }), 'ERR_INVALID_ARG_VALUE');
      fails(() => createHash('sha256', { saltt: 'x' }), 'ERR_INVALID_ARG_VALUE', /saltt/);
      fails(() => createHash('md17'), 'ERR_CRYPTO_INVALID_DIGEST');
      fails(() => createHash('blake2b', { nodeOffset: 1.5 }), 'ERR_OUT_OF_RANGE');
      fails(() => createHash('sha256').digest(new Uint8Array(3)), 'ERR_INVALID_ARG_TYPE');
      same(
        createHmac('sha256', 'key').update('The quick brown fox jumps over the lazy dog').digest('hex'),
        'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
      );
      same(createHmac('sha256', new Uint8Array([107, 101, 121]).buffer).update('m').digest('hex'),
        createHmac('sha256', 'key').update('m').digest('hex'));
      fails(() => createHmac('blake3', 'k'), 'ERR_CRYPTO_INVALID_DIGEST');
      fails(() => createHmac('sha256', 5), 'ERR_INVALID_ARG_TYPE');
    }],
    ['many states at once outlive the memory that grows under them', () => {
      const data = mod251(300000);
      const live = [];
      for (let i = 0; i < 400; i++) live.push(createHash(['blake3', 'sha256', 'blake2b'][i % 3]).update(data.subarray(0, i)));
      const many = h.hashMany('sha256', new Uint8Array(24 << 20), { itemSize: 1 << 20, outputEncoding: 'hex' });
      ok(new Set(many).size === 1 && many[0] === hash('sha256', new Uint8Array(1 << 20)), 'batch');
      live.forEach((x, i) => same(
        x.update(data.subarray(i, i + 70000)).digest('hex'),
        hash(['blake3', 'sha256', 'blake2b'][i % 3], data.subarray(0, i + 70000)),
        i,
      ));
      for (const n of [131071, 131072, 131073, 262144, 299999]) {
        const wanted = createHash('blake3').update(data.subarray(0, 1000)).update(data.subarray(1000, n)).digest('hex');
        same(hash('blake3', data.subarray(0, n)), wanted, n);
        same(hash('blake3', [data.subarray(0, 5), data.subarray(5, n)]), wanted, n);
      }
    }],
    ['batches', () => {
      const items = Array.from({ length: 100 }, (_, i) => mod251(i));
      const wanted = items.map((x) => hash('sha256', x));
      same(h.hashMany('sha256', items, { outputEncoding: 'hex' }), wanted);
      same(h.hashMany('sha256', items), fromHex(wanted.join('')));
      const packed = mod251(6400);
      same(h.hashMany('blake3', packed, { itemSize: 64, outputEncoding: 'hex' }),
        Array.from({ length: 100 }, (_, i) => hash('blake3', packed.subarray(64 * i, 64 * i + 64))));
      same(h.hashMany('sha256', packed, { offsets: [0, 5, 5, 6400], prefix: '\0', outputEncoding: 'hex' }),
        [[0, 5], [5, 5], [5, 6400]].map(([a, b]) => hash('sha256', ['\0', packed.subarray(a, b)])));
      const level = h.hashMany('sha256', packed, { itemSize: 64, prefix: '\x01' });
      h.hashMany('sha256', packed, { itemSize: 64, prefix: '\x01', out: packed.subarray(0, 3200) });
      same(packed.subarray(0, 3200), level);
      fails(() => h.hashMany('sha256', packed, { itemSize: 63 }), 'ERR_OUT_OF_RANGE');
      fails(() => h.hashMany('sha256', packed, { offsets: [0, 9, 8] }), 'ERR_OUT_OF_RANGE', /offsets/);
      fails(() => h.hashMany('sha256', packed), 'ERR_INVALID_ARG_VALUE');
      fails(() => h.hashMany('sha256', ['a', 5]), 'ERR_INVALID_ARG_TYPE', /items\[1\]/);
    }],
    ['promises, and their end by a signal', async () => {
      const data = mod251(9 << 20);
      same(await h.hashAsync('blake3', data, { threads: 2 }), hash('blake3', data));
      same(await h.hashAsync('sha256', ['a', 'bc'], 'base64url'), hash('sha256', 'abc', 'base64url'));
      same(await h.hashManyAsync('blake3', ['a', 'b'], { outputEncoding: 'hex' }), [hash('blake3', 'a'), hash('blake3', 'b')]);
      const stop = new AbortController();
      const work = h.hashAsync('sha256', data, { signal: stop.signal });
      stop.abort();
      await rejects(work, 'ABORT_ERR');
      const lost = mod251(9 << 20);
      const late = h.hashAsync('sha256', lost);
      structuredClone(lost.buffer, { transfer: [lost.buffer] });
      await rejects(late, 'ERR_INVALID_ARG_VALUE');
      const jobs = Array.from({ length: 200 }, (_, i) => h.hashAsync('blake3', `job ${i}`));
      same(await Promise.all(jobs), jobs.map((_, i) => hash('blake3', `job ${i}`)));
    }],
    ['streams of the web', async () => {
      const data = mod251(300001);
      for (const n of [1000, 65536, 400000]) {
        const out = await all(streamOf(data, n).pipeThrough(createHash('sha256')));
        same(out, hash('sha256', data, 'buffer'), n);
      }
      same(await all(new Blob([data]).stream().pipeThrough(createHmac('sha256', 'k'))),
        createHmac('sha256', 'k').update(data).digest());
      const bad = new ReadableStream({
        start(controller) {
          controller.enqueue(5);
          controller.close();
        },
      });
      await rejects(all(bad.pipeThrough(createHash('sha256'))), 'ERR_INVALID_ARG_TYPE');
      const reader = createHash('blake3').update('seed').reader();
      same(await all(reader.createReadStream({ start: 5, end: 200004 })), reader.read(200000, 5));
      const { root, encoded } = h.bao.encode(data, { group: 4 });
      same(root, hash('blake3', data, 'buffer'));
      same(await all(streamOf(encoded, 7777).pipeThrough(h.bao.createDecoder(root, { group: 4 }))), data);
      encoded[200000] ^= 1;
      await rejects(all(streamOf(encoded, 7777).pipeThrough(h.bao.createDecoder(root, { group: 4 }))), 'ERR_VERIFICATION_FAILED');
      const stop = new AbortController();
      const decoder = h.bao.createDecoder(root, { group: 4, signal: stop.signal });
      const got = all(decoder.readable);
      stop.abort(Object.assign(new Error('enough'), { code: 'ENOUGH' }));
      await rejects(got, 'ENOUGH');
    }],
    ['trees, slices, readers, images', () => {
      const data = mod251(50000);
      const values = [];
      for (let at = 0; at < data.length; at += 4096) values.push(h.tree.subtree(data.subarray(at, at + 4096), { firstChunk: at / 1024 }));
      same(h.tree.root(values), hash('blake3', data, 'buffer'));
      same(h.tree.leftLength(50000), 32768n);
      const { root, encoded } = h.bao.encode(data);
      same(h.bao.encodedSize(50000), BigInt(encoded.length));
      same(h.bao.decode(encoded, root), data);
      same(h.bao.decode(encoded, hex(root)), data);
      const slice = h.bao.slice(encoded, 20000, 500);
      same(h.bao.decodeSlice(slice, root, 20000, 500), data.subarray(20000, 20500));
      slice[slice.length - 1] ^= 1;
      fails(() => h.bao.decodeSlice(slice, root, 20000, 500), 'ERR_VERIFICATION_FAILED');
      const { root: again, encoded: outboard } = h.bao.encode(data, { outboard: true, group: 2 });
      same(again, root);
      same(h.bao.decode(data, root, { outboard, group: 2 }), data);
      fails(() => h.bao.decode(encoded.subarray(0, 100), root), 'ERR_VERIFICATION_FAILED');
      const reader = createHash('blake3').update('seed').reader();
      same(reader.read(16, 2n ** 50n), reader.read(1016, 2n ** 50n - 1000n).subarray(1000));
      same(reader.read(0).length, 0);
      for (const [name, o] of [['blake3'], ['sha256'], ['blake2b', { key: 'k' }]]) {
        const image = createHash(name, o).update(data.subarray(0, 12345)).exportState();
        const one = h.importState(name, image).update(data.subarray(12345)).digest('hex');
        same(one, createHash(name, o).update(data).digest('hex'), name);
        for (let i = 0; i < image.length; i += 3) {
          const broken = image.slice();
          broken[i] ^= 4;
          fails(() => h.importState(name, broken), 'ERR_INVALID_STATE');
        }
      }
    }],
    ['XOR and masks at every length and place', () => {
      const below = random(7);
      const noise = Uint8Array.from({ length: 1024 }, () => below(256));
      const key = noise.slice(900, 904);
      const room = new Uint8Array(1024);
      for (let i = 0; i < 1200; i++) {
        const n = below(i % 10 ? 300 : 700);
        const [at, from] = [8 + below(64), below(64)];
        const source = noise.subarray(from, from + n);
        const around = () => ok(room.subarray(0, at).every((x) => x === 0xee) && room.subarray(at + n).every((x) => x === 0xee), n);
        h.mask(source, key, room.fill(0xee), at, n);
        same(room.subarray(at, at + n), source.map((x, k) => x ^ key[k & 3]), `mask ${n} from ${from} to ${at}`);
        around();
        h.unmask(room.subarray(at, at + n), key);
        same(room.subarray(at, at + n), source, `unmask ${n} at ${at}`);
        around();
        const long = noise.subarray(500, 501 + below(9));
        h.xorMask(room.subarray(at, at + n), source, long, i);
        same(room.subarray(at, at + n), source.map((x, k) => x ^ long[(k + i) % long.length]), `xorMask ${n}`);
        const other = noise.subarray(300, 300 + n);
        same(h.xor(source, other), source.map((x, k) => x ^ other[k]), `xor ${n}`);
        same(h.xorInto(room.subarray(at, at + n), source, other, other), n);
        same(room.subarray(at, at + n), source, `xorInto ${n}`);
        around();
      }
      fails(() => h.xor(noise, noise.subarray(1)), 'ERR_OUT_OF_RANGE');
      fails(() => h.xorInto(room.subarray(0, 10), noise, noise), 'ERR_OUT_OF_RANGE');
      fails(() => h.xorInto(room.subarray(1, 60), room.subarray(0, 59), noise.subarray(0, 59)), 'ERR_INVALID_ARG_VALUE');
      fails(() => h.mask(noise, key, room, 1000, 100), 'ERR_OUT_OF_RANGE');
      fails(() => h.xorMask(room, noise, new Uint8Array(0)), 'ERR_OUT_OF_RANGE');
      ok(h.equal(noise, noise.slice()) && !h.equal(noise, room) && !h.equal(noise, noise.subarray(1)), 'equal');
    }],
  ];
}

// Runs all of it: {passed, failed: [text]}.
export async function runSuite(h, files, options) {
  const failed = [];
  let passed = 0;
  for (const [name, test] of suite(h, files, options)) {
    try {
      const note = await test();
      passed++;
      if (note !== undefined) failed.note = note;
    } catch (error) {
      failed.push(`${name}: ${error.stack ?? error}`);
    }
  }
  return { passed, failed, note: failed.note };
}
