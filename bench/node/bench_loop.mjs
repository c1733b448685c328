// bench_loop.mjs - how long the event loop is held up while 1 GiB is hashed by promises, buffer and file.
//
//   node bench/node/bench_loop.mjs [--mib N] [--json FILE]
//
// Delays are those of perf_hooks' monitorEventLoopDelay at a resolution of 1 ms, which counts that millisecond too. FILE is
// one document: {schema, runtime, cpu, results: [{algorithm, operation, size, threads, bytes_per_second, delay_ms: {...}}]}.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { cpu, hashAsync, hashFile } from 'hashcore';

const { values: options } = parseArgs({
  options: { mib: { type: 'string', default: '1024' }, json: { type: 'string' } },
});
const size = Number(options.mib) * 2 ** 20;
const data = Buffer.alloc(size);
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hashcore-'));
const file = path.join(dir, 'zeros');
fs.closeSync(fs.openSync(file, 'w'));
fs.truncateSync(file, size);
const results = [];
try {
  for (const algorithm of ['blake3', 'sha256', 'blake2b']) {
    for (const [operation, threads, work] of [
      ['hashAsync', 1, () => hashAsync(algorithm, data)],
      ['hashAsync', 2, () => hashAsync(algorithm, data, { threads: 2 })],
      ['hashFile', 1, () => hashFile(algorithm, file)],
    ]) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const start = performance.now();
      await work();
      const seconds = (performance.now() - start) / 1000;
      delay.disable();
      const ms = (ns) => +(ns / 1e6).toFixed(2);
      const delay_ms = { median: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) };
      results.push({ algorithm, operation, size, threads, bytes_per_second: Math.round(size / seconds), delay_ms });
      console.log(
        `${algorithm} ${operation}, ${threads} thread${threads > 1 ? 's' : ''}: ${(size / seconds / 1e9).toFixed(2)} GB/s; ` +
          `event loop delay median ${delay_ms.median} ms, 99 % ${delay_ms.p99} ms, most ${delay_ms.max} ms`,
      );
    }
  }
} finally {
  fs.rmSync(dir, { recursive: true });
}
if (options.json) {
  const document = { schema: 'event-loop-1', runtime: `Node ${process.version}`, cpu: cpu().enabled, results };
  fs.writeFileSync(options.json, `${JSON.stringify(document, null, 1)}\n`);
}
