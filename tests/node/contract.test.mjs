// contract.test.mjs - node:crypto's contract of Hash and Hmac: same results, same errors, and where we are stricter.
import test from 'node:test';
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import vm from 'node:vm';
import { pipeline } from 'node:stream/promises';
import { Readable, Transform, Writable } from 'node:stream';
import { hashcore, mod251 } from './common.mjs';

const { createHash, createHmac, hash, getHashes } = hashcore;
const BOTH = ['sha256', 'sha224', 'SHA256', 'SHA-256', 'blake2b512'];

function failure(f) {
  try {
    f();
  } catch (error) {
    return error;
  }
  return assert.fail('no error');
}

// Deno's node:crypto is a rewriting, which knows fewer aliases and has errors of its own.
const notNode20 = !(process.version.startsWith('v20.') && !globalThis.Bun && !globalThis.Deno && crypto.hash) && 'not Node 20';
const ownCrypto = { skip: Boolean(globalThis.Deno) && 'Deno has a node:crypto of its own' };

test('the same digests as node:crypto, in every encoding, for strings and every kind of view', ownCrypto, () => {
  const text = 'grüße, 世界 \u{1f600} \ud800 lone';
  const raw = mod251(80);
  const inputs = [
    text,
    '',
    raw,
    new Uint8Array(0),
    new Uint16Array(raw.buffer.slice(0, 40)),
    new Float64Array(4),
    new BigInt64Array(2),
    new DataView(raw.buffer, raw.byteOffset, 33),
    new Uint8ClampedArray([1, 2, 3]),
    Buffer.from('x').subarray(0, 0),
    raw.subarray(3, 70),
    new (class Mine extends Uint8Array {})([5, 6]),
  ];
  for (const name of BOTH) {
    for (const input of inputs) {
      for (const encoding of [
        undefined,
        'hex',
        'base64',
        'base64url',
        'latin1',
        'binary',
        'buffer',
        'HEX',
        'utf8',
        'ascii',
        'ucs2',
      ]) {
        assert.deepEqual(
          createHash(name).update(input).digest(encoding),
          crypto.createHash(name).update(input).digest(encoding),
          `${name} ${encoding}`,
        );
      }
      assert.equal(hash(name, input), crypto.createHash(name).update(input).digest('hex'));
      assert.deepEqual(hash(name, input, 'buffer'), crypto.createHash(name).update(input).digest());
      assert.equal(
        hash(name, input, { outputEncoding: 'base64' }),
        crypto.createHash(name).update(input).digest('base64'),
      );
    }
    for (const [data, encoding] of [
      ['00ff10', 'hex'],
      ['AAECAw==', 'base64'],
      ['é', 'latin1'],
      ['aé', 'utf16le'],
      ['a', 'utf-8'],
      ['x', 'buffer'],
    ]) {
      assert.equal(
        createHash(name).update(data, encoding).digest('hex'),
        crypto.createHash(name).update(data, encoding).digest('hex'),
        encoding,
      );
    }
  }
  for (const name of ['sha256', 'sha224']) {
    for (const key of [
      '',
      'k',
      Buffer.alloc(64, 1),
      Buffer.alloc(65, 2),
      new Uint8Array([1, 2]).buffer,
      crypto.createSecretKey(Buffer.from('secret')),
    ]) {
      assert.equal(
        createHmac(name, key).update(raw).update('é').digest('hex'),
        crypto.createHmac(name, key).update(raw).update('é').digest('hex'),
      );
    }
  }
});

test("node:crypto's errors, to the letter", ownCrypto, () => {
  const ab = new ArrayBuffer(4);
  const cases = [
    ...[
      undefined,
      null,
      1,
      1n,
      true,
      Symbol('s'),
      {},
      [],
      ab,
      new SharedArrayBuffer(4),
      () => 0,
      new Map(),
      function named() {},
      Object.create(null),
      NaN,
      new Proxy(new Uint8Array(2), {}),
    ].map((x) => [`update ${String(typeof x)}`, (c) => c.createHash('sha256').update(x)]),
    [
      'update after digest',
      (c) => {
        const h = c.createHash('sha256');
        h.digest();
        h.update('x');
      },
    ],
    [
      'digest twice',
      (c) => {
        const h = c.createHash('sha256');
        h.digest();
        h.digest();
      },
    ],
    [
      'copy after digest',
      (c) => {
        const h = c.createHash('sha256');
        h.digest();
        h.copy();
      },
    ],
    ['odd hex', (c) => c.createHash('sha256').update('abc', 'hex')],
    ['name 5', (c) => c.createHash(5)],
    ['name null', (c) => c.createHash(null)],
    ['hmac name', (c) => c.createHmac(null, 'k')],
    ['hmac digest', (c) => c.createHmac('nope', 'k')],
    [
      'hmac update after digest',
      (c) => {
        const h = c.createHmac('sha256', 'k');
        h.digest();
        h.update('x');
      },
    ],
    ['hmac update number', (c) => c.createHmac('sha256', 'k').update(5)],
  ];
  for (const [what, f] of cases) {
    const theirs = failure(() => f(crypto));
    const ours = failure(() => f(hashcore));
    assert.equal(ours.code, theirs.code, what);
    // Node 18 describes values in other words than all later versions.
    if (!process.version.startsWith('v18.')) assert.equal(ours.message, theirs.message, what);
    assert.equal(ours.constructor.name, theirs.constructor.name, what);
  }
  const unknown = failure(() => createHash('md17'));
  assert.equal(unknown.message, failure(() => crypto.createHash('md17')).message);
  for (const key of [undefined, null, 5, {}]) {
    assert.throws(() => createHmac('sha256', key), { code: 'ERR_INVALID_ARG_TYPE', name: 'TypeError' });
  }
});

test("node:crypto 20's errors: what hash, keys and options say, and where ours differ", { skip: notNode20 }, async () => {
  const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
  const { privateKey: webKey } = await crypto.webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  const same = [
    ...[undefined, null, 5, {}, new ArrayBuffer(4)].map((x) => (c) => c.hash('sha256', x)),
    ...[5, null, [], 5n, new Uint8Array(2), () => 0].map((x) => (c) => c.hash('sha256', 'x', x)),
    (c) => c.hash('sha256', 'x', 'nope'),
    (c) => c.hash(5, 'x'),
    ...[undefined, null, 5, {}, [], { type: 'secret' }].map((key) => (c) => c.createHmac('sha256', key)),
    ...[privateKey, publicKey, webKey].map((key) => (c) => c.createHmac('sha256', key)),
    (c) => c.createHmac('sha256', 'k', { encoding: 5 }),
    (c) => c.createHmac('sha256', 'k', { encoding: 'nope' }),
    (c) => c.createHash('sha256', { outputLength: 1.5 }),
    (c) => c.createHash('sha256').copy({ outputLength: NaN }),
  ];
  for (const f of same) {
    const theirs = failure(() => f(crypto));
    const ours = failure(() => f(hashcore));
    for (const member of ['code', 'message', 'name']) assert.equal(ours[member], theirs[member], `${f} ${theirs}`);
    assert.equal(ours.constructor, theirs.constructor);
  }
  // docs/node.md names these: a code where node:crypto has none, a RangeError for OpenSSL's.
  for (const f of [(c) => c.createHash('nope'), (c) => c.hash('nope', 'x')]) {
    const theirs = failure(() => f(crypto));
    const ours = failure(() => f(hashcore));
    assert.equal(theirs.code, undefined);
    assert.equal(ours.code, 'ERR_CRYPTO_INVALID_DIGEST');
    assert.equal(ours.message, theirs.message);
  }
  for (const f of [(c) => c.createHash('sha256', { outputLength: 31 }), (c) => c.createHash('sha256').copy({ outputLength: 31 })]) {
    assert.equal(failure(() => f(crypto)).code, 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH');
    const ours = failure(() => f(hashcore));
    assert.ok(ours instanceof RangeError && ours.code === 'ERR_OUT_OF_RANGE');
    assert.equal(ours.message, 'outputLength: 31 bytes given, 32 needed');
  }
});

test('createHmac takes every secret that node:crypto takes, of any realm, and says what is wrong with others', ownCrypto, async () => {
  const raw = Buffer.from('a secret');
  const wanted = crypto.createHmac('sha256', raw).update('m').digest('hex');
  const keys = [
    raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length),
    new Uint8Array(raw).buffer,
    crypto.createSecretKey(raw),
    vm.runInNewContext('new ArrayBuffer(8)'),
    Object.assign(new SharedArrayBuffer(8)),
  ];
  new Uint8Array(keys[3]).set(raw);
  new Uint8Array(keys[4]).set(raw);
  if (!globalThis.Bun) {
    keys.push(await crypto.webcrypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']));
  }
  for (const [i, key] of keys.entries()) {
    assert.equal(createHmac('sha256', key).update('m').digest('hex'), wanted, `key ${i}`);
    assert.equal(createHmac('sha256', key, {}).update('m').digest('hex'), wanted, `key ${i}`);
  }
  assert.equal(createHmac('sha256', new ArrayBuffer(0)).digest('hex'), createHmac('sha256', '').digest('hex'));
  const gone = new ArrayBuffer(4);
  structuredClone(gone, { transfer: [gone] });
  assert.throws(() => createHmac('sha256', gone), { code: 'ERR_INVALID_ARG_VALUE', message: /'key' is a detached/ });
  for (const key of [Object.create(ArrayBuffer.prototype), Object.create(Uint8Array.prototype), { type: 'public' }, new Proxy(raw, {})]) {
    assert.throws(() => createHmac('sha256', key), { code: 'ERR_INVALID_ARG_TYPE' });
  }
});

test('options are read once, and what they were then holds', async () => {
  const counted = (o) => {
    const reads = {};
    const watched = {};
    for (const name of Object.keys(o)) {
      reads[name] = 0;
      Object.defineProperty(watched, name, { enumerable: true, get: () => (reads[name]++, o[name]) });
    }
    return [watched, reads];
  };
  const h = createHash('blake3').update('x');
  const bytes = Buffer.alloc(64);
  const signal = new AbortController().signal;
  const calls = [
    [{ outputLength: 40, outputEncoding: 'hex', seek: 3 }, (o) => h.copy().digest(o)],
    [{ length: 40, outputEncoding: 'hex', seek: 3 }, (o) => h.copy().digest(o)],
    [{ outputLength: 40, seek: 3 }, (o) => h.copy().digestInto(bytes, 0, o)],
    [{ outputLength: 40, key: bytes.subarray(32), highWaterMark: 9 }, (o) => createHash('blake3', o).end('x').read()],
    [{ outputLength: 40, highWaterMark: 9 }, (o) => h.copy(o).end('x').read()],
    [{ encoding: 'hex', highWaterMark: 9 }, (o) => createHmac('sha256', 'aa', o).end('x').read()],
    [{ outputLength: 40, outputEncoding: 'hex', seek: 3, threads: 1 }, (o) => hash('blake3', 'x', o)],
    [{ outputLength: 40, outputEncoding: 'hex' }, (o) => hash('blake3', 'x', o)],
    [{ outputLength: 40, seek: 3, threads: 1 }, (o) => hashcore.digestInto('blake3', 'x', bytes, 0, o)],
    [{ outputLength: 40, outputEncoding: 'hex', itemSize: 8, threads: 1, prefix: 'p' }, (o) => hashcore.hashMany('blake3', bytes, o)],
    [{ offsets: [0, 64], out: Buffer.alloc(32) }, (o) => hashcore.hashMany('blake3', bytes, o)],
    [{ outputLength: 40, outputEncoding: 'hex', signal }, (o) => hashcore.hashAsync('blake3', 'x', o)],
    [{ itemSize: 8, outputEncoding: 'hex', signal, threads: 1 }, (o) => hashcore.hashManyAsync('blake3', bytes, o)],
    [{ outputLength: 40 }, (o) => hashcore.importState('blake3', h.exportState(), o)],
    [{ threads: 1 }, (o) => h.reader().read(9, 0, o)],
    [{ start: 1, end: 9, highWaterMark: 5 }, (o) => h.reader().createReadStream(o).read()],
    [{ length: 40, seek: 3 }, (o) => hashcore.tree.root(bytes, o)],
    [{ outputLength: 40 }, (o) => hashcore.tree.root(bytes, o)],
    [{ firstChunk: 0, threads: 1 }, (o) => hashcore.tree.subtree(bytes, o)],
    [{ group: 1, outboard: true }, (o) => hashcore.bao.encode(bytes, o)],
    [{ group: 1, outboard: true }, (o) => hashcore.bao.encodedSize(64, o)],
    [{ group: 1, start: 0, length: 5, highWaterMark: 9 }, (o) => void hashcore.bao.createDecoder(bytes.subarray(32), o)],
    [{ group: 1 }, (o) => hashcore.bao.decode(hashcore.bao.encode(bytes, { group: 1 }).encoded, hash('blake3', bytes), o)],
  ];
  const file = { outputEncoding: 'hex', outputLength: 40, seek: 3, signal, threads: 1, start: 0, end: 9, onProgress() {} };
  calls.push([file, (o) => hashcore.hashFile('blake3', process.execPath, o)]);
  for (const [o, f] of calls) {
    const [watched, reads] = counted(o);
    assert.deepEqual(await f(watched), await f(o), String(f));
    for (const name of Object.keys(o)) assert.equal(reads[name], 1, `${name} of ${f}`);
  }
  // A descriptor's holder as well.
  const handle = await fs.promises.open(process.execPath);
  let reads = 0;
  const holder = { handle, get fd() { return reads++, handle.fd; } };
  assert.equal(await hashcore.hashFile('sha256', holder, { start: 0, end: 99 }), await hashcore.hashFile('sha256', handle, { start: 0, end: 99 }));
  assert.equal(reads, 1);
  await handle.close();
});

test('misuse that node:crypto lets pass is an error here', () => {
  const h = createHash('sha256').update('abc');
  // A message handed to digest is not ignored.
  for (const m of [Buffer.from('abc'), new Uint8Array(3), 5, true, () => 0, []]) {
    assert.throws(() => h.digest(m), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  assert.throws(() => h.digest('some message'), { code: 'ERR_INVALID_ARG_VALUE', message: /'some message'/ });
  assert.throws(() => h.update('abc', 'nope'), { code: 'ERR_UNKNOWN_ENCODING' });
  assert.throws(() => h.update('zz', 'hex'), { code: 'ERR_INVALID_ARG_VALUE' });
  assert.throws(() => h.update('abc', 5), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => hash('sha256', 'abc', 'nope'), { code: 'ERR_INVALID_ARG_VALUE' });
  assert.throws(() => createHash('sha256', { outputLength: 10 }), { code: 'ERR_OUT_OF_RANGE' });
  assert.throws(() => createHash('sha256', { saltt: 'x' }), /options\.saltt/);
  const hmac = createHmac('sha256', 'k');
  hmac.digest();
  assert.throws(() => hmac.digest(), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
  // None of it changed the state.
  assert.equal(h.digest('hex'), crypto.createHash('sha256').update('abc').digest('hex'));
});

test('finalized until reset, which keeps key and parameters', () => {
  const o = { key: 'k', salt: 's', person: 'p', outputLength: 20 };
  const cases = [
    () => createHash('sha256'),
    () => createHash('blake2b'),
    () => createHash('blake2b', o),
    () => createHash('blake3'),
    () => createHash('blake3', { key: Buffer.alloc(32, 7) }),
    () => createHash('blake3', { deriveKeyContext: 'context' }),
    () => createHmac('sha256', 'key'),
    () => createHash('hmac-sha224', { key: 'key' }),
    () => createHash('blake2xb', { outputLength: 100, key: 'k' }),
  ];
  for (const make of cases) {
    const wanted = make().update('message').digest('hex');
    const h = make().update('something else');
    for (let i = 0; i < 3; i++) {
      h.digest();
      for (const f of [
        () => h.digest(),
        () => h.digest('hex'),
        () => h.digest({}),
        () => h.update('x'),
        () => h.copy(),
        () => h.exportState(),
        () => h.digestInto(Buffer.alloc(64)),
      ]) {
        assert.throws(f, { code: 'ERR_CRYPTO_HASH_FINALIZED', message: 'Digest already called' });
      }
      assert.equal(h.reset(), h);
      assert.equal(h.update('mess').reset().update('mess').update('age').copy().digest('hex'), wanted);
      assert.equal(h.digest('hex'), wanted);
      h.reset().update('more');
    }
  }
});

test('many objects at once keep apart, made, finished and dropped in any order', () => {
  const live = [];
  for (let i = 0; i < 500; i++) {
    const name = ['sha256', 'blake3', 'blake2b'][i % 3];
    live.push([createHash(name).update(`${i}`), name, `${i}`]);
    if (i % 7 === 6) live.splice((i * 31) % live.length, 1)[0][0].digest();
    if (i % 5 === 0) {
      const one = live[(i * 17) % live.length];
      const copy = one[0].copy();
      live.push([copy, one[1], one[2]]);
    }
    const one = live[(i * 13) % live.length];
    one[0].update('x');
    one[2] += 'x';
  }
  for (const [h, name, text] of live) assert.equal(h.digest('hex'), hash(name, text));
});

test('copy of a twin, and outputLength of BLAKE3', () => {
  const h = createHash('blake3', { outputLength: 70 }).update('abc');
  const long = hash('blake3', 'abc', { outputLength: 200 });
  assert.equal(h.copy().digest('hex'), long.slice(0, 140));
  assert.equal(h.copy({ outputLength: 5 }).digest('hex'), long.slice(0, 10));
  assert.equal(h.copy().digest({ length: 13, seek: 9, outputEncoding: 'hex' }), long.slice(18, 44));
  assert.equal(h.copy().digest({ length: 13, seek: 9n, outputEncoding: 'hex' }), long.slice(18, 44));
  assert.equal(h.outputLength, 70);
  assert.equal(h.copy().digest({ length: 0 }).length, 0);
  assert.equal(h.algorithm, 'blake3');
  assert.equal(createHash('sha256').blockSize, 64);
  assert.throws(() => createHash('sha256').copy({ outputLength: 31 }), { code: 'ERR_OUT_OF_RANGE', name: 'RangeError' });
  assert.equal(createHash('sha256').copy({ outputLength: 32 }).digest().length, 32);
  assert.throws(() => createHash('sha256').digest({ length: 31 }), { code: 'ERR_OUT_OF_RANGE' });
  assert.throws(() => createHash('sha256').digest({ seek: 1 }), RangeError);
  for (const seek of [-1, 1.5, NaN, -1n, 2n ** 64n, '5', null, Infinity]) {
    assert.throws(
      () => createHash('blake3').digest({ seek }),
      (e) => /seek/.test(e.message) && /ERR_(OUT_OF_RANGE|INVALID_ARG_TYPE)/.test(e.code),
    );
  }
  assert.equal(createHash('blake3').digest({ seek: 2n ** 64n - 33n }).length, 32);
  assert.throws(() => createHash('blake3').digest({ seek: 2n ** 64n - 5n }), { code: 'ERR_OUT_OF_RANGE' });
});

test('a Transform: pipe, pipeline, write and end, encodings, errors', async () => {
  const data = mod251(300000);
  const wanted = crypto.createHash('sha256').update(data).digest();
  const h = createHash('sha256');
  assert.ok(h instanceof Transform && h instanceof hashcore.Hash);
  await pipeline(Readable.from([data.subarray(0, 5), data.subarray(5, 100000), data.subarray(100000)]), h);
  assert.deepEqual(h.read(), wanted);
  const got = [];
  await pipeline(
    Readable.from([data]),
    createHash('sha256', { encoding: 'hex' }),
    new Writable({
      decodeStrings: false,
      write(c, e, cb) {
        got.push(c);
        cb();
      },
    }),
  );
  assert.equal(got.join(''), wanted.toString('hex'));
  const end = createHash('sha256');
  end.write('00', 'hex');
  end.write(data.subarray(0, 3));
  end.end('z');
  await new Promise((resolve) => end.on('readable', resolve));
  assert.deepEqual(
    end.read(),
    crypto
      .createHash('sha256')
      .update(Buffer.from([0]))
      .update(data.subarray(0, 3))
      .update('z')
      .digest(),
  );
  const hmac = createHmac('sha256', 'k');
  hmac.end(data);
  for await (const chunk of hmac) assert.deepEqual(chunk, crypto.createHmac('sha256', 'k').update(data).digest());
  // digest() before the stream ends: the error arrives as an event, not as a crash.
  const early = createHash('blake3');
  early.write('a');
  early.digest();
  const error = await new Promise((resolve) => early.on('error', resolve).end('b'));
  assert.equal(error.code, 'ERR_CRYPTO_HASH_FINALIZED');
});

test('wrong this, no constructor', () => {
  assert.throws(() => new hashcore.Hash('sha256'), TypeError);
  assert.throws(() => new hashcore.Hmac(), TypeError);
  const h = createHash('sha256');
  for (const name of ['update', 'digest', 'copy', 'reset', 'digestInto', 'exportState', 'reader']) {
    for (const self of [undefined, null, {}, Object.create(h), new Proxy(h, {}), 5]) {
      assert.throws(() => h[name].call(self, 'abc'), TypeError, name);
    }
  }
});

test('names', () => {
  assert.deepEqual(getHashes().sort(), ['blake2b', 'blake2xb', 'blake3', 'sha224', 'sha256']);
  getHashes().push('x');
  assert.equal(getHashes().length, 5);
  for (const name of getHashes())
    assert.ok(createHash(name, name === 'blake2xb' ? { outputLength: 9 } : {}).digest().length > 0);
  for (const name of ['', 'sha1', 'sha256\0', 'blake3 ', '__proto__', 'constructor', 'hmac', 'x'.repeat(10000)]) {
    assert.throws(() => createHash(name), { message: 'Digest method not supported' });
    assert.throws(() => hash(name, 'x'), { message: `Digest method ${name} is not supported` });
  }
  assert.throws(() => createHash('hmac-sha256'), TypeError);
  assert.equal(hash('hmac-sha256', 'm', { key: 'k' }), crypto.createHmac('sha256', 'k').update('m').digest('hex'));
});

test('digestInto writes where it is told and nowhere else', () => {
  const target = Buffer.alloc(50, 0xee);
  assert.equal(createHash('sha256').update('abc').digestInto(target, 7), 32);
  assert.equal(target.toString('hex', 7, 39), hash('sha256', 'abc'));
  assert.ok([...target.subarray(0, 7), ...target.subarray(39)].every((x) => x === 0xee));
  for (const offset of [19, -1, 1.5, 51, NaN, '0', null, 2 ** 53, 19n]) {
    const h = createHash('sha256').update('abc');
    const before = Buffer.from(target);
    assert.throws(
      () => h.digestInto(target, offset),
      (e) => /ERR_(OUT_OF_RANGE|INVALID_ARG_TYPE)/.test(e.code),
      String(offset),
    );
    assert.deepEqual(target, before);
    assert.equal(h.digest('hex'), hash('sha256', 'abc'));
  }
  const words = new Uint32Array(10);
  assert.equal(hashcore.digestInto('blake3', ['a', 'bc'], words, 4, { outputLength: 33, seek: 5n }), 33);
  assert.equal(Buffer.from(words.buffer, 4, 33).toString('hex'), hash('blake3', 'abc', { outputLength: 38 }).slice(10));
});

test('BLAKE2b and BLAKE3 parameters: limits by name', () => {
  const cases = [
    ['blake2b', { key: Buffer.alloc(65) }, /^key: 65 bytes given, 0 to 64 allowed/],
    ['blake2b', { salt: Buffer.alloc(17) }, /^salt: 17 /],
    ['blake2b', { person: 'x'.repeat(17) }, /^person: 17 /],
    ['blake2b', { outputLength: 0 }, /^outputLength/],
    ['blake2b', { outputLength: 65 }, /^outputLength/],
    ['blake2b', { fanout: 256 }, /^fanout/],
    ['blake2b', { depth: 0 }, /^depth/],
    ['blake2b', { leafSize: 2 ** 32 }, /^leafSize/],
    ['blake2b', { nodeDepth: 256 }, /^nodeDepth/],
    ['blake2b', { innerSize: 65 }, /^innerSize/],
    ['blake3', { key: Buffer.alloc(31) }, /^key: 31 /],
    ['blake3', { key: '' }, /^key: 0 /],
    ['blake2xb', { outputLength: 2 ** 32 - 1 }, /^outputLength/],
  ];
  for (const [name, o, text] of cases) {
    assert.throws(
      () => createHash(name, o),
      (e) => e instanceof RangeError && e.code === 'ERR_OUT_OF_RANGE' && text.test(e.message),
      JSON.stringify(o),
    );
  }
  for (const [name, o] of [
    ['sha256', { key: 'k' }],
    ['blake3', { salt: 's' }],
    ['sha256', { person: 'p' }],
    ['blake3', { key: Buffer.alloc(32), deriveKeyContext: 'c' }],
  ]) {
    assert.throws(() => createHash(name, o), { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' });
  }
  for (const value of ['x', -1, 1.5, null, {}, -1n, 2n ** 64n]) {
    assert.throws(() => createHash('blake2b', { nodeOffset: value }), /nodeOffset/);
    assert.throws(() => createHash('blake2b', { outputLength: value }), /outputLength/);
  }
  for (const key of [5, null, {}, new ArrayBuffer(4), []])
    assert.throws(() => createHash('blake2b', { key }), { code: 'ERR_INVALID_ARG_TYPE', message: /options\.key/ });
  for (const o of [5, 'x', [], new Uint8Array(2), true])
    assert.throws(() => createHash('sha256', o), { code: 'ERR_INVALID_ARG_TYPE' });
  // A short salt is zero padded, an empty key is no key, tree parameters have their defaults.
  assert.equal(
    hash('blake2b', 'a', { salt: 'abc' }),
    hash('blake2b', 'a', { salt: Buffer.concat([Buffer.from('abc'), Buffer.alloc(13)]) }),
  );
  assert.notEqual(hash('blake2b', 'a', { salt: 'abc' }), hash('blake2b', 'a'));
  assert.equal(hash('blake2b', 'a', { key: '' }), hash('blake2b', 'a'));
  assert.equal(hash('blake2b', 'a', { fanout: 1 }), hash('blake2b', 'a'));
  assert.notEqual(hash('blake2b', 'a', { lastNode: true }), hash('blake2b', 'a'));
  // The key of the caller may change after the hash was made.
  const key = Buffer.alloc(32, 1);
  const h = createHash('blake3', { key });
  key.fill(2);
  assert.equal(h.update('a').digest('hex'), hash('blake3', 'a', { key: Buffer.alloc(32, 1) }));
});

test('one-shots that take a shorter way say the same: other lengths, short and long parts', () => {
  const longer = (name, data, o) => hash(name, data, { ...o, threads: 1 }); // any other option: the general way
  for (const name of ['sha224', 'sha256', 'blake2b', 'blake2xb', 'blake3']) {
    for (const n of [1, 20, 28, 32, 64, 65, 4096, 4097]) {
      for (const data of ['', 'abc', mod251(64), mod251(65), mod251(1000)]) {
        const o = { outputLength: n };
        let wanted;
        try {
          wanted = longer(name, data, o);
        } catch (error) {
          assert.throws(() => hash(name, data, o), { name: error.name, code: error.code, message: error.message });
          continue;
        }
        assert.equal(wanted.length, 2 * n);
        assert.equal(hash(name, data, o), wanted);
        assert.equal(hash(name, data, { ...o, outputEncoding: 'buffer' }).toString('hex'), wanted);
      }
    }
    if (name === 'blake2xb') continue;
    const bytes = mod251(8300);
    for (const cuts of [[0], [1, 0, 2], [100, 400, 31], [64, 64], [2000, 2095, 1], [2000, 2096, 1], [4096], [4097], [5, 8000, 9]]) {
      let at = 0;
      const parts = cuts.map((n) => bytes.subarray(at, (at += n)));
      const wanted = hash(name, Buffer.from(bytes.subarray(0, at)));
      assert.equal(hash(name, parts), wanted);
      assert.equal(hash(name, parts, 'buffer').toString('hex'), wanted);
      const even = parts.map((p) => Uint8Array.from(p.subarray(0, p.length & ~1)));
      assert.equal(hash(name, even.map((p) => new Uint16Array(p.buffer))), hash(name, Buffer.concat(even)));
    }
    // A list whose reading hashes something else on its way.
    const sly = [mod251(3), null, mod251(5)];
    let reads = 0;
    Object.defineProperty(sly, 1, { get: () => (reads++, hash(name, [mod251(900), mod251(900)]), mod251(4)) });
    assert.equal(hash(name, sly), hash(name, Buffer.concat([mod251(3), mod251(4), mod251(5)])));
    sly[2] = new DataView(mod251(5).buffer, 0, 5); // the general way
    assert.equal(hash(name, sly), hash(name, Buffer.concat([mod251(3), mod251(4), Buffer.from(new Uint8Array(sly[2].buffer, 0, 5))])));
    assert.equal(reads, 2, 'each member of a list is read once');
    const gone = new Uint8Array(8);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    assert.throws(() => hash(name, [mod251(3), gone]), { code: 'ERR_INVALID_ARG_VALUE' });
    assert.throws(() => hash(name, [mod251(3), 5]), { code: 'ERR_INVALID_ARG_TYPE', message: /input\[1\]/ });
  }
  // Options that a prototype holds count, as ever.
  assert.equal(hash('blake2b', 'a', Object.create({ outputLength: 20 })), hash('blake2b', 'a', { outputLength: 20 }));
  assert.equal(hash('blake2b', 'a', Object.create({ key: 'k' })), hash('blake2b', 'a', { key: 'k' }));
});
