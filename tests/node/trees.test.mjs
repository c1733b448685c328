// trees.test.mjs - long outputs, state images, BLAKE3 trees over processes, Bao with hostile input.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Readable, Writable } from 'node:stream';
import { hashcore, entry, mod251, node, random, temporary } from './common.mjs';

const { bao, createHash, createHmac, hash, importState, tree } = hashcore;
const SEED = Number(process.env.HASHCORE_TEST_SEED ?? 7);

async function collect(stream) {
  const out = [];
  for await (const chunk of stream) out.push(chunk);
  return Buffer.concat(out);
}

// Whether f can run without a thread being made: the system's last number of one stays as it was, at least in one of many
// tries (others make some too).
const lastThread = () => fs.readFileSync('/proc/loadavg', 'latin1').trim().split(' ')[4];
const canDoAlone = (f, tries) => {
  for (let i = 0; i < tries; i++) {
    const before = lastThread();
    f();
    if (lastThread() === before) return true;
  }
  return false;
};
function noThreadsSeen() {
  if (process.env.HASHCORE_WASM !== undefined) return 'one thread';
  try {
    return canDoAlone(() => spawnSync(process.execPath, ['-v']), 1) && 'the last thread cannot be seen';
  } catch {
    return 'the last thread cannot be seen';
  }
}

test('threads: output of some MiB is the same, whatever their number', () => {
  for (const [name, o] of [['blake3', {}], ['blake3', { key: Buffer.alloc(32, 5) }], ['blake2xb', { outputLength: Infinity }]]) {
    const r = createHash(name, o).update(mod251(3000)).reader();
    for (const [at, n] of [[0, 3 << 20], [12345, (3 << 20) + 77], [2n ** 33n + 1n, 1 << 20]]) {
      const wanted = r.read(n, at);
      for (const threads of [1, 2, 3, 'auto']) {
        assert.ok(r.read(n, at, { threads }).equals(wanted), `${name} ${at} ${threads}`);
        const into = Buffer.alloc(n + 2, 0xee);
        assert.equal(r.readInto(into.subarray(1, n + 1), at, { threads }), n);
        assert.ok(into.subarray(1, n + 1).equals(wanted) && into[0] === 0xee && into[n + 1] === 0xee);
      }
    }
    // As many short reads give.
    const pieces = [];
    for (let at = 0; at < 1 << 20; at += 65_537) pieces.push(r.read(Math.min(65_537, (1 << 20) - at), at));
    assert.ok(Buffer.concat(pieces).equals(r.read(1 << 20, 0, { threads: 2 })), name);
  }
  const data = mod251(3 << 20);
  const wanted = hash('blake3', data);
  const target = Buffer.alloc(32);
  for (const threads of [1, 2, 3, 'auto']) {
    assert.equal(hash('blake3', data, { threads }), wanted);
    assert.equal(hash('blake3', [data.subarray(0, 1000), data.subarray(1000)], { threads }), wanted);
    hashcore.digestInto('blake3', data, target, 0, { threads });
    assert.equal(target.toString('hex'), wanted);
    for (const first of [0, 4096]) {
      const one = tree.subtree(data, { firstChunk: first });
      assert.ok(tree.subtree(data, { firstChunk: first, threads }).equals(one));
    }
  }
});

test('threads: none for what is too short to pay for one, some for more', { skip: noThreadsSeen() }, () => {
  const r = createHash('blake3').update('seed').reader();
  const data = mod251(4 << 20);
  const many = Array.from({ length: 100 }, (_, i) => data.subarray(1000 * i, 1000 * i + 1000));
  const tries = [
    [(n, threads) => r.read(n, 0, { threads }), (1 << 19) - 1, 1 << 19],
    [(n, threads) => hash('blake3', data.subarray(0, n), { threads }), (1 << 19) - 1, 4 << 20],
    [(n, threads) => hash('sha256', data.subarray(0, n), { threads }), 4 << 20],
    [(n, threads) => hashcore.hashMany('sha256', many.slice(0, n), { threads }), 50],
  ];
  for (const [f, short, long] of tries) {
    assert.ok(canDoAlone(() => f(short, 2), 500), `${f} ${short}`);
    if (long === undefined) continue;
    assert.ok(!canDoAlone(() => f(long, 2), 10), `${f} ${long}`);
    assert.ok(canDoAlone(() => f(long, 1), 500), `${f} ${long}, one`);
  }
});

test('readers: any offset, position, ends, streams', async () => {
  const h = createHash('blake3').update(mod251(3000));
  const long = h.copy().digest({ length: 20000 });
  const r = h.reader();
  assert.equal(r.length, 2n ** 64n - 1n);
  const below = random(SEED);
  for (let i = 0; i < 300; i++) {
    const at = below(19000);
    const n = below(1000);
    assert.ok(r.read(n, at).equals(long.subarray(at, at + n)));
    assert.ok(r.read(n, BigInt(at), { threads: 2 }).equals(long.subarray(at, at + n)));
  }
  assert.equal(r.position, 0n);
  assert.ok(Buffer.concat([r.read(5), r.read(0), r.read(7), r.read(100)]).equals(long.subarray(0, 112)));
  assert.equal(r.position, 112n);
  const into = Buffer.alloc(10, 0xee);
  assert.equal(r.readInto(into), 10);
  assert.ok(into.equals(long.subarray(112, 122)));
  const words = new Uint32Array(4);
  assert.equal(r.readInto(words, 3n), 16);
  assert.ok(Buffer.from(words.buffer).equals(long.subarray(3, 19)));
  // The end.
  const last = 2n ** 64n - 1n;
  assert.equal(r.read(100, last - 10n).length, 10);
  assert.equal(r.read(100, last).length, 0);
  assert.equal(r.readInto(into, last - 3n), 3);
  r.position = last;
  assert.equal(r.read(5).length, 0);
  for (const bad of [-1, 1.5, -1n, 2n ** 64n, NaN, '5', null, {}]) {
    assert.throws(() => r.read(1, bad), /position/, String(bad));
    assert.throws(() => {
      r.position = bad;
    }, /position/);
  }
  for (const bad of [-1, 1.5, NaN, '5', undefined, 2 ** 60]) assert.throws(() => r.read(bad), /length/);
  assert.throws(() => r.readInto('x'), /target/);
  // Far offsets equal the digest's own seek.
  for (const at of [2n ** 32n - 5n, 2n ** 38n + 64n, 2n ** 63n + 1n])
    assert.ok(r.read(200, at).equals(h.copy().digest({ length: 200, seek: at })));
  // Streams.
  assert.ok(
    (await collect(r.createReadStream({ start: 100, end: 15000, highWaterMark: 777 }))).equals(
      long.subarray(100, 15001),
    ),
  );
  assert.equal((await collect(r.createReadStream({ start: last - 20n }))).length, 20);
  const first = r.createReadStream();
  for await (const chunk of first) {
    assert.ok(chunk.subarray(0, 100).equals(long.subarray(0, 100)));
    break;
  }
  // The reader is of the state as it was; the hash goes on.
  h.update('more');
  assert.ok(r.read(32, 0).equals(long.subarray(0, 32)));
  const x = createHash('blake2xb', { outputLength: 100 }).update('abc');
  const all = x.copy().digest();
  assert.equal(x.reader().length, 100n);
  assert.ok(x.reader().read(1000).equals(all));
  assert.ok(x.reader().read(1000, 40).equals(all.subarray(40)));
  const unknown = createHash('blake2xb', { outputLength: Infinity }).update('abc');
  assert.equal(unknown.outputLength, Infinity);
  assert.equal(unknown.reader().length, 2n ** 38n);
  assert.throws(() => unknown.digest(), /length/);
  assert.equal(unknown.digest({ length: 33 }).length, 33);
  assert.throws(() => createHash('sha256').reader(), { name: 'TypeError' });
});

test('state images: native and Go, resumed anywhere, checked in full', () => {
  const data = mod251(5000);
  const makes = [
    () => createHash('sha256'),
    () => createHash('sha224'),
    () => createHash('blake2b'),
    () => createHash('blake2b', { key: 'k', salt: 's', outputLength: 9 }),
    () => createHash('blake3'),
    () => createHash('blake3', { key: Buffer.alloc(32, 3) }),
    () => createHash('blake3', { deriveKeyContext: 'c' }),
    () => createHmac('sha256', 'k'),
    () => createHash('blake2xb', { outputLength: 50 }),
  ];
  for (const make of makes) {
    for (const n of [0, 1, 63, 64, 100, 128, 129, 1024, 1025, 4097]) {
      const h = make().update(data.subarray(0, n));
      const image = h.exportState();
      const back = importState(h.algorithm, image);
      assert.equal(back.update(data.subarray(n)).digest('hex'), h.update(data.subarray(n)).digest('hex'));
      back.reset();
      assert.equal(back.update('x').digest('hex'), make().update('x').digest('hex'));
    }
  }
  for (const [name, size] of [
    ['sha256', 108],
    ['sha224', 108],
    ['blake2b', 213],
  ]) {
    const go = createHash(name).update(data.subarray(0, 777)).exportState('go');
    assert.equal(go.length, size);
    assert.equal(importState(name, go).update(data.subarray(777)).digest('hex'), hash(name, data));
    assert.equal(go.toString('latin1', 0, 3), name === 'blake2b' ? 'b2b' : 'sha');
  }
  // Go's crypto/sha256 after 64 bytes of "a": its hash words, the whole buffer empty, the count.
  const go = createHash('sha256').update('a'.repeat(64)).exportState('go');
  assert.equal(go.subarray(0, 4).toString('hex'), '73686103');
  assert.equal(go.readBigUInt64BE(100), 64n);
  assert.throws(() => createHash('blake3').exportState('go'), TypeError);
  assert.throws(() => createHash('blake2b', { key: 'k' }).exportState('go'), TypeError);
  assert.throws(() => createHash('sha256').exportState('nope'), { code: 'ERR_INVALID_ARG_VALUE' });
  const image = createHash('blake3').update(data).exportState();
  for (const bad of [
    Buffer.alloc(0),
    image.subarray(1),
    Buffer.concat([image, Buffer.alloc(1)]),
    Buffer.alloc(image.length),
  ]) {
    assert.throws(
      () => importState('blake3', bad),
      (e) => /^ERR_/.test(e.code),
    );
  }
  assert.throws(
    () => importState('sha256', image),
    (e) => /^ERR_/.test(e.code),
  );
  const below = random(SEED);
  for (let i = 0; i < 3000; i++) {
    const broken = Buffer.from(image);
    broken[below(broken.length)] ^= 1 << below(8);
    try {
      importState('blake3', broken).update('x').digest();
    } catch (e) {
      assert.match(e.code, /^ERR_/);
    }
  }
  // Made at one dispatch level, resumed at another.
  const r = node(
    [
      '-e',
      `const h = require(${JSON.stringify(entry)});
    process.stdout.write(h.importState('blake3', Buffer.from('${image.toString('hex')}', 'hex')).update('tail').digest('hex'))`,
    ],
    { env: { HASHCORE_CPU: 'portable' } },
  );
  assert.equal(r.stdout, hash('blake3', [data, 'tail']), r.stderr);
  assert.equal(createHash('blake3', { outputLength: 9 }).copy().outputLength, 9);
  assert.equal(importState('blake3', image, { outputLength: 70 }).digest().length, 70);
});

function subtrees(data, o, cut, first = 0n) {
  // A tree built from pieces of `cut` chunks, merged by parents.
  const n = data.length;
  if (n <= cut * 1024) return tree.subtree(data, { ...o, firstChunk: first });
  const left = Number(tree.leftLength(n));
  return tree.parent(
    subtrees(data.subarray(0, left), o, cut, first),
    subtrees(data.subarray(left), o, cut, first + BigInt(left / 1024)),
    o,
  );
}

test('BLAKE3 trees: pieces hashed apart merge to the plain digest in every mode', () => {
  const below = random(SEED);
  for (const o of [{}, { key: Buffer.alloc(32, 8) }, { deriveKeyContext: 'some context' }]) {
    for (let i = 0; i < 60; i++) {
      const n = 1025 + below(60000);
      const data = mod251(n);
      const left = Number(tree.leftLength(n));
      const cut = 1 << below(4);
      const cvs = [
        subtrees(data.subarray(0, left), o, cut),
        subtrees(data.subarray(left), o, cut, BigInt(left / 1024)),
      ];
      assert.equal(tree.root(cvs, o).toString('hex'), hash('blake3', data, o), `${n} ${cut}`);
      // Equal power-of-two pieces, the last shorter.
      const piece = 1024 << below(5);
      if (n <= piece) continue;
      const list = [];
      for (let at = 0; at < n; at += piece)
        list.push(tree.subtree(data.subarray(at, at + piece), { ...o, firstChunk: at / 1024 }));
      assert.equal(
        tree.root(Buffer.concat(list), { ...o, length: 70, seek: 9n }).toString('hex'),
        hash('blake3', data, { ...o, outputLength: 79 }).slice(18),
        `${n} by ${piece}, seed ${SEED}`,
      );
    }
  }
  assert.equal(tree.leftLength(1024), 0n);
  assert.equal(tree.leftLength(1025n), 1024n);
  assert.equal(tree.subtreeMax(4n), 4096n);
  for (const f of [
    () => tree.subtree(''),
    () => tree.subtree('x'.repeat(2049), { firstChunk: 1 }),
    () => tree.parent(Buffer.alloc(31), Buffer.alloc(32)),
    () => tree.root([]),
    () => tree.root([Buffer.alloc(32)]),
    () => tree.root(Buffer.alloc(33)),
    () => tree.root([1]),
    () => tree.subtree('x', { firstChunk: -1 }),
    () => tree.subtree('x', { key: 'k' }),
    () => tree.leftLength(-1),
    () => tree.subtree('x', { bogus: 1 }),
  ]) {
    assert.throws(f, (e) => /^ERR_/.test(e.code), String(f));
  }
});

test('BLAKE3 trees over several processes', () => {
  const data = mod251(256 * 1024 + 17);
  const cvs = [0, 128].map((chunk) => {
    const piece = data.subarray(chunk * 1024, chunk === 0 ? 128 * 1024 : undefined);
    const r = node(
      [
        '-e',
        `const h = require(${JSON.stringify(entry)}); const parts = [];
      process.stdin.on('data', (c) => parts.push(c)).on('end', () => {
        const d = Buffer.concat(parts.map(Buffer.from)); const at = ${chunk};
        const cvs = [h.tree.subtree(d.subarray(0, 131072), { firstChunk: at })];
        if (d.length > 131072) cvs.push(h.tree.subtree(d.subarray(131072), { firstChunk: at + 128 }));
        process.stdout.write(Buffer.concat(cvs).toString('hex')); })`,
      ],
      { input: piece },
    );
    assert.equal(r.status, 0, r.stderr);
    return Buffer.from(r.stdout, 'hex');
  });
  assert.equal(tree.root(Buffer.concat(cvs)).toString('hex'), hash('blake3', data));
});

const LENGTHS = [0, 1, 1023, 1024, 1025, 2048, 2049, 3072, 4097, 8192, 10000, 16384, 70000];

test('Bao: encode, decode, sizes, outboard, groups, modes', async () => {
  for (const o of [
    {},
    { group: 1 },
    { group: 4 },
    { group: 10 },
    { key: Buffer.alloc(32, 1) },
    { deriveKeyContext: 'c', group: 2 },
  ]) {
    const mode = { ...o };
    delete mode.group;
    for (const n of LENGTHS) {
      const data = mod251(n);
      const { root, encoded } = bao.encode(data, o);
      assert.equal(root.toString('hex'), hash('blake3', data, mode));
      const outside = bao.encode(data, { ...o, outboard: true });
      assert.ok(outside.root.equals(root));
      const group = o.group ?? 0;
      assert.equal(bao.encodedSize(n, { group }), BigInt(encoded.length));
      assert.equal(bao.encodedSize(n, { group, outboard: true }), BigInt(outside.encoded.length));
      assert.ok(bao.decode(encoded, root, o).equals(data));
      assert.ok(bao.decode(encoded, root.toString('hex'), o).equals(data));
      assert.ok(bao.decode(data, root, { ...o, outboard: outside.encoded }).equals(data));
      for (const piece of [1, 7, 1000, 100000]) {
        if (piece < 7 && n > 5000) continue;
        const cut = (b) =>
          Readable.from(
            (function* () {
              for (let at = 0; at < b.length || at === 0; at += piece) yield b.subarray(at, at + piece);
            })(),
            { objectMode: false },
          );
        assert.ok((await collect(cut(encoded).pipe(bao.createDecoder(root, o)))).equals(data), `${n} by ${piece}`);
        if (n > 0)
          assert.ok(
            (await collect(cut(data).pipe(bao.createDecoder(root, { ...o, outboard: outside.encoded })))).equals(data),
          );
      }
    }
  }
});

test('Bao: slices as the specification takes them', async () => {
  const below = random(SEED);
  for (const group of [0, 3]) {
    for (const n of LENGTHS) {
      const data = mod251(n);
      const { root, encoded } = bao.encode(data, { group });
      const outboard = bao.encode(data, { group, outboard: true }).encoded;
      for (const [start, length] of [
        [0, 0],
        [0, 1],
        [0, n],
        [n, 1],
        [n + 5000, 10],
        [below(n + 1), below(3000)],
        [below(n + 1), below(n + 1)],
        [2n ** 63n, 5n],
        [5, 2n ** 64n - 1n],
      ]) {
        const s = bao.slice(encoded, start, length, { group });
        assert.ok(bao.slice(data, start, length, { group, outboard }).equals(s));
        const wanted = data.subarray(Number(start), Number(BigInt(start) + BigInt(length)));
        const got = bao.decodeSlice(s, root, start, length, { group });
        assert.ok(got.equals(wanted), `${n} ${start} ${length}`);
        assert.ok(
          (
            await collect(
              Readable.from([s], { objectMode: false }).pipe(bao.createDecoder(root, { group, start, length })),
            )
          ).equals(wanted),
        );
        assert.throws(() => bao.decodeSlice(Buffer.concat([s, Buffer.alloc(1)]), root, start, length, { group }), {
          code: 'ERR_VERIFICATION_FAILED',
        });
        assert.throws(() => bao.decodeSlice(s.subarray(0, -1), root, start, length, { group }), {
          code: 'ERR_VERIFICATION_FAILED',
        });
        const wrong = Buffer.from(root);
        wrong[below(32)] ^= 1;
        assert.throws(() => bao.decodeSlice(s, wrong, start, length, { group }), { code: 'ERR_VERIFICATION_FAILED' });
      }
    }
  }
});

test('Bao: nothing that was changed verifies, nothing unverified is handed out', async () => {
  const data = mod251(5000);
  const { root, encoded } = bao.encode(data);
  const outboard = bao.encode(data, { outboard: true }).encoded;
  for (let i = 0; i < encoded.length; i++) {
    const broken = Buffer.from(encoded);
    broken[i] ^= 1 << (i % 8);
    assert.throws(() => bao.decode(broken, root), { code: 'ERR_VERIFICATION_FAILED' }, `byte ${i}`);
    if (i % 23 === 0) {
      const out = [];
      await assert.rejects(
        pipeline(
          Readable.from([broken], { objectMode: false }),
          bao.createDecoder(root),
          new Writable({
            write(c, e, cb) {
              out.push(c);
              cb();
            },
          }),
        ),
      );
      const got = Buffer.concat(out);
      assert.ok(got.equals(data.subarray(0, got.length)));
    }
  }
  for (let n = 0; n < encoded.length; n += 13)
    assert.throws(() => bao.decode(encoded.subarray(0, n), root), { code: 'ERR_VERIFICATION_FAILED' });
  assert.throws(() => bao.decode(Buffer.concat([encoded, Buffer.alloc(1)]), root), { code: 'ERR_VERIFICATION_FAILED' });
  await assert.rejects(
    collect(
      Readable.from([encoded, Buffer.alloc(1)], { objectMode: false })
        .pipe(bao.createDecoder(root))
        .on('error', () => {}),
    ),
    { code: 'ERR_VERIFICATION_FAILED' },
  );
  for (let i = 0; i < outboard.length; i += 3) {
    const broken = Buffer.from(outboard);
    broken[i] ^= 1;
    assert.throws(() => bao.decode(data, root, { outboard: broken }), { code: 'ERR_VERIFICATION_FAILED' });
    await assert.rejects(
      collect(
        Readable.from([data], { objectMode: false })
          .pipe(bao.createDecoder(root, { outboard: broken }))
          .on('error', () => {}),
      ),
      { code: 'ERR_VERIFICATION_FAILED' },
    );
  }
  for (const length of [2n ** 63n, 2n ** 64n - 1n, 5001n, 4999n, 0n]) {
    const lying = Buffer.from(encoded);
    lying.writeBigUInt64LE(length);
    assert.throws(() => bao.decode(lying, root), { code: 'ERR_VERIFICATION_FAILED' });
    await assert.rejects(
      async () =>
        collect(
          Readable.from([lying], { objectMode: false })
            .pipe(bao.createDecoder(root))
            .on('error', () => {}),
        ),
      { code: 'ERR_VERIFICATION_FAILED' },
    );
  }
  assert.throws(() => bao.decode(encoded, Buffer.alloc(31)), /root/);
  assert.throws(() => bao.decode(encoded, 'abc'), /root/);
  assert.throws(() => bao.encode(data, { group: 11 }), /group/);
  assert.throws(() => bao.encode(data, { group: -1 }), /group/);
  assert.throws(() => bao.encode(data, { outboard: 1 }), /outboard/);
  assert.throws(() => bao.encodedSize(2n ** 64n - 1n), RangeError);
  assert.throws(() => bao.slice(encoded, -1, 5), /start/);
});

test('Bao: files', async () => {
  const dir = temporary();
  const at = (name) => path.join(dir, name);
  const data = mod251(100_000);
  fs.writeFileSync(at('data'), data);
  for (const group of [0, 4]) {
    const root = await bao.encodeFile(at('data'), at('data.bao'), { group });
    const again = await bao.encodeFile(at('data'), at('data.obao'), { group, outboard: true });
    assert.ok(root.equals(again));
    assert.ok(fs.readFileSync(at('data.bao')).equals(bao.encode(data, { group }).encoded));
    assert.ok(fs.readFileSync(at('data.obao')).equals(bao.encode(data, { group, outboard: true }).encoded));
    await bao.decodeFile(at('data.bao'), at('copy'), root, { group });
    assert.ok(fs.readFileSync(at('copy')).equals(data));
    await bao.decodeFile(at('data'), at('copy'), root, { group, outboard: at('data.obao') });
    const broken = fs.readFileSync(at('data.bao'));
    broken[broken.length - 1] ^= 1;
    fs.writeFileSync(at('broken'), broken);
    await assert.rejects(bao.decodeFile(at('broken'), at('never'), root, { group }), {
      code: 'ERR_VERIFICATION_FAILED',
    });
    assert.ok(!fs.existsSync(at('never')));
  }
});
