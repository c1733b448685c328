// vectors.test.mjs - the known answers at every dispatch level of this processor, each in a process of its own.
import test from 'node:test';
import assert from 'node:assert/strict';
import path from 'node:path';
import { hashcore, node, root } from './common.mjs';

const x86 = ['portable', 'sse2', 'sse41', 'avx2', 'avx512'];
const arm = ['portable', 'neon'];
const { detected } = hashcore.cpu();
const ladder = arm.includes(detected.split(',')[0]) && process.arch.startsWith('arm') ? arm : x86;
const top = ladder.indexOf(detected.split(',')[0]);
const levels = [undefined];
ladder.slice(0, top + 1).forEach((level, i) => {
  levels.push(level);
  if (i >= 2 && ladder === x86) levels.push(`${level},no-shani`);
  if (i >= 1 && ladder === arm) levels.push(`${level},no-sha2`);
});
const runner = path.join(root, 'tests', 'node', 'run_vectors.mjs');

for (const level of levels) {
  test(`known answers, HASHCORE_CPU=${level ?? '(unset)'}`, () => {
    const r = node([runner], { env: level === undefined ? {} : { HASHCORE_CPU: level }, timeout: 600000 });
    assert.equal(r.status, 0, r.stderr);
    const { run, skipped, cpu } = JSON.parse(r.stdout);
    assert.ok(run > 10000, `${run} records`);
    if (level !== undefined) assert.equal(cpu.enabled.split(',')[0], level.split(',')[0]);
    else console.log(`tests/vectors: ${run} records run, ${skipped} skipped`);
  });
}

test('levels that the processor lacks, or that do not exist, are refused at load with the value named', () => {
  for (const level of ['warp9', ...ladder.slice(top + 1), ladder === x86 ? 'neon' : 'avx2']) {
    const r = node(['-e', `require(${JSON.stringify(root)})`], { env: { HASHCORE_CPU: level } });
    assert.equal(r.status, 1, level);
    assert.match(r.stderr, /HASHCORE_CPU/);
    assert.match(r.stderr, /ERR_INVALID_ARG_VALUE/);
  }
});
