// bench_loop.mjs - how long the event loop is held up while 1 GiB is hashed by promises, buffer and file.
//
//   node bench/node/bench_loop.mjs [options of a harness: see harness.mjs]
//
// A sample is the longest delay in one hash, in nanoseconds, by perf_hooks' monitorEventLoopDelay at a resolution of 1 ms, which
// counts that millisecond too.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { cpu, hashAsync, hashFile, version } from 'hashcore';
import { runAll } from './harness.mjs';

const size = 2 ** 30;
const ROUNDS = 5;
const data = Buffer.alloc(size);
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hashcore-'));
const file = path.join(dir, 'zeros');
fs.closeSync(fs.openSync(file, 'w'));
fs.truncateSync(file, size);

async function longest(work) {
  const samples = [];
  let digest;
  for (let i = 0; i < ROUNDS; i++) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    digest = await work();
    delay.disable();
    samples.push(delay.max);
  }
  return { digests: [digest], samples: [samples] };
}
const tests = ['blake3', 'sha256', 'blake2b'].flatMap((algorithm) =>
  [
    ['hashAsync', 1, () => hashAsync(algorithm, data)],
    ['hashAsync', 2, () => hashAsync(algorithm, data, { threads: 2 })],
    ['hashFile', 1, () => hashFile(algorithm, file, { outputEncoding: 'hex' })],
  ].map(([operation, threads, work]) => ({
    algorithm, operation: `event loop's delay, ${operation}`, size, count: 1, threads, alignment: 0, slot: '',
    rows: [['hashcore']],
    measure: () => longest(work),
  })),
);
try {
  await runAll(tests, { version, cpu: cpu() });
} finally {
  fs.rmSync(dir, { recursive: true });
}
