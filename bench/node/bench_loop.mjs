// bench_loop.mjs - how long the event loop is held up while 1 GiB is hashed by promises, buffer and file.
//
//   node bench/node/bench_loop.mjs [MiB]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { hashAsync, hashFile } from 'hashcore';

const size = Number(process.argv[2] ?? 1024) << 20;
const data = Buffer.alloc(size);
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hashcore-'));
const file = path.join(dir, 'zeros');
fs.closeSync(fs.openSync(file, 'w'));
fs.truncateSync(file, size);
try {
  for (const name of ['blake3', 'sha256', 'blake2b']) {
    for (const [what, work] of [
      ['hashAsync', () => hashAsync(name, data)],
      ['hashAsync, 2 threads', () => hashAsync(name, data, { threads: 2 })],
      ['hashFile', () => hashFile(name, file)],
    ]) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const start = performance.now();
      await work();
      const seconds = (performance.now() - start) / 1000;
      delay.disable();
      const ms = (ns) => (ns / 1e6).toFixed(1);
      console.log(
        `${name} ${what}: ${(size / seconds / 1e9).toFixed(2)} GB/s; event loop delay median ${ms(delay.percentile(50))} ms, ` +
          `99 % ${ms(delay.percentile(99))} ms, most ${ms(delay.max)} ms`,
      );
    }
  }
} finally {
  fs.rmSync(dir, { recursive: true });
}
