// many.test.mjs - batches in every form, in place, with prefixes and threads; parts; bad offsets and lists that change.
import test from 'node:test';
import assert from 'node:assert/strict';
import { hashcore, mod251, random } from './common.mjs';

const { hash, hashMany, hashManyAsync } = hashcore;
const KINDS = [
  ['sha256', {}],
  ['sha224', {}],
  ['hmac-sha256', { key: 'key' }],
  ['hmac-sha224', { key: Buffer.alloc(70, 1) }],
  ['blake2b', {}],
  ['blake2b', { key: 'k', salt: 's', person: 'p', outputLength: 20, lastNode: true }],
  ['blake3', {}],
  ['blake3', { outputLength: 100 }],
  ['blake3', { key: Buffer.alloc(32, 5) }],
  ['blake3', { deriveKeyContext: 'context', outputLength: 7 }],
  ['blake2xb', { outputLength: 77 }],
];

function messages(seed) {
  const below = random(seed);
  const list = [];
  for (let i = 0; i < 150; i++) list.push(mod251(below(5) ? below(300) : below(9000), below(251)));
  for (const n of [0, 1, 55, 56, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 70000]) list.push(mod251(n));
  return list;
}

test('every form equals one by one, in order', async () => {
  const list = messages(1);
  const packed = Buffer.concat(list);
  let at = 0;
  const ends = [0, ...list.map((m) => (at += m.length))];
  const prefix = Buffer.from([0, 1, 2]);
  for (const [name, o] of KINDS) {
    const length = hash(name, '', { ...o, outputEncoding: 'buffer' }).length;
    for (const p of [undefined, prefix, Buffer.alloc(130, 1)]) {
      const wanted = Buffer.concat(list.map((m) => hash(name, p ? [p, m] : m, { ...o, outputEncoding: 'buffer' })));
      const more = p ? { ...o, prefix: p } : o;
      for (const threads of [0, 2, 'auto'])
        assert.ok(hashMany(name, list, { ...more, threads }).equals(wanted), `${name} list ${threads}`);
      for (const offsets of [
        ends,
        Uint32Array.from(ends),
        Int32Array.from(ends),
        BigUint64Array.from(ends, BigInt),
        BigInt64Array.from(ends, BigInt),
      ]) {
        assert.ok(hashMany(name, packed, { ...more, offsets }).equals(wanted), `${name} ${offsets.constructor.name}`);
      }
      const texts = hashMany(name, list, { ...more, outputEncoding: 'hex' });
      assert.deepEqual(
        texts,
        list.map((_, i) => wanted.toString('hex', i * length, (i + 1) * length)),
      );
      assert.ok((await hashManyAsync(name, list, { ...more, threads: 2 })).equals(wanted), `${name} async list`);
      assert.ok((await hashManyAsync(name, packed, { ...more, offsets: ends })).equals(wanted), `${name} async packed`);
      const out = Buffer.alloc(wanted.length);
      assert.equal(hashMany(name, list, { ...more, out }), out);
      assert.ok(out.equals(wanted));
    }
    const even = mod251(64 * 37);
    const each = Buffer.concat(
      Array.from({ length: 37 }, (_, i) =>
        hash(name, even.subarray(64 * i, 64 * i + 64), { ...o, outputEncoding: 'buffer' }),
      ),
    );
    assert.ok(hashMany(name, even, { ...o, itemSize: 64 }).equals(each), `${name} itemSize`);
    assert.ok((await hashManyAsync(name, even, { ...o, itemSize: 64n })).equals(each));
    assert.equal(hashMany(name, [], o).length, 0);
    assert.equal(hashMany(name, Buffer.alloc(0), { ...o, itemSize: 5 }).length, 0);
    assert.deepEqual(hashMany(name, [], { ...o, outputEncoding: 'hex' }), []);
  }
});

test('strings, every view and subclasses are items; buffers of separate digests', () => {
  const items = [
    'grüße',
    '',
    new Uint16Array([1, 2]),
    new DataView(new ArrayBuffer(9), 1, 5),
    Buffer.from('x'),
    '\ud800',
  ];
  const got = hashMany('blake3', items, { outputEncoding: 'buffer' });
  assert.deepEqual(
    got,
    items.map((x) => hash('blake3', x, 'buffer')),
  );
});

test('a level of a tree, in place', () => {
  let level = mod251(64 * 256);
  const wanted = hashMany('sha256', hashMany('sha256', Buffer.from(level), { itemSize: 64 }), { itemSize: 64 });
  for (let i = 0; i < 2; i++) {
    const out = level.subarray(0, level.length / 2);
    hashMany('sha256', level, { itemSize: 64, out });
    level = out;
  }
  assert.ok(level.equals(wanted));
});

test('wrong arguments are named; nothing is written', () => {
  const data = mod251(100);
  const out = Buffer.alloc(64, 0xee);
  const cases = [
    [data, {}, /itemSize/],
    [data, { itemSize: 10, offsets: [0, 1] }, /itemSize/],
    [data, { itemSize: 0 }, /itemSize/],
    [data, { itemSize: 33 }, /itemSize/],
    [data, { itemSize: -1 }, /itemSize/],
    [data, { itemSize: 1.5 }, /itemSize/],
    [data, { itemSize: '50' }, /itemSize/],
    [data, { itemSize: 2n ** 63n }, /itemSize/],
    [data, { offsets: [0, 50, 40], out }, /offsets/],
    [data, { offsets: [0, 50, 101], out }, /offsets/],
    [data, { offsets: [-1, 50, 100] }, /offsets/],
    [data, { offsets: Int32Array.of(-1, 50, 100), out }, /offsets/],
    [data, { offsets: BigInt64Array.of(0n, -5n, 3n), out }, /offsets/],
    [data, { offsets: [] }, /offsets/],
    [data, { offsets: new Float64Array(3) }, /offsets/],
    [data, { offsets: new Uint8Array(3) }, /offsets/],
    [data, { offsets: 5 }, /offsets/],
    [data, { offsets: [0, 2n ** 64n] }, /offsets/],
    [data, { itemSize: 50, out: Buffer.alloc(63) }, /out/],
    [data, { itemSize: 50, out: 'x' }, /out/],
    [[data], { itemSize: 5 }, /itemSize/],
    [[data, 5], {}, /items\[1\]/],
    [[null], {}, /items\[0\]/],
    [[, 'a'], {}, /items\[0\]/],
    ['text', { itemSize: 1 }, /items/],
    [null, {}, /items/],
    [{ length: 1, 0: 'a' }, {}, /items/],
    [new ArrayBuffer(4), { itemSize: 1 }, /items/],
    [['a'], { prefix: 5 }, /prefix/],
    [['a'], { threads: -1 }, /threads/],
    [['a'], { threads: 'many' }, /threads/],
    [['a'], { threads: 1.5 }, /threads/],
    [['a'], { threads: null }, /threads/],
    [['a'], { outputEncoding: 'nope' }, /outputEncoding/],
    [['a'], { size: 5 }, /options\.size/],
  ];
  for (const [items, o, text] of cases) {
    assert.throws(
      () => hashMany('sha256', items, o),
      (e) => text.test(e.message) && /^ERR_/.test(e.code),
      JSON.stringify(o, (k, v) => (typeof v === 'bigint' ? `${v}` : v)),
    );
  }
  assert.ok(out.every((x) => x === 0xee));
  // Output over its own input, other than the documented form.
  const m = Buffer.alloc(128, 1);
  const before = Buffer.from(m);
  assert.throws(() => hashMany('sha256', m.subarray(0, 64), { itemSize: 16, out: m }), /^(TypeError|RangeError)/);
  assert.throws(
    () => hashMany('sha256', [m.subarray(0, 64)], { out: m.subarray(32, 64) }),
    (e) => e.code === 'ERR_INVALID_ARG_VALUE',
  );
  assert.ok(m.equals(before));
});

test('the same for promises: rejections, never exceptions thrown', async () => {
  const data = mod251(100);
  for (const [items, o] of [
    [data, {}],
    [data, { offsets: [0, 50, 40] }],
    [data, { offsets: [0, 200] }],
    [data, { offsets: Int32Array.of(-1, 3) }],
    [[5], {}],
    [['a'], { out: Buffer.alloc(32) }],
    [['a'], { signal: 5 }],
  ]) {
    const p = hashManyAsync('sha256', items, o);
    await assert.rejects(p, (e) => /^ERR_/.test(e.code));
  }
});

test('a list whose getters change it', () => {
  const list = ['a', 'b', 'c'];
  Object.defineProperty(list, 0, {
    get() {
      list.length = 2;
      return 'z';
    },
  });
  assert.deepEqual(hashMany('sha256', list, { outputEncoding: 'hex' }), [hash('sha256', 'z'), hash('sha256', 'b')]);
  const boom = ['a', 'b'];
  const error = new Error('mine');
  Object.defineProperty(boom, 1, {
    get() {
      throw error;
    },
  });
  assert.throws(
    () => hashMany('sha256', boom),
    (e) => e === error,
  );
});

test('each option is read once, inherited ones too', () => {
  let reads = 0;
  class Mine {
    get itemSize() {
      reads++;
      return 4;
    }
  }
  assert.equal(hashMany('sha256', Buffer.alloc(8), new Mine()).length, 64);
  assert.equal(reads, 1);
});

test('parts are hashed as one message', async () => {
  const data = mod251(5000);
  for (const [name, o] of KINDS) {
    const wanted = hash(name, data, o);
    const parts = [data.subarray(0, 1), '', data.subarray(1, 1025), Buffer.alloc(0), data.subarray(1025)];
    assert.equal(hash(name, parts, o), wanted);
    assert.equal(await hashcore.hashAsync(name, parts, o), wanted);
  }
  assert.equal(hash('sha256', []), hash('sha256', ''));
  assert.throws(() => hash('sha256', ['a', [1]]), /input\[1\]/);
});
