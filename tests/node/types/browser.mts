// browser.mts - what the browser's types must take, and what they must refuse; compiled only.
import hashcore, { bao, createHash, hash, hashAsync, hashMany, mask, OutputReader, tree } from './browser.mjs';

const bytes = new Uint8Array(3);
const text: string = hash('sha256', 'abc');
const plain: Uint8Array = hash('blake3', bytes, 'buffer');
const digest: Uint8Array = createHash('blake2b', { key: 'k', outputLength: 20 }).update(bytes).update('x', 'utf8').digest();
const encoded: string = createHash('sha256').update('x').digest('base64url');
const promise: Promise<string> = hashAsync('blake3', [bytes, 'x'], 'hex');
const list: string[] = hashMany('sha256', [bytes], { outputEncoding: 'hex' });
const piped: ReadableStream<Uint8Array> = new Blob(['x']).stream().pipeThrough(createHash('sha256'));
const decoder = bao.createDecoder(text, { group: 4 });
const data: ReadableStream = new Blob(['x']).stream().pipeThrough(decoder);
const reader: OutputReader = createHash('blake3').reader();
const long: ReadableStream<Uint8Array> = reader.createReadStream({ end: 5n });
const root: Uint8Array = tree.root([plain, digest], { key: bytes });
mask(bytes, bytes, bytes, 0, 3);
const same: typeof hash = hashcore.hash;

// @ts-expect-error there are no files
hashcore.hashFile('sha256', 'name');
// @ts-expect-error nor here
bao.encodeFile('a', 'b');
// @ts-expect-error a number is no message
hash('sha256', 5);
// @ts-expect-error no such option
createHash('sha256', { saltt: 'x' });

export { text, plain, digest, encoded, promise, list, piped, data, long, root, same };
