// usage.mts - what compiles against index.d.ts, and (below @ts-expect-error) what must not; as an ES module.
import hashcore, {
  bao,
  createHash,
  createHmac,
  cpu,
  hash,
  hashAsync,
  hashFile,
  hashMany,
  hashManyAsync,
  Hash,
  importState,
  mask,
  tree,
  xor,
  xorInto,
  xorMask,
} from 'hashcore';
import { webcrypto } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createReadStream } from 'node:fs';

const h: Hash = createHash('blake3', { outputLength: 64, key: new Uint8Array(32), highWaterMark: 1024 });
const b: Buffer = h.update('a').update(new Float64Array(2)).update('00', 'hex').copy().digest();
const s: string = h.reset().digest('hex');
const part: string = createHash('blake3').digest({ outputEncoding: 'base64url', length: 10, seek: 5n });
const raw: Buffer = createHash('blake2b', { salt: 's', person: 'p', lastNode: true, nodeOffset: 5n }).digest({
  length: 64,
});
createHmac('sha256', await webcrypto.subtle.importKey('raw', new Uint8Array(4), { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']));
const n: number = createHmac('sha256', 'key').digestInto(new Uint8Array(40), 8);
const one: string = hash('sha256', 'abc');
const two: Buffer = hash('sha256', ['a', b], 'buffer');
const three: Buffer = hash('blake3', 'a', { outputEncoding: 'buffer', outputLength: 100, threads: 'auto' });
const four: Promise<string> = hashAsync('blake3', b, { signal: AbortSignal.timeout(1000) });
const five: Buffer = hashMany('sha256', ['a', b]);
const six: string[] = hashMany('sha256', b, { itemSize: 64, outputEncoding: 'hex' });
const seven: Uint8Array = hashMany('sha256', b, { offsets: [0, 5n], out: new Uint8Array(32) });
const eight: Promise<Buffer> = hashManyAsync('blake3', [one], { prefix: 'x' });
const nine: string = await hashFile('blake3', 'file', {
  threads: 2,
  onProgress: (done, total) => total === undefined || done / total,
});
const ten: Buffer[] = await hashFile(['blake3', 'sha256'], await open('file'), {
  outputEncoding: 'buffer',
  start: 5n,
  end: 9,
});
await pipeline(createReadStream('file'), bao.createDecoder(b, { group: 4 }), createHash('sha256'));
const { root, encoded } = bao.encode(b, { outboard: true });
const decoded: Buffer = bao.decode(b, root.toString('hex'), { outboard: encoded });
const reader = h.reader();
reader.position = 5;
const at: bigint = reader.position;
const value: Buffer = tree.root([tree.subtree(b), tree.subtree(b, { firstChunk: 1 })], { length: 64 });
const x: Buffer = xor(b, b, b);
const y: number = xorInto(b, b, x) + xorMask(b, b, x, 5n);
mask(b, x, b, 0, 4);
const k: string | undefined = cpu().kernels['blake3.many'];
const again: Hash = importState('sha256', createHash('sha256').exportState('go'));
const same: typeof hash = hashcore.hash;

// @ts-expect-error an ArrayBuffer is no view
createHash('sha256').update(new ArrayBuffer(4));
// @ts-expect-error a number is no message
hash('sha256', 5);
// @ts-expect-error no such option
createHash('sha256', { bogus: 1 });
// @ts-expect-error no such option
hashMany('sha256', ['a'], { itemsize: 5 });
// @ts-expect-error not constructible
new Hash('sha256');
// @ts-expect-error needs a source
xor();
// @ts-expect-error gives text
const wrong: Buffer = hash('sha256', 'a', 'hex');

export {
  s,
  part,
  raw,
  n,
  two,
  three,
  four,
  five,
  six,
  seven,
  eight,
  nine,
  ten,
  decoded,
  at,
  value,
  y,
  k,
  again,
  same,
  wrong,
};
