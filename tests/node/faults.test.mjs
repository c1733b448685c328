// faults.test.mjs - faults that other libraries had, each tried here; large ones are in big.test.mjs.
import test from 'node:test';
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { hashcore, entry, gc, mod251, script } from './common.mjs';

const { createHash, hash, xor, xorInto, xorMask, mask, unmask } = hashcore;

test('a buffer topped up to a chunk boundary gives the one-shot digest, for every length and piece size', () => {
  const data = mod251(4100);
  const empty = Buffer.alloc(0);
  for (const name of ['blake3', 'blake2b', 'sha256']) {
    const wanted = Array.from({ length: data.length + 1 }, (_, n) => hash(name, data.subarray(0, n)));
    assert.equal(createHash(name).update(data.subarray(0, 100)).update(data.subarray(100, 1024)).digest('hex'), wanted[1024]);
    for (const piece of [1, 63, 64, 65, 1023, 1024, 1025]) {
      // Whole pieces in one object, whose copies take what is left of each length.
      const whole = createHash(name).update('');
      for (let n = 0; n <= data.length; n++) {
        const at = n - (n % piece);
        if (n > 0 && n === at) whole.update(data.subarray(n - piece, n)).update(empty);
        assert.equal(whole.copy().update(data.subarray(at, n)).digest('hex'), wanted[n], `${name} ${n} by ${piece}`);
        // The same without copies; by single bytes some lengths only.
        if (piece === 1 && n % 41 !== 0) continue;
        const h = createHash(name);
        for (let i = 0; i < n; i += piece) h.update(data.subarray(i, Math.min(n, i + piece))).update(empty);
        assert.equal(h.digest('hex'), wanted[n], `${name} ${n} by ${piece}, no copy`);
      }
    }
  }
});

test('reset keeps key, salt, person, length and mode', () => {
  const cases = [
    ['blake2b', { key: 'key', salt: 'salt', person: 'person', outputLength: 20 }],
    ['blake3', { key: Buffer.alloc(32, 9) }],
    ['blake3', { deriveKeyContext: 'a context' }],
    ['hmac-sha256', { key: Buffer.alloc(100, 3) }],
  ];
  for (const [name, o] of cases) {
    const h = createHash(name, o).update(mod251(3000));
    h.digest();
    h.reset().update('again');
    assert.equal(h.digest('hex'), createHash(name, o).update('again').digest('hex'));
    assert.notEqual(
      createHash(name, o).update('again').digest('hex'),
      name === 'hmac-sha256' ? '' : createHash(name).update('again').digest('hex'),
    );
  }
});

test('a message passed to digest is refused, not ignored', () => {
  for (const h of [createHash('sha256'), hashcore.createHmac('sha256', 'k'), createHash('blake3')]) {
    assert.throws(() => h.digest(Buffer.from('msg')), TypeError);
    assert.throws(() => h.digest(new Uint16Array(2)), TypeError);
    assert.throws(() => h.digest('msg'), TypeError);
    h.digest();
  }
});

test('XOR: one rule for lengths', () => {
  const dst = Buffer.alloc(10, 0xee);
  assert.throws(() => xorInto(dst, Buffer.alloc(20), Buffer.alloc(20)), {
    name: 'RangeError',
    code: 'ERR_OUT_OF_RANGE',
  });
  assert.ok(dst.every((x) => x === 0xee));
  assert.equal(xorInto(dst, Buffer.from([1, 2, 3]), Buffer.from([1, 1, 1, 1])), 3);
  assert.deepEqual([...dst.subarray(0, 4)], [0, 3, 2, 0xee]);
  for (const [a, b] of [
    ['abc', 'ab'],
    ['', 'x'],
    ['x', ''],
  ]) {
    assert.throws(() => xor(Buffer.from(a), Buffer.from(b)), { code: 'ERR_OUT_OF_RANGE' });
  }
  assert.deepEqual(xor(Buffer.alloc(0), Buffer.alloc(0)), Buffer.alloc(0));
  assert.equal(xorInto(Buffer.alloc(0), Buffer.alloc(0), Buffer.from('x')), 0);
  assert.throws(() => xor(), { code: 'ERR_MISSING_ARGS' });
  assert.throws(() => xorInto(dst), { code: 'ERR_MISSING_ARGS' });
});

test('XOR at every alignment, with guards on both sides', () => {
  const a = crypto.randomBytes(512);
  const b = crypto.randomBytes(512);
  const key = crypto.randomBytes(4);
  const room = Buffer.alloc(512);
  for (let shift = 0; shift < 64; shift++) {
    for (let n = shift & 7; n <= 300; n += 1 + ((n * 7 + shift) % 11)) {
      const x = a.subarray(shift, shift + n);
      const y = b.subarray((shift * 5) % 64, ((shift * 5) % 64) + n);
      const at = 8 + ((shift * 3) % 64);
      room.fill(0xee);
      xorInto(room.subarray(at, at + n), x, y);
      for (let i = 0; i < n; i++) if (room[at + i] !== (x[i] ^ y[i])) assert.fail(`xor ${shift} ${n} ${i}`);
      assert.ok(room.subarray(0, at).every((v) => v === 0xee) && room.subarray(at + n).every((v) => v === 0xee));
      room.fill(0xee);
      mask(x, key, room, at, n);
      for (let i = 0; i < n; i++) if (room[at + i] !== (x[i] ^ key[i & 3])) assert.fail(`mask ${shift} ${n} ${i}`);
      assert.ok(room.subarray(0, at).every((v) => v === 0xee) && room.subarray(at + n).every((v) => v === 0xee));
      unmask(room.subarray(at, at + n), key);
      assert.ok(room.subarray(at, at + n).equals(x));
      xorMask(room.subarray(at), x, y.length ? y.subarray(0, 1 + (n % 13)) : key, shift);
      const m = y.length ? y.subarray(0, 1 + (n % 13)) : key;
      for (let i = 0; i < n; i++)
        if (room[at + i] !== (x[i] ^ m[(i + shift) % m.length])) assert.fail(`xorMask ${shift} ${n} ${i}`);
    }
  }
});

test('mask, unmask and xorMask: ranges are checked, nothing is written', () => {
  const out = Buffer.alloc(300, 0xee);
  const source = Buffer.alloc(200, 1);
  const key = Buffer.from([1, 2, 3, 4]);
  const calls = [];
  for (const n of [10, 100]) {
    calls.push(
      () => mask(source.subarray(0, n), key, out, 0, n + 1),
      () => mask(source, key, out, 300 - n + 1, n),
      () => mask(source, key, out, -1, n),
      () => mask(source, key, out, 1.5, n),
      () => mask(source, key, out, 0, n + 0.5),
      () => mask(source, key.subarray(0, 3), out, 0, n),
      () => mask(source, key, out, 0, -n),
      () => mask(source, [1, 2, 3, 4], out, 0, n),
      () => mask(source, key, [], 0, n),
      () => mask(undefined, key, out, 0, n),
      () => mask(null, key, out, 0, n),
      () => xorMask(out, undefined, key),
      () => mask('x'.repeat(n), key, out, 0, n),
      () => mask(source, key, out, '0', n),
      () => mask(source, key, out, 0, `${n}`),
      () => mask(source, key, out, 301, n),
      () => mask(source, key, out, NaN, n),
      () => mask(source, key, out, 0, 2 ** 53),
      () => xorMask(out.subarray(0, n - 1), source.subarray(0, n), key),
      () => xorMask(out, source.subarray(0, n), Buffer.alloc(0)),
      () => xorMask(out, source.subarray(0, n), key, -1),
      () => xorMask(out, source.subarray(0, n), key, 0.5),
      () => xorMask(out, source.subarray(0, n), key, 2n ** 64n),
      () => xorMask(out, source.subarray(0, n), 'abcd'),
      () => xorMask(out, 'x'.repeat(n), key),
      () => xorMask([], source.subarray(0, n), key),
      () => unmask(out.subarray(0, n), 'abcd'),
      () => unmask(out.subarray(0, n), Buffer.alloc(2)),
      () => unmask('x', key),
      () => unmask(out.buffer, key),
    );
  }
  for (const call of calls)
    assert.throws(call, (e) => /^ERR_(OUT_OF_RANGE|INVALID_ARG_TYPE)/.test(e.code), String(call));
  assert.ok(out.every((x) => x === 0xee));
  mask(Buffer.alloc(0), key, out, 300, 0);
  unmask(Buffer.alloc(0), key);
  assert.equal(xorMask(out, Buffer.alloc(0), key), 0);
  // Other element types are bytes too; a phase beyond 2^32 is exact.
  const words = new Uint16Array([0, 0]);
  assert.equal(xorMask(words, new Uint32Array(1), key, 2n ** 63n + 3n), 4);
  assert.deepEqual([...new Uint8Array(words.buffer)], [4, 1, 2, 3]);
  mask(new Uint16Array(50), key, words, 1, 3);
  assert.deepEqual([...new Uint8Array(words.buffer)], [4, 1, 2, 3]);
});

test('partial overlap is an error and writes nothing, exact overlap is fine', () => {
  const m = mod251(100);
  const before = Buffer.from(m);
  for (const [from, to] of [
    [0, 1],
    [1, 0],
    [0, 49],
    [49, 0],
  ]) {
    assert.throws(() => xorInto(m.subarray(to, to + 50), m.subarray(from, from + 50), Buffer.alloc(50, 1)), {
      code: 'ERR_INVALID_ARG_VALUE',
    });
    assert.throws(
      () => xorInto(m.subarray(to, to + 50), Buffer.alloc(50, 1), m.subarray(from, from + 50), Buffer.alloc(50)),
      { code: 'ERR_INVALID_ARG_VALUE' },
    );
    assert.ok(m.equals(before));
  }
  assert.equal(xorInto(m, m, m), 100);
  assert.ok(m.every((x) => x === 0));
});

test('mask and xorMask: exact in place is fine, any partial overlap is an error and writes nothing, at every length', () => {
  const key = Buffer.from([1, 2, 3, 4]);
  const key5 = Buffer.from([1, 2, 3, 4, 5]);
  const words = mod251(1600);
  const memories = [
    new Uint8Array(1600),
    Buffer.from(new SharedArrayBuffer(1600)),
    Buffer.allocUnsafe(1600), // of the pool
    new Uint8Array(new ArrayBuffer(1616), 8, 1600),
  ];
  for (const m of memories) {
    for (const n of [1, 2, 3, 4, 5, 8, 31, 40, 41, 52, 53, 64, 100, 511, 512, 513, 700]) {
      for (const by of new Set([1, 2, 3, 4, 6, 14, n >> 1, n - 1, n, n + 1])) {
        for (const [from, to] of [[0, by], [by, 0]]) {
          const at = (x) => m.subarray(x, x + n);
          const calls = [
            () => mask(at(from), key, at(to), 0, n),
            () => mask(at(from), key, m, to, n),
            () => xorMask(at(to), at(from), key),
            () => xorMask(m.subarray(to), at(from), key, 3),
            () => xorMask(at(to), at(from), key5),
          ];
          for (const [i, call] of calls.entries()) {
            // All zeros too: overlapping bytes are equal then, as are bytes that do not overlap.
            for (const fill of [() => m.set(words), () => m.fill(0)]) {
              fill();
              const before = Buffer.from(m);
              if (by > 0 && by < n) {
                assert.throws(call, { code: 'ERR_INVALID_ARG_VALUE', message: /overlap/ }, `${n} ${from} ${to} ${i}`);
                assert.ok(before.equals(m), `${n} ${from} ${to} ${i}`);
                continue;
              }
              call();
              const k = [key, key, key, Buffer.from([4, 1, 2, 3]), key5][i];
              assert.ok(at(to).every((x, j) => x === (before[from + j] ^ k[j % k.length])), `${n} ${from} ${to} ${i}`);
            }
          }
        }
      }
    }
  }
});

test('a masking key is four bytes, whatever it is dressed as', () => {
  const two = Object.defineProperty(new Uint8Array([9, 9]), 'length', { value: 4 });
  const feigned = [
    Object.create(Uint8Array.prototype, { length: { value: 4 } }),
    Object.setPrototypeOf([1, 2, 3, 4], Uint8Array.prototype),
    Object.setPrototypeOf(new Uint16Array(1), Uint8Array.prototype), // two bytes
    new Proxy(new Uint8Array(4), {}),
    two,
  ];
  for (const n of [3, 20, 100, 1000]) {
    const out = Buffer.alloc(n, 0xee);
    for (const [i, key] of feigned.entries()) {
      const calls = [() => unmask(out, key), () => mask(Buffer.alloc(n), key, out, 0, n)];
      if (i !== 2 && key !== two) calls.push(() => xorMask(out, Buffer.alloc(n), key)); // which takes two bytes
      for (const call of calls) assert.throws(call, (e) => /^ERR_(INVALID_ARG_TYPE|OUT_OF_RANGE)$/.test(e.code), `${n} ${i} ${call}`);
      assert.ok(out.every((x) => x === 0xee));
    }
    assert.equal(xorMask(out, Buffer.alloc(n), two), n);
    assert.ok(out.every((x) => x === 9));
    // Five bytes that say four: bufferutil's functions take the first four, xorMask all.
    const five = Object.defineProperty(new Uint8Array([1, 2, 3, 4, 5]), 'length', { value: 4 });
    xorMask(out, Buffer.alloc(n), five);
    assert.ok(out.every((x, j) => x === 1 + (j % 5)));
    // Bytes that call themselves something else are bytes.
    const plain = Object.setPrototypeOf(new Uint8Array([1, 2, 3, 4]), null);
    mask(Buffer.alloc(n), plain, out, 0, n);
    assert.ok(out.every((x, j) => x === 1 + (j % 4)));
  }
});

test('loads in the main thread and in workers at once, again after they ended, and several times in one thread', async () => {
  const code = `
    const { parentPort, workerData } = require('worker_threads');
    const h = require(workerData);
    parentPort.postMessage(h.hash('blake3', 'abc') + h.createHash('sha256').update('abc').digest('hex'));
    setInterval(() => h.createHash('blake3').update('x').digest(), 1);`;
  const wanted = hash('blake3', 'abc') + hash('sha256', 'abc');
  const one = async (end) => {
    const w = new Worker(code, { eval: true, workerData: entry });
    const got = await new Promise((resolve, reject) => w.once('message', resolve).once('error', reject));
    assert.equal(got, wanted);
    if (end) await w.terminate();
    return w;
  };
  const live = await Promise.all([one(), one(), one(true), one(true)]);
  await Promise.all(live.slice(0, 2).map((w) => w.terminate()));
  await one(true);
  const r = script(`
    const path = ${JSON.stringify(entry)};
    const first = hashcore.createHash('blake3').update('a');
    for (let i = 0; i < 5; i++) {
      for (const k of Object.keys(require.cache)) if (k.includes('bindings')) delete require.cache[k];
      const again = require(path);
      if (again === hashcore) throw new Error('the same module');
      if (again.hash('blake3', 'abc') !== hashcore.hash('blake3', 'abc')) throw new Error('differs');
      gc();
    }
    console.log(first.update('bc').digest('hex'));`);
  assert.equal(r.stdout.trim(), hash('blake3', 'abc'), r.stderr);
});

test('views of detached or shrunk memory are errors, never empty messages or crashes', () => {
  const key = Buffer.alloc(32);
  const kinds = {
    detached: (View) => {
      const ab = new ArrayBuffer(64);
      const v = new View(ab, 8, 2);
      structuredClone(ab, { transfer: [ab] });
      return v;
    },
    shrunk: (View) => {
      const ab = new ArrayBuffer(64, { maxByteLength: 128 });
      const v = new View(ab, 8, 2);
      ab.resize(4);
      return v;
    },
    'shrunk, tracking': (View) => {
      const ab = new ArrayBuffer(64, { maxByteLength: 128 });
      const v = new View(ab, 8);
      ab.resize(4);
      return v;
    },
  };
  const resizable = 'resize' in ArrayBuffer.prototype;
  for (const [kind, make] of Object.entries(kinds)) {
    if (kind !== 'detached' && !resizable) continue;
    for (const View of [Uint8Array, Uint16Array, Float64Array, DataView]) {
      const v = make(View);
      const calls = [
        () => createHash('sha256').update(v),
        () => hash('sha256', v),
        () => hash('sha256', v, 'buffer'),
        () => hash('sha256', ['a', v]),
        () => createHash('blake2b', { key: v }),
        () => hashcore.createHmac('sha256', v),
        () => xor(v, v),
        () => xorInto(Buffer.alloc(4), v, v),
        () => xorMask(v, v, key),
        () => xorMask(Buffer.alloc(4), Buffer.alloc(4), v),
        () => unmask(v, key),
        () => unmask(Buffer.alloc(100), v),
        () => mask(v, key, Buffer.alloc(9), 0, 0),
        () => hashcore.hashMany('sha256', [v]),
        () => hashcore.hashMany('sha256', v, { itemSize: 1 }),
        () => hashcore.digestInto('sha256', 'x', v),
        () => hashcore.tree.subtree(v),
        () => hashcore.bao.encode(v),
        () => hashcore.bao.decode(v, key),
        () => hashcore.importState('sha256', v),
        () => hashcore.equal(v, v),
        () => createHash('blake3').reader().readInto(v),
        () => createHash('blake3').exportState(v),
        () => createHash('blake3', { threads: v }),
      ];
      for (const call of calls)
        assert.throws(call, (e) => /ERR_(INVALID_ARG_VALUE|OUT_OF_RANGE)/.test(e.code), `${kind} ${View.name} ${call}`);
    }
  }
  if (resizable) {
    const ab = new ArrayBuffer(64, { maxByteLength: 128 });
    const tracking = new Uint8Array(ab);
    ab.resize(3);
    assert.equal(hash('sha256', tracking), hash('sha256', Buffer.alloc(3)));
  }
});

test('getters that detach what was read before them', () => {
  const make = () => {
    const ab = new ArrayBuffer(1 << 20);
    const v = new Uint8Array(ab);
    const trap = () => {
      structuredClone(ab, { transfer: [ab] });
      gc();
      return Buffer.alloc(8);
    };
    return [v, trap];
  };
  const tries = [
    (v, trap) => hash('sha256', Object.defineProperty([v, 0], 1, { get: trap, enumerable: true })),
    (v, trap) => hashcore.hashMany('sha256', Object.defineProperty([v, 0], 1, { get: trap, enumerable: true })),
    (v, trap) =>
      hashcore.hashMany('sha256', v, {
        itemSize: 1024,
        get prefix() {
          return trap();
        },
      }),
    (v, trap) =>
      hash('blake2b', 'x', {
        key: v.subarray(0, 20),
        get salt() {
          return trap();
        },
      }),
    (v, trap) =>
      createHash('blake2b', {
        key: v.subarray(0, 20),
        get salt() {
          return trap();
        },
      }),
    (v, trap) => hashcore.digestInto('sha256', Object.defineProperty([0], 0, { get: trap, enumerable: true }), v),
    (v, trap) =>
      hashcore.hashMany('sha256', ['x'], {
        out: v.subarray(0, 32),
        get threads() {
          trap();
          return 1;
        },
      }),
  ];
  for (const f of tries) {
    const [v, trap] = make();
    try {
      f(v, trap);
    } catch (e) {
      assert.match(e.code, /^ERR_/, String(f));
    }
  }
  const cvs = [mod251(32), mod251(32, 7)];
  const [first] = make();
  first.set(cvs[0]);
  const list = Object.defineProperty([first.subarray(0, 32), 0], 1, {
    get() {
      structuredClone(first.buffer, { transfer: [first.buffer] });
      return cvs[1];
    },
  });
  assert.deepEqual(hashcore.tree.root(list), hashcore.tree.root(cvs));
  const v = new Uint8Array(100);
  Object.defineProperty(v, 'length', { value: 1e9 });
  Object.defineProperty(v, 'byteLength', { value: 1e9 });
  Object.defineProperty(v, 'buffer', {
    get() {
      throw new Error('asked');
    },
  });
  assert.equal(hash('sha256', v), hash('sha256', Buffer.alloc(100)));
  assert.throws(
    () =>
      hash('sha256', {
        get length() {
          throw new Error('asked');
        },
      }),
    { code: 'ERR_INVALID_ARG_TYPE' },
  );
  const error = new Error('mine');
  assert.throws(
    () =>
      hash('blake3', 'x', {
        get seek() {
          throw error;
        },
      }),
    (e) => e === error,
  );
});
