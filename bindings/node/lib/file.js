'use strict';
// file.js - files, read once for any number of algorithms by the core on worker threads.
const fs = require('fs');
const util = require('util');
const native = require('../native');
const { argType, argValue, outOfRange, u64, threads, options: checked, outputEncoding, U64_MAX } = require('./check');
const { required, parse, digestLength, OPTIONS } = require('./algorithm');
const { acquire, discard } = require('./state');
const { inTurn, onAbort, unlessAborted, signalOf, abortError, checkAbort } = require('./async');
const { encode } = require('./hash');

const FILE = new Set([...OPTIONS, 'threads', 'signal', 'onProgress', 'start', 'end', 'outputEncoding', 'seek']);
// Progress is told after each piece.
const PIECE = 64n << 20n;
// On Linux the addon waits for a FIFO that nobody writes to, in steps; elsewhere the system does, as it opens it. Deno knows
// no such flags.
const waits = process.platform === 'linux' && native.copied === undefined && globalThis.Deno === undefined;
const READ = waits ? fs.constants.O_RDONLY | fs.constants.O_NONBLOCK : 'r';

// What stops each job that runs: a byte that the addon's reader looks at while it waits. A process that ends would wait too.
const running = new Set();
const stopAll = () => running.forEach((stop) => stop.fill(1));
function enter(stop) {
  if (running.size === 0) process.on('exit', stopAll);
  running.add(stop);
}
function leave(stop) {
  running.delete(stop);
  if (running.size === 0) process.off('exit', stopAll);
}

async function open(path, signal) {
  const opening = fs.promises.open(path, READ).catch((error) => {
    if (error.code !== 'EAGAIN') throw error;
    return fs.promises.open(path, 'r'); // another has a lease on it, and must be waited for
  });
  try {
    return await unlessAborted(opening, signal);
  } catch (error) {
    opening.then((handle) => handle.close()).catch(() => {}); // what opens too late
    throw error;
  }
}

// The system's error as fs words it.
function systemError(error, path) {
  if (error.code !== 'ERR_SYSTEM_ERROR' || typeof error.errno !== 'number') return error;
  error.code = util.getSystemErrorName(error.errno);
  error.syscall = 'read';
  if (path !== undefined) error.path = path;
  return error;
}

async function read(places, fd, start, length, o, total, threadCount, signal, stop, keep) {
  const guard = (promise) => unlessAborted(promise, signal);
  const flat = places.flatMap((p) => [p.slab, p.slot]);
  let done = 0n;
  for (;;) {
    checkAbort(signal);
    const piece = length - done < PIECE ? length - done : PIECE;
    if (piece === 0n) break;
    const at = start === undefined ? U64_MAX : start + done;
    const n = BigInt(await native.updateFile(flat, fd, at, piece, threadCount, keep, stop, guard));
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
  const rows = names.map((name) => required(name));
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
  let fd = file?.fd;
  let path;
  if (typeof file === 'number') {
    if (!Number.isInteger(file) || file < 0 || file > 0x7fffffff)
      throw outOfRange('file', '>= 0 && <= 2147483647', file);
    fd = file;
  } else if (typeof file === 'string' || ArrayBuffer.isView(file) || file instanceof URL) {
    path = file;
  } else if (typeof fd === 'number') {
    if (fd < 0) throw argValue('file', file, 'is a closed FileHandle');
  } else {
    throw argType('file', 'of type string or number or an instance of Buffer, URL, or FileHandle', file);
  }
  return inTurn(async () => {
    const places = rows.map(acquire);
    const stop = new Uint8Array(new ArrayBuffer(1));
    const forget = onAbort(signal, () => stop.fill(1));
    // A FileHandle too: collected, it would be closed under the reader.
    const keep = [stop, file, ...places.map((p) => p.slab)];
    enter(stop);
    try {
      rows.forEach((row, i) => native.init(places[i].slab, places[i].slot, row.id, givens[i]));
      if (path !== undefined) {
        handle = await open(path, signal);
        fd = handle.fd;
      }
      let known;
      if (o.onProgress !== undefined) known = expected(fs.fstatSync(fd), start, end);
      const length = end === U64_MAX - 1n ? U64_MAX : end - (start ?? 0n) + 1n;
      await read(places, fd, start, length, o, () => known, threadCount, signal, stop, keep);
      rows.forEach((row, i) => native.finalInto(places[i].slab, places[i].slot, outs[i], seek));
    } catch (error) {
      if (error.code === 'ABORT_ERR' && signal?.aborted) throw abortError(signal);
      throw systemError(error, path === undefined ? undefined : String(path));
    } finally {
      forget();
      leave(stop);
      places.forEach(discard);
      // A read of Node's own that was given up has the descriptor until it ends.
      if (keep.reading !== undefined) keep.reading.catch(() => {}).then(() => handle?.close()).catch(() => {});
      else if (handle !== undefined) await handle.close();
    }
    const texts = outs.map((out) => encode(out, encoding));
    return several ? texts : texts[0];
  }, signal);
}

// How many bytes a regular file will give; undefined for all else.
function expected(stat, start, end) {
  if (!stat.isFile() || stat.size === 0) return undefined;
  const last = BigInt(stat.size) < end + 1n ? BigInt(stat.size) : end + 1n;
  const n = Number(last - (start ?? 0n));
  return n > 0 ? n : 0;
}

module.exports = { hashFile };
