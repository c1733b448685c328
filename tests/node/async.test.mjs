// async.test.mjs - promises that cannot crash: memory that goes away, aborts, exits, crowds; files and their oddities.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { getEventListeners } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { hashcore, entry, gc, mod251, script, temporary } from './common.mjs';

const { hash, hashAsync, hashManyAsync, hashFile } = hashcore;
const dir = temporary();
const file = (name, data) => {
  const p = path.join(dir, name);
  fs.writeFileSync(p, data);
  return p;
};

test('hashAsync equals hash for every length around its pieces, encoding and option', async () => {
  for (const n of [0, 1, 1000, (4 << 20) - 1, 4 << 20, (4 << 20) + 1, 9 << 20]) {
    const data = mod251(n);
    for (const name of ['sha256', 'blake2b', 'blake3']) {
      assert.equal(await hashAsync(name, data), hash(name, data), `${name} ${n}`);
      assert.equal(await hashAsync(name, data, { threads: 2 }), hash(name, data));
    }
  }
  assert.deepEqual(
    await hashAsync('blake3', 'grüße', { outputEncoding: 'buffer', outputLength: 99, seek: 7n, key: Buffer.alloc(32) }),
    hash('blake3', 'grüße', { outputEncoding: 'buffer', outputLength: 99, seek: 7n, key: Buffer.alloc(32) }),
  );
  assert.equal(await hashAsync('sha256', 'abc', 'base64'), hash('sha256', 'abc', 'base64'));
  for (const f of [
    () => hashAsync('nope', 'x'),
    () => hashAsync('sha256', 5),
    () => hashAsync('sha256', 'x', { threads: -1 }),
    () => hashAsync('sha256', new ArrayBuffer(4)),
    () => hashAsync('sha256', 'x', { bogus: 1 }),
    () => hashAsync('blake3', 'x', { key: 'short' }),
  ]) {
    await assert.rejects(f(), (e) => /^ERR_/.test(e.code));
  }
});

test('the event loop ticks during a large promise hash', async () => {
  const data = Buffer.alloc(64 << 20, 1);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await hashAsync('blake2b', data);
  clearInterval(timer);
  assert.ok(ticks > 3, `${ticks} ticks`);
});

test('input detached, shrunk or changed during the work', async () => {
  const n = 24 << 20;
  const gone = new ArrayBuffer(n);
  const p = hashAsync('blake2b', new Uint8Array(gone));
  structuredClone(gone, { transfer: [gone] });
  gc();
  await assert.rejects(p, { code: 'ERR_INVALID_ARG_VALUE', message: /detached/ });
  if ('resize' in ArrayBuffer.prototype) {
    const small = new ArrayBuffer(n, { maxByteLength: n });
    const q = hashAsync('blake2b', new Uint8Array(small));
    small.resize(0);
    await assert.rejects(q, { code: 'ERR_INVALID_ARG_VALUE' });
  }
  const changing = Buffer.alloc(n);
  const r = hashAsync('sha256', changing);
  changing.fill(1);
  assert.match(await r, /^[0-9a-f]{64}$/);
  const shared = new Uint8Array(new SharedArrayBuffer(n));
  const s = hashAsync('blake3', shared);
  shared.fill(9);
  assert.match(await s, /^[0-9a-f]{64}$/);
  assert.equal(hash('blake3', shared), await hashAsync('blake3', shared));
});

test('buffers that nobody holds any more are hashed whole while the collector runs', async () => {
  const wanted = hash('blake3', Buffer.alloc(16 << 20, 3));
  const jobs = [];
  for (let i = 0; i < 20; i++) {
    jobs.push(hashAsync('blake3', Buffer.alloc(16 << 20, 3)));
    gc();
  }
  const until = Promise.all(jobs);
  for (let i = 0; i < 10; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  for (const got of await until) assert.equal(got, wanted);
});

test('a thousand jobs at once', async () => {
  const data = mod251(3000);
  const jobs = [];
  for (let i = 0; i < 1000; i++) {
    const piece = data.subarray(i);
    jobs.push(
      i % 3 === 0
        ? hashManyAsync('blake3', [piece, 'x']).then((b) => b.toString('hex', 0, 32))
        : hashAsync('blake3', piece),
    );
  }
  (await Promise.all(jobs)).forEach((got, i) => assert.equal(got, hash('blake3', data.subarray(i))));
});

test('abort: before, during and after', async () => {
  const data = Buffer.alloc(32 << 20);
  const reason = new Error('enough');
  for (const f of [
    (signal) => hashAsync('blake2b', data, { signal }),
    (signal) => hashManyAsync('blake2b', data, { itemSize: 1 << 20, signal }),
    (signal) => hashFile('blake2b', entry, { signal }),
  ]) {
    await assert.rejects(
      f(AbortSignal.abort(reason)),
      (e) => e.name === 'AbortError' && e.code === 'ABORT_ERR' && e.cause === reason,
    );
  }
  const c = new AbortController();
  const p = hashAsync('blake2b', data, { signal: c.signal });
  setTimeout(() => c.abort(), 1);
  await assert.rejects(p, { name: 'AbortError' });
  const late = new AbortController();
  assert.equal(await hashAsync('sha256', 'abc', { signal: late.signal }), hash('sha256', 'abc'));
  late.abort();
});

test('exit, an uncaught error, and the end of a worker with jobs in flight', async () => {
  const start = `
    const data = Buffer.alloc(64 << 20);
    for (let i = 0; i < 8; i++) {
      hashcore.hashAsync('blake2b', data).catch(() => {});
      hashcore.hashFile('blake2b', process.execPath).catch(() => {});
    }`;
  let r = script(`${start} setTimeout(() => process.exit(7), 5);`);
  assert.equal(r.status, 7, r.stderr);
  assert.equal(r.signal, null);
  r = script(`${start} setTimeout(() => { throw new Error('boom'); }, 5);`);
  assert.equal(r.status, 1);
  assert.equal(r.signal, null);
  r = script(`
    const { Worker } = require('worker_threads');
    let left = 12;
    for (let i = 0; i < 12; i++) {
      const w = new Worker(\`const hashcore = require(require('worker_threads').workerData); ${start}
        require('worker_threads').parentPort.postMessage(1);\`, { eval: true, workerData: ${JSON.stringify(entry)} });
      w.once('message', () => setTimeout(() => w.terminate().then(() => { if (--left === 0) console.log('ended'); }), i));
    }`);
  assert.equal(r.stdout.trim(), 'ended', r.stderr);
  assert.equal(r.status, 0);
});

test('files: whole, ranges, several algorithms, paths, handles, descriptors, positions', async () => {
  const data = mod251(3_000_001);
  const name = file('data', data);
  const all = ['sha256', 'blake3', 'blake2b', 'sha224'];
  for (const threads of [undefined, 1, 2, 'auto']) {
    assert.deepEqual(
      await hashFile(all, name, { threads }),
      all.map((a) => hash(a, data)),
    );
  }
  for (const p of [Buffer.from(name), pathToFileURL(name)])
    assert.equal(await hashFile('blake3', p), hash('blake3', data));
  assert.deepEqual(await hashFile('sha256', name, { outputEncoding: 'buffer' }), hash('sha256', data, 'buffer'));
  assert.equal(await hashFile('sha256', name, 'base64'), hash('sha256', data, 'base64'));
  assert.equal(
    await hashFile('blake3', name, { key: Buffer.alloc(32, 1), outputLength: 50, seek: 3 }),
    hash('blake3', data, { key: Buffer.alloc(32, 1), outputLength: 50, seek: 3 }),
  );
  for (const [start, end] of [
    [0, 0],
    [5, undefined],
    [undefined, 9],
    [1000, 2999],
    [1024n, 2_000_000n],
    [2_999_999, 9_999_999],
    [3_000_001, undefined],
    [4_000_000, Infinity],
  ]) {
    const wanted = data.subarray(Number(start ?? 0), end === undefined ? undefined : Number(end) + 1);
    for (const threads of [1, 2])
      assert.equal(await hashFile('blake3', name, { start, end, threads }), hash('blake3', wanted), `${start} ${end}`);
  }
  const handle = await fs.promises.open(name);
  await handle.read(Buffer.alloc(10), 0, 10, null);
  assert.equal(await hashFile('sha256', handle, { end: 99 }), hash('sha256', data.subarray(10, 110)));
  assert.equal((await handle.read(Buffer.alloc(1), 0, 1, null)).buffer[0], 110);
  assert.equal(await hashFile('sha256', handle), hash('sha256', data.subarray(111)));
  assert.equal(await hashFile('sha256', handle, { start: 0 }), hash('sha256', data));
  await handle.close();
  await assert.rejects(hashFile('sha256', handle), { code: 'ERR_INVALID_ARG_VALUE' });
  const fd = fs.openSync(name);
  assert.equal(await hashFile('sha256', fd), hash('sha256', data));
  assert.equal(await hashFile('sha256', fd), hash('sha256', ''));
  fs.closeSync(fd);
  await assert.rejects(hashFile('sha256', fd), { code: 'EBADF' });
  assert.equal(await hashFile('sha256', file('empty', '')), hash('sha256', ''));
});

test('files: progress, and an exception in it', async () => {
  const name = path.join(dir, 'sparse');
  fs.closeSync(fs.openSync(name, 'w'));
  fs.truncateSync(name, 200 << 20);
  const seen = [];
  await hashFile('blake3', name, { onProgress: (done, total) => seen.push([done, total]) });
  assert.ok(seen.length >= 3);
  assert.deepEqual(seen.at(-1), [200 << 20, 200 << 20]);
  seen.forEach(([done], i) => assert.ok(i === 0 || done >= seen[i - 1][0]));
  const error = new Error('stop');
  await assert.rejects(
    hashFile('blake3', name, {
      onProgress: () => {
        throw error;
      },
    }),
    (e) => e === error,
  );
  const c = new AbortController();
  await assert.rejects(hashFile('blake3', name, { signal: c.signal, onProgress: () => c.abort() }), {
    name: 'AbortError',
  });
});

test('files: what is none, and odd ones', async (t) => {
  await assert.rejects(hashFile('sha256', path.join(dir, 'absent')), {
    code: 'ENOENT',
    syscall: 'open',
    path: path.join(dir, 'absent'),
  });
  await assert.rejects(hashFile('sha256', dir), { code: 'EISDIR' });
  for (const [f, o] of [
    [5.5],
    [-1],
    [null],
    [{}],
    [undefined],
    [true],
    [file('x', 'x'), { start: 5, end: 4 }],
    [file('x', 'x'), { start: -1 }],
    [file('x', 'x'), { end: 'y' }],
    [file('x', 'x'), { onProgress: 5 }],
    [file('x', 'x'), { threads: 1.5 }],
    [file('x', 'x'), { signal: {} }],
    ['a\0b'],
  ]) {
    await assert.rejects(hashFile('sha256', f, o), (e) => /^ERR_/.test(e.code), String(f));
  }
  await assert.rejects(hashFile([], entry), { code: 'ERR_INVALID_ARG_VALUE' });
  await assert.rejects(hashFile(['sha256', 'nope'], entry), /Digest method not supported/);
  if (process.platform === 'win32') return t.skip('no devices or FIFOs here');
  assert.equal(await hashFile('sha256', '/dev/null'), hash('sha256', ''));
  if (fs.existsSync('/proc/version'))
    assert.equal(await hashFile('sha256', '/proc/version'), hash('sha256', fs.readFileSync('/proc/version')));
  const fifo = path.join(dir, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const data = mod251(700_000);
  const writer = spawn('sh', ['-c', `cat ${JSON.stringify(file('fed', data))} > ${JSON.stringify(fifo)}`]);
  const fed = new Promise((resolve) => writer.once('exit', resolve));
  assert.deepEqual(await hashFile(['blake3', 'sha256'], fifo, { threads: 2 }), [
    hash('blake3', data),
    hash('sha256', data),
  ]);
  await fed;
  return undefined;
});

// Descriptors of this process that name the file.
const openOf = (name) =>
  fs.readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`) === name;
    } catch {
      return false;
    }
  }).length;
const until = async (f) => {
  for (let i = 0; i < 500 && !f(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(f());
};
let pipes = 0;
function pipe() {
  const name = path.join(dir, `pipe${pipes++}`);
  execFileSync('mkfifo', [name]);
  return name;
}
// Wine shows /proc of the system below.
const noPipes = { skip: (process.platform === 'win32' || !fs.existsSync('/proc/self/fd')) && 'no FIFOs, or no list of descriptors' };
const aborted = (reason) => (e) => e.name === 'AbortError' && e.code === 'ABORT_ERR' && e.cause === reason;

test('abort of a file that gives nothing: before a writer, before a byte, after some; by path and by descriptor', noPipes, async (t) => {
  const opened = []; // held: the collector would close what was forgotten
  const { open } = fs.promises;
  fs.promises.open = async (...args) => {
    const handle = await open(...args);
    opened.push(handle);
    return handle;
  };
  t.after(() => (fs.promises.open = open));
  for (const threads of [1, 2]) {
    for (const writer of ['none', 'silent', 'some']) {
      for (const own of [true, false]) {
        const name = pipe();
        if (writer === 'none' && !own) continue; // a descriptor waits for a writer as it is opened
        const give = writer === 'none' ? undefined : fs.openSync(name, fs.constants.O_RDWR);
        const take = own ? undefined : fs.openSync(name, 'r');
        if (writer === 'some') fs.writeSync(give, mod251(1000));
        const before = openOf(name);
        const c = new AbortController();
        const job = hashFile(['sha256', 'blake3'], take ?? name, { threads, signal: c.signal });
        setTimeout(() => c.abort(name), 40);
        const started = Date.now();
        await assert.rejects(job, aborted(name), `${writer} ${own} ${threads}`);
        assert.ok(Date.now() - started < 2000, 'it rejects soon');
        assert.equal(c.signal.aborted, true);
        if (give !== undefined) fs.writeSync(give, 'x'); // wakes what still reads: Node's own read, with WebAssembly
        else fs.closeSync(fs.openSync(name, fs.constants.O_RDWR));
        await new Promise((resolve) => setTimeout(resolve, 30)); // what opens too late has opened then
        await until(() => openOf(name) === before);
        for (const fd of [give, take]) if (fd !== undefined) fs.closeSync(fd);
      }
    }
  }
});

test('a pipe whose writer comes late, and pauses, is hashed whole with a signal and without', noPipes, async () => {
  const data = mod251(300_000);
  for (const signal of [undefined, new AbortController().signal]) {
    const name = pipe();
    const job = hashFile('blake3', name, { signal });
    await new Promise((resolve) => setTimeout(resolve, 120));
    const give = await fs.promises.open(name, 'w');
    for (let at = 0; at < data.length; at += 50_000) { // less than a pipe holds: Deno waits for a write in its main thread
      await give.write(data, at, 50_000);
      await new Promise((resolve) => setTimeout(resolve, 70));
    }
    await give.close();
    assert.equal(await job, hash('blake3', data));
    assert.equal(openOf(name), 0);
    // A writer that says nothing at all.
    const none = hashFile('blake3', name, { signal });
    await (await fs.promises.open(name, 'w')).close();
    assert.equal(await none, hash('blake3', ''));
  }
});

test('abort of jobs that wait for their turn, and the turn of those behind them', noPipes, async () => {
  const name = pipe();
  const give = fs.openSync(name, fs.constants.O_RDWR);
  const takes = [1, 2, 3, 4].map(() => fs.openSync(name, 'r'));
  const c = new AbortController();
  const late = new AbortController();
  const busy = takes.map((fd) => hashFile('sha256', fd, { signal: c.signal }));
  const queued = [
    hashAsync('sha256', 'x', { signal: late.signal }),
    hashManyAsync('sha256', ['x'], { signal: late.signal, key: undefined }),
    hashFile('sha256', entry, { signal: late.signal }),
  ];
  const behind = hashAsync('sha256', 'behind');
  late.abort('late');
  await Promise.all(queued.map((job) => assert.rejects(job, aborted('late'))));
  c.abort('busy');
  await Promise.all(busy.map((job) => assert.rejects(job, aborted('busy'))));
  assert.equal(await behind, hash('sha256', 'behind'));
  fs.closeSync(give); // what still reads comes to the end
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const fd of takes) fs.closeSync(fd);
});

test('a hundred jobs with one signal: no warning, and no listener is left', { skip: Boolean(globalThis.Bun ?? globalThis.Deno) && 'not Node' }, async () => {
  const warnings = [];
  const warned = (w) => warnings.push(String(w));
  process.on('warning', warned);
  const c = new AbortController();
  const { signal } = c;
  const exits = process.listenerCount('exit');
  const jobs = [];
  for (let i = 0; i < 100; i++) jobs.push(hashFile('sha256', entry, { signal }), hashAsync('sha256', 'x', { signal }));
  await Promise.all(jobs);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  assert.equal(process.listenerCount('exit'), exits);
  const more = [1, 2, 3, 4, 5, 6].map(() => hashFile('sha256', entry, { signal }));
  c.abort('all');
  await Promise.all(more.map((job) => assert.rejects(job, aborted('all'))));
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', warned);
  assert.deepEqual(warnings, []);
});

test('a process exits while it waits for a pipe', { skip: noPipes.skip || (process.env.HASHCORE_WASM !== undefined && "Node's own reads") }, () => {
  const name = pipe();
  const r = script(
    `const fd = require('fs').openSync(${JSON.stringify(name)}, require('fs').constants.O_RDWR);
    for (let i = 0; i < 6; i++) hashcore.hashFile('sha256', ${JSON.stringify(name)}).catch(() => {});
    setTimeout(() => process.exit(7), 100);`,
    { timeout: 20000 },
  );
  assert.equal(r.status, 7, r.stderr);
});

test('abort within a large file, and many at once', async () => {
  const name = path.join(dir, 'large');
  fs.closeSync(fs.openSync(name, 'w'));
  fs.truncateSync(name, 1 << 30);
  for (const threads of [1, 2]) {
    const c = new AbortController();
    const jobs = ['sha256', 'blake3', 'blake2b'].map((a) => hashFile(a, name, { signal: c.signal, threads }));
    setTimeout(() => c.abort('enough'), 5);
    await Promise.all(jobs.map((job) => assert.rejects(job, aborted('enough'))));
  }
  if (noPipes.skip) return;
  await until(() => openOf(name) === 0);
});

test('a file that is cut while it is read: an error or the digest of what was there', async () => {
  const name = path.join(dir, 'cut');
  fs.closeSync(fs.openSync(name, 'w'));
  fs.truncateSync(name, 1 << 30);
  const p = hashFile('sha256', name).catch((e) => e.code);
  setTimeout(() => fs.truncateSync(name, 0), 20);
  assert.ok(typeof (await p) === 'string');
});
