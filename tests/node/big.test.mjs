// big.test.mjs - counters past 2^29, 2^31 and 2^32 bytes: buffers, streams and files of zeros.
import test from 'node:test';
import assert from 'node:assert/strict';
import buffer from 'node:buffer';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hashcore, temporary } from './common.mjs';

// Length; SHA-256, BLAKE2b-512 and BLAKE3 of that many zero bytes.
const ZEROS = new Map([
  [
    536870911,
    [
      'bf7f45d9df691bd277948d7f124b87a9f76e16ddb5d8fb25a49df939798f0a01',
      '7d64169e002fbc44e2c7c4e58c0ce2333d739688330bd517b31cdd5c1361acd132684626e7665430b2ab48c96effe86c4894ecd7a7be1870795413313119b910',
      '015d33e79ac18266e17c384d61292339629de35327253ce83093228d586edabb',
    ],
  ],
  [
    536870912,
    [
      '9acca8e8c22201155389f65abbf6bc9723edc7384ead80503839f49dcc56d767',
      'f141c9b6ee471c889b1047ca4d7a8c3a287e323ba60e5b0d886a84d808928dadf9ce5a2043d71a7c6bc96905238ced7e4cacc86d9e7a467edcb064aa046665c8',
      '34f2f34bcc048af98242e010b4a661348276a784d9f9f99fcff70bf94fe8b9ba',
    ],
  ],
  [
    536870913,
    [
      '7c40fe5ce847740d0f0d0cdde3949d6585804cdec3ae61a15b923165699c8137',
      '8c6cb3d95b743e7eaf3820920eabff49b2afd0e0356ac256ca1004de21c4ffd43886ee0b6ef92c0f3467412d90c0ba412386efa9aef062a4c3c44b63ecddf95f',
      '33e017ed2cc4450d3dc1ed4a9ef471e6760973c45ec985b7ccc40ed301701daa',
    ],
  ],
  [
    2147483649,
    [
      'b8030a8ab89280935633d8d991da3d9907c0f12e8b6fc3bfc515f4d440872b6e',
      '9c1580aeee90b5c47f55415f8fd27cb4a79be40d76c29886ebf118a29c74f9769e7ebfec722ea6a10caf0ab302276b776d2759fb26e707f67285f76c27c83b36',
      '2668c9ff2413284150cce5338fa4be63f7876c960a63efa84379f50a56271a3b',
    ],
  ],
  [
    4294967296,
    [
      '8479e43911dc45e89f934fe48d01297e16f51d17aa561d4d1c216b1ae0fcddca',
      '645572ca5756f9104329ed543735fc11904f0c18c4df8adf930f22d07f3094919a519ff34fd240ae3f5d5b4c8042225c109fb951036fdc99e7d2cd0c1d36b267',
      '7dde7c9fed144013fedbe2b0bbf2d82f004b60b589485851cdec29b27be408d7',
    ],
  ],
  [
    4294967297,
    [
      'fbb82f7b353676bb562eb82157fcf0ea42c36492ca13ee56dbf82c08b6802c5c',
      'daaeb85783e53019eaded4ab665a2923adc72f57b7cb3ae163adc966f070f8034222f5e9c9862b103c4c5ed38d5c10970c2fbc64d64b760a2be402af445afb59',
      '1c5383e3e425b8b27d54e1b6bf91bb3320b8ba1496f7483f87b5f4490a542794',
    ],
  ],
]);
// 5 * 2^30 zero bytes: SHA-256, BLAKE2b-512.
const FIVE = [
  '7f06c62352aebd8125b2a1841e2b9e1ffcbed602f381c3dcb3200200e383d1d5',
  '12bca8ed46df6516bd78da33efa1137479a5a9027755458dc1d186f77306849fdeaf2af8ef129040b659376c7bd134b39c1c7d2c45abd0b7068a80de7f5dbf69',
];
const NAMES = ['sha256', 'blake2b', 'blake3'];
const enough = os.totalmem() > 6 * 2 ** 30;
const plenty = os.freemem() > 12 * 2 ** 30; // for memory that is written

test('streams over 2^32 bits', () => {
  const zeros = Buffer.alloc(1 << 20);
  const states = NAMES.map((name) => hashcore.createHash(name));
  for (let i = 0; i < 511; i++) for (const h of states) h.update(zeros);
  for (const h of states) h.update(zeros.subarray(1));
  for (const n of [2 ** 29 - 1, 2 ** 29, 2 ** 29 + 1]) {
    assert.deepEqual(
      states.map((h) => h.copy().digest('hex')),
      ZEROS.get(n),
    );
    for (const h of states) h.update(zeros.subarray(0, 1));
  }
});

test('one batch with a message over 2^32 bits among short ones', { skip: !enough && 'little memory' }, () => {
  const huge = Buffer.alloc(2 ** 29 + 1);
  NAMES.forEach((name, i) => {
    const got = hashcore.hashMany(name, ['a', huge, Buffer.alloc(0)], { outputEncoding: 'hex' });
    assert.deepEqual(got, [hashcore.hash(name, 'a'), ZEROS.get(2 ** 29 + 1)[i], hashcore.hash(name, '')]);
  });
});

test(
  'one buffer over 2^31 bytes, sync and async; over 2^32 where Node has them',
  { skip: !enough && 'little memory' },
  async () => {
    const b = Buffer.alloc(2 ** 31 + 1); // the system's zero page: costs no memory
    const [sha, , b3] = ZEROS.get(2 ** 31 + 1);
    assert.equal(hashcore.hash('sha256', b), sha);
    assert.equal(await hashcore.hashAsync('blake3', b, { threads: 2 }), b3);
    const n = buffer.constants.MAX_LENGTH > 2 ** 32 ? 2 ** 32 + 1 : 2 ** 32;
    if (buffer.constants.MAX_LENGTH < n) return;
    assert.equal(hashcore.hash('blake3', Buffer.alloc(n), { threads: 2 }), ZEROS.get(n)[2]);
  },
);

// Elements of eight bytes go beyond 2^32 bytes in every Node; a Buffer does not.
const n = 2 ** 32 + 64;
function wide() {
  try {
    return new Float64Array(n / 8);
  } catch {
    return undefined; // too large here
  }
}
const bytesOf = (view, at, length) => Buffer.from(view.buffer, at, length);

test('one view over 2^32 bytes: digests, batches, comparison', { skip: !enough && 'little memory' }, async (t) => {
  const zeros = wide();
  if (zeros === undefined) return t.skip('no such views');
  // Its first 2^32 + 1 bytes, and its all.
  const known = new DataView(zeros.buffer, 0, 2 ** 32 + 1);
  const [sha, , b3] = ZEROS.get(2 ** 32 + 1);
  const list = { offsets: [0, 2 ** 32 + 1, n, n], outputEncoding: 'hex' };
  const batch = hashcore.hashMany('blake3', zeros, list);
  assert.deepEqual(batch, [b3, hashcore.hash('blake3', Buffer.alloc(63)), hashcore.hash('blake3', '')]);
  assert.equal(hashcore.hash('sha256', known), sha);
  const h = hashcore.createHash('blake3').update(known);
  assert.equal(h.copy().digest('hex'), b3);
  const all = h.update(Buffer.alloc(63)).digest('hex');
  assert.equal(hashcore.hash('blake3', zeros, { threads: 2 }), all);
  assert.equal(await hashcore.hashAsync('blake3', zeros), all);
  assert.equal(hashcore.equal(zeros, zeros), true);
  // The last bytes count.
  const target = bytesOf(zeros, 2 ** 32, 64);
  assert.equal(hashcore.digestInto('sha256', 'abc', zeros, 2 ** 32 + 3), 32);
  assert.equal(target.toString('hex', 3, 35), hashcore.hash('sha256', 'abc'));
  const tail = hashcore.hashMany('blake3', zeros, { offsets: [2 ** 32 + 3, 2 ** 32 + 35], outputEncoding: 'hex' });
  assert.deepEqual(tail, [hashcore.hash('blake3', hashcore.hash('sha256', 'abc', 'buffer'))]);
  return undefined;
});

test('masks and XOR over 2^32 bytes', { skip: !plenty && 'little free memory' }, (t) => {
  const a = wide();
  if (a === undefined) return t.skip('no such views');
  const key = Buffer.from([1, 2, 3, 4, 5]);
  const at = (x) => [...bytesOf(a, x, 6)];
  // Short ones beyond 2^32: nothing before is touched.
  hashcore.mask(Buffer.alloc(10), key.subarray(0, 4), a, 2 ** 32 + 3, 10);
  assert.deepEqual(at(2 ** 32 + 1), [0, 0, 1, 2, 3, 4]);
  assert.deepEqual(at(2 ** 32 + 10), [4, 1, 2, 0, 0, 0]);
  assert.deepEqual(at(0), [0, 0, 0, 0, 0, 0]);
  hashcore.mask(Buffer.alloc(10), key.subarray(0, 4), a, 2 ** 32 + 3, 10);
  bytesOf(a, 2 ** 32 + 3, 10).fill(0);
  // All of it.
  hashcore.unmask(a, key.subarray(0, 4));
  for (const x of [0, 2 ** 31, 2 ** 32 - 4, 2 ** 32, n - 8]) assert.deepEqual(at(x), [1, 2, 3, 4, 1, 2], String(x));
  assert.equal(hashcore.xorMask(a, a, key.subarray(0, 4), 2n ** 63n), n);
  assert.equal(hashcore.xorMask(a, a, key, 2), n);
  for (const x of [0, 2 ** 31, 2 ** 32 - 3, n - 6]) {
    assert.deepEqual(at(x), [0, 1, 2, 3, 4, 5].map((i) => key[(x + i + 2) % 5]), String(x));
  }
  assert.throws(() => hashcore.xorMask(a.subarray(1), a.subarray(0, -1), key), { message: /overlap/ });
  if (n > buffer.constants.MAX_LENGTH) {
    assert.throws(() => hashcore.xorMask(a, new DataView(a.buffer), key), { code: 'ERR_OUT_OF_RANGE', message: /DataView/ });
  }
  assert.equal(hashcore.xorInto(a, a, a), n);
  for (const x of [0, 2 ** 32 - 3, n - 6]) assert.deepEqual(at(x), [0, 0, 0, 0, 0, 0]);
  return undefined;
});

test('a sparse file of 5 GiB, read once for two algorithms', async () => {
  const name = path.join(temporary(), 'zeros');
  fs.closeSync(fs.openSync(name, 'w'));
  fs.truncateSync(name, 5 * 2 ** 30);
  assert.deepEqual(await hashcore.hashFile(['sha256', 'blake2b'], name), FIVE);
  fs.truncateSync(name, 2 ** 32 + 1);
  assert.equal(await hashcore.hashFile('blake3', name, { threads: 2 }), ZEROS.get(2 ** 32 + 1)[2]);
});
