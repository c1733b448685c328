// index.d.ts - types of hashcore for Node; docs/node.md explains.
import { BinaryToTextEncoding, KeyObject, webcrypto } from 'crypto';
import { FileHandle } from 'fs/promises';
import { Readable, Transform, TransformOptions } from 'stream';

/** Bytes: any view, also over a SharedArrayBuffer. A string stands for its UTF-8 bytes where it is allowed. */
export type Bytes = NodeJS.ArrayBufferView;
export type Data = string | Bytes;
/** A whole number from 0; a BigInt up to 2 ** 64 - 1. */
export type Integer = number | bigint;
/** 0 or 1: the calling (or one worker) thread alone. 'auto': by size. The result never depends on it. */
export type Threads = number | 'auto';
export type OutputEncoding = BinaryToTextEncoding | BufferEncoding | 'buffer';

export type HashName =
  'sha224' | 'sha256' | 'blake2b' | 'blake2xb' | 'blake3' | 'hmac-sha224' | 'hmac-sha256' | (string & {});

/** Parameters of an algorithm; which ones it takes, docs/node.md says. Unknown ones are errors. */
export interface AlgorithmOptions {
  /** Bytes of output. BLAKE2b 1..64, BLAKE2Xb 1..2 ** 32 - 2 or Infinity (not known in advance), BLAKE3 any. */
  outputLength?: Integer;
  /** BLAKE2b and BLAKE2Xb 0..64 bytes, BLAKE3 32, HMAC any. */
  key?: Data;
  /** BLAKE2b: at most 16 bytes. */
  salt?: Data;
  /** BLAKE2b: at most 16 bytes. */
  person?: Data;
  /** BLAKE3's key derivation. */
  deriveKeyContext?: Data;
  /** BLAKE2b's tree parameters: 0..255, 1..255, 32 bits, 64 bits, 0..255, 0..64. */
  fanout?: Integer;
  depth?: Integer;
  leafSize?: Integer;
  nodeOffset?: Integer;
  nodeDepth?: Integer;
  innerSize?: Integer;
  lastNode?: boolean | Integer;
}

export interface SeekOptions {
  /** Offset in the output (BLAKE3, BLAKE2Xb). */
  seek?: Integer;
}
export interface ThreadOptions {
  threads?: Threads;
}
export interface AbortOptions {
  signal?: AbortSignal;
}

export interface DigestOptions extends SeekOptions {
  outputEncoding?: OutputEncoding;
  length?: Integer;
  outputLength?: Integer;
}
export interface HashOptions extends AlgorithmOptions, SeekOptions, ThreadOptions {
  /** 'hex' when absent. */
  outputEncoding?: OutputEncoding;
}
type Text = { outputEncoding?: Exclude<OutputEncoding, 'buffer'> };
type Binary = { outputEncoding: 'buffer' };

export class Hash extends Transform {
  protected constructor();
  readonly algorithm: string;
  readonly blockSize: number;
  /** Bytes of digest(); Infinity for BLAKE2Xb of unknown length. */
  readonly outputLength: number;
  update(data: Bytes): this;
  update(data: string, inputEncoding?: BufferEncoding): this;
  update(data: Data, inputEncoding?: BufferEncoding): this;
  /** Ends the hash until reset(). */
  digest(): Buffer;
  digest(encoding: 'buffer'): Buffer;
  digest(encoding: Exclude<OutputEncoding, 'buffer'>): string;
  digest(options: DigestOptions & { outputEncoding: Exclude<OutputEncoding, 'buffer'> }): string;
  digest(options: DigestOptions & { outputEncoding?: 'buffer' }): Buffer;
  /** Writes the digest at target's byte `offset`; gives the bytes written. */
  digestInto(target: Bytes, offset?: Integer, options?: Omit<DigestOptions, 'outputEncoding'>): number;
  copy(options?: TransformOptions & { outputLength?: Integer }): this;
  /** Back to the beginning; key and parameters are kept. */
  reset(): this;
  /** The output so far as something to read at any offset (BLAKE3, BLAKE2Xb). */
  reader(): OutputReader;
  /** 'go': the layout of Go's MarshalBinary (SHA-224, SHA-256, unkeyed BLAKE2b). A keyed state's image holds its key. */
  exportState(format?: 'native' | 'go'): Buffer;
}
export class Hmac extends Hash {
  protected constructor();
}

export class OutputReader {
  private constructor();
  readonly length: bigint;
  get position(): bigint;
  set position(value: Integer);
  /** Fewer bytes at the end, none after it. Without a position it reads at, and moves, the reader's own. */
  read(length: Integer, position?: Integer, options?: ThreadOptions): Buffer;
  readInto(target: Bytes, position?: Integer, options?: ThreadOptions): number;
  /** `end` is inclusive, as in fs. */
  createReadStream(
    options?: { start?: Integer; end?: Integer; highWaterMark?: number; encoding?: BufferEncoding } & AbortOptions,
  ): Readable;
}

export function createHash(algorithm: HashName, options?: AlgorithmOptions & TransformOptions): Hash;
export function createHmac(
  algorithm: HashName,
  key: Data | ArrayBuffer | SharedArrayBuffer | KeyObject | webcrypto.CryptoKey,
  options?: TransformOptions & { encoding?: BufferEncoding },
): Hmac;
/** Names that createHash takes without a key. */
export function getHashes(): string[];
/** A hash that goes on from what exportState() gave. */
export function importState(
  algorithm: HashName,
  image: Bytes,
  options?: TransformOptions & { outputLength?: Integer },
): Hash;

/** Digest of a message, or of the concatenation of several parts of one. */
export function hash(algorithm: HashName, input: Data | readonly Data[], encoding: 'buffer'): Buffer;
export function hash(
  algorithm: HashName,
  input: Data | readonly Data[],
  encoding?: Exclude<OutputEncoding, 'buffer'>,
): string;
export function hash(algorithm: HashName, input: Data | readonly Data[], options: HashOptions & Binary): Buffer;
export function hash(algorithm: HashName, input: Data | readonly Data[], options: HashOptions & Text): string;
/** Gives the bytes written. */
export function digestInto(
  algorithm: HashName,
  data: Data | readonly Data[],
  target: Bytes,
  offset?: Integer,
  options?: Omit<HashOptions, 'outputEncoding'>,
): number;
/** The same on a worker thread. The data should stay as it is until then; when it goes away, the promise is rejected. */
export function hashAsync(algorithm: HashName, data: Data | readonly Data[], encoding: 'buffer'): Promise<Buffer>;
export function hashAsync(
  algorithm: HashName,
  data: Data | readonly Data[],
  encoding?: Exclude<OutputEncoding, 'buffer'>,
): Promise<string>;
export function hashAsync(
  algorithm: HashName,
  data: Data | readonly Data[],
  options: HashOptions & AbortOptions & Binary,
): Promise<Buffer>;
export function hashAsync(
  algorithm: HashName,
  data: Data | readonly Data[],
  options: HashOptions & AbortOptions & Text,
): Promise<string>;

export interface ManyOptions extends AlgorithmOptions, ThreadOptions {
  /** One buffer of consecutive messages of this many bytes. */
  itemSize?: Integer;
  /** One buffer; message i is items[offsets[i]..offsets[i + 1]]. */
  offsets?: readonly Integer[] | Uint32Array | Int32Array | BigUint64Array | BigInt64Array;
  /** Goes before every message. */
  prefix?: Data;
}
/** Digests of many messages, back to back and in order; separate ones with an outputEncoding. */
export function hashMany<T extends Bytes>(
  algorithm: HashName,
  items: readonly Data[] | Bytes,
  options: ManyOptions & { out: T; outputEncoding?: undefined },
): T;
export function hashMany(
  algorithm: HashName,
  items: readonly Data[] | Bytes,
  options: ManyOptions & { outputEncoding: 'buffer'; out?: Bytes },
): Buffer[];
export function hashMany(
  algorithm: HashName,
  items: readonly Data[] | Bytes,
  options: ManyOptions & { outputEncoding: Exclude<OutputEncoding, 'buffer'>; out?: Bytes },
): string[];
export function hashMany(algorithm: HashName, items: readonly Data[] | Bytes, options?: ManyOptions): Buffer;
export function hashManyAsync(
  algorithm: HashName,
  items: readonly Data[] | Bytes,
  options: ManyOptions & AbortOptions & { outputEncoding: 'buffer' },
): Promise<Buffer[]>;
export function hashManyAsync(
  algorithm: HashName,
  items: readonly Data[] | Bytes,
  options: ManyOptions & AbortOptions & { outputEncoding: Exclude<OutputEncoding, 'buffer'> },
): Promise<string[]>;
export function hashManyAsync(
  algorithm: HashName,
  items: readonly Data[] | Bytes,
  options?: ManyOptions & AbortOptions,
): Promise<Buffer>;

export interface FileOptions extends HashOptions, AbortOptions {
  /** First byte, and last byte inclusive. A path is read from its start, a handle or descriptor from its position. */
  start?: Integer;
  end?: Integer;
  /** `total` is undefined where it is not known. What it throws cancels. */
  onProgress?: (done: number, total: number | undefined) => void;
}
type File = string | Buffer | URL | FileHandle | number;
export function hashFile(algorithm: HashName, file: File, options: FileOptions & Binary): Promise<Buffer>;
export function hashFile(
  algorithm: HashName,
  file: File,
  options?: (FileOptions & Text) | Exclude<OutputEncoding, 'buffer'>,
): Promise<string>;
export function hashFile(algorithms: readonly HashName[], file: File, options: FileOptions & Binary): Promise<Buffer[]>;
export function hashFile(
  algorithms: readonly HashName[],
  file: File,
  options?: (FileOptions & Text) | Exclude<OutputEncoding, 'buffer'>,
): Promise<string[]>;

/** A new Buffer; all sources have one length. */
export function xor(...sources: [Bytes, ...Bytes[]]): Buffer;
/** Least source length, which is how many bytes of dst are written. dst is a source, or touches none. */
export function xorInto(dst: Bytes, ...sources: [Bytes, ...Bytes[]]): number;
/** dst = src ^ repeated key, which begins at phase offset % key.length; gives src's length. dst is src, or touches it nowhere. */
export function xorMask(dst: Bytes, src: Bytes, key: Bytes, offset?: Integer): number;
/** bufferutil's two functions, for WebSocket frames. What is written is the source itself, or touches it nowhere. */
export function mask(source: Bytes, mask: Bytes, output: Bytes, offset: number, length: number): void;
export function unmask(buffer: Bytes, mask: Bytes): void;
/** In time that depends on the lengths only. */
export function equal(a: Bytes, b: Bytes): boolean;

export interface Blake3Mode {
  key?: Data;
  deriveKeyContext?: Data;
}
/** BLAKE3 subtrees: pieces hashed apart and merged. Values are 32 bytes, chunks 1,024. */
export const tree: {
  subtree(data: Data, options?: Blake3Mode & ThreadOptions & { firstChunk?: Integer }): Buffer;
  parent(left: Bytes, right: Bytes, options?: Blake3Mode): Buffer;
  root(
    values: Bytes | readonly Bytes[],
    options?: Blake3Mode & SeekOptions & { length?: Integer; outputLength?: Integer },
  ): Buffer;
  subtreeMax(firstChunk: Integer): bigint;
  leftLength(length: Integer): bigint;
};

/** Chunks a leaf: 2 ** group, 0 to 10. */
export interface BaoGroup {
  group?: Integer;
}
/** Bao verified streaming. Roots are BLAKE3 digests: 32 bytes, or 64 hexadecimal digits. */
export const bao: {
  encodedSize(dataLength: Integer, options?: BaoGroup & { outboard?: boolean }): bigint;
  encode(data: Data, options?: BaoGroup & Blake3Mode & { outboard?: boolean }): { root: Buffer; encoded: Buffer };
  /** With `outboard`, `encoded` is the data itself. */
  decode(encoded: Bytes, root: Data, options?: BaoGroup & Blake3Mode & { outboard?: Bytes }): Buffer;
  slice(encoded: Bytes, start: Integer, length: Integer, options?: BaoGroup & { outboard?: Bytes }): Buffer;
  decodeSlice(slice: Bytes, root: Data, start: Integer, length: Integer, options?: BaoGroup & Blake3Mode): Buffer;
  createDecoder(
    root: Data,
    options?: BaoGroup &
      Blake3Mode &
      AbortOptions & { outboard?: Bytes; start?: Integer; length?: Integer; highWaterMark?: number },
  ): Transform;
  encodeFile(
    source: string | Buffer | URL,
    target: string | Buffer | URL,
    options?: BaoGroup & Blake3Mode & { outboard?: boolean },
  ): Promise<Buffer>;
  decodeFile(
    source: string | Buffer | URL,
    target: string | Buffer | URL,
    root: Data,
    options?: BaoGroup & Blake3Mode & { outboard?: string | Buffer | URL },
  ): Promise<void>;
};

/** What the processor has, what is in use (HASHCORE_CPU lowers it), and the kernel of each slot. */
export function cpu(): { detected: string; enabled: string; kernels: Record<string, string> };
export const version: string;
