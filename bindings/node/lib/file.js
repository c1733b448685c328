'use strict';
// file.js - files, read once for any number of algorithms by the core on worker threads.
const fs = require('fs');
const util = require('util');
const native = require('../native');
const { argType, argValue, outOfRange, u64, threads, options: checked, outputEncoding, U64_MAX } = require('./check');
const { required, parse, digestLength, OPTIONS } = require('./algorithm');
const { acquire, discard } = require('./state');
const { inTurn, signalOf, checkAbort } = require('./async');
const { encode } = require('./hash');

const FILE = new Set([...OPTIONS, 'threads', 'signal', 'onProgress', 'start', 'end', 'outputEncoding', 'seek']);
// Progress is told and the signal looked at after each piece.
const PIECE = 64n << 20n;

// The system's error as fs words it.
function systemError(error, path) {
  if (error.code !== 'ERR_SYSTEM_ERROR' || typeof error.errno !== 'number') return error;
  error.code = util.getSystemErrorName(error.errno);
  error.syscall = 'read';
  if (path !== undefined) error.path = path;
  return error;
}

async function read(places, fd, path, start, length, o, total, threadCount, signal) {
  const keep = places.map((p) => p.slab);
  const flat = places.flatMap((p) => [p.slab, p.slot]);
  let done = 0n;
  for (;;) {
    checkAbort(signal);
    const piece = length - done < PIECE ? length - done : PIECE;
    if (piece === 0n) break;
    const at = start === undefined ? U64_MAX : start + done;
    const n = BigInt(await native.updateFile(flat, fd, at, piece, threadCount, keep));
    done += n;
    if (o.onProgress !== undefined) o.onProgress(Number(done), total());
    if (n < piece) break;
  }
  checkAbort(signal);
}

async function hashFile(algorithms, file, options) {
  const several = Array.isArray(algorithms);
  const names = several ? [...algorithms] : [algorithms];
  if (names.length === 0) throw argValue('algorithm', names, 'names no algorithm');
  const rows = names.map(required);
  const o = typeof options === 'string' ? { outputEncoding: options } : checked(options, FILE);
  const encoding = outputEncoding(o.outputEncoding ?? 'hex');
  const start = o.start === undefined ? undefined : u64(o.start, 'options.start', U64_MAX - 1n);
  const end = o.end === undefined || o.end === Infinity ? U64_MAX - 1n : u64(o.end, 'options.end', U64_MAX - 1n);
  if (start !== undefined && start > end) throw outOfRange('options.start', `<= "end" (here: ${end})`, start);
  if (o.onProgress !== undefined && typeof o.onProgress !== 'function') {
    throw argType('options.onProgress', 'of type function', o.onProgress);
  }
  const threadCount = threads(o.threads);
  const signal = signalOf(o);
  const outs = rows.map((row) => Buffer.allocUnsafe(digestLength(row, o)));
  const seek = o.seek === undefined ? undefined : u64(o.seek, 'options.seek');
  const givens = rows.map((row) => parse(row, o));
  let handle;
  let fd;
  let path;
  if (typeof file === 'number') {
    if (!Number.isInteger(file) || file < 0 || file > 0x7fffffff)
      throw outOfRange('file', '>= 0 && <= 2147483647', file);
    fd = file;
  } else if (typeof file === 'string' || ArrayBuffer.isView(file) || file instanceof URL) {
    path = file;
  } else if (typeof file?.fd === 'number') {
    if (file.fd < 0) throw argValue('file', file, 'is a closed FileHandle');
    fd = file.fd;
  } else {
    throw argType('file', 'of type string or number or an instance of Buffer, URL, or FileHandle', file);
  }
  return inTurn(async () => {
    const places = rows.map(acquire);
    try {
      rows.forEach((row, i) => native.init(places[i].slab, places[i].slot, row.id, givens[i]));
      if (path !== undefined) {
        handle = await fs.promises.open(path, 'r');
        fd = handle.fd;
      }
      let known;
      if (o.onProgress !== undefined) known = expected(fs.fstatSync(fd), start, end);
      const length = end === U64_MAX - 1n ? U64_MAX : end - (start ?? 0n) + 1n;
      await read(places, fd, path, start, length, o, () => known, threadCount, signal);
      // Held until here, so that a FileHandle is not collected, and so closed, under the reader.
      if (typeof file === 'object') void file.fd;
      rows.forEach((row, i) => native.finalInto(places[i].slab, places[i].slot, outs[i], seek));
    } catch (error) {
      throw systemError(error, path === undefined ? undefined : String(path));
    } finally {
      places.forEach(discard);
      if (handle !== undefined) await handle.close();
    }
    const texts = outs.map((out) => encode(out, encoding));
    return several ? texts : texts[0];
  });
}

// How many bytes a regular file will give; undefined for all else.
function expected(stat, start, end) {
  if (!stat.isFile() || stat.size === 0) return undefined;
  const last = BigInt(stat.size) < end + 1n ? BigInt(stat.size) : end + 1n;
  const n = Number(last - (start ?? 0n));
  return n > 0 ? n : 0;
}

module.exports = { hashFile };
