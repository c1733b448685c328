// wasm.test.mjs - the WebAssembly module that stands in where no addon fits passes the addon's own tests.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { hashcore, node, root, temporary } from './common.mjs';

const dir = temporary();
const module = path.join(dir, 'hashcore.wasm');
const built = spawnSync(process.execPath, [path.join(root, 'bindings', 'node', 'scripts', 'build_wasm.cjs'), module], {
  encoding: 'utf8',
});
const skip = built.status !== 0 && `not built: ${built.stderr.trim().slice(0, 200)}`;
const env = { HASHCORE_WASM: module };

test('a build without the compiler says so and leaves nothing', () => {
  const out = path.join(dir, 'none.wasm');
  const r = node([path.join(root, 'bindings', 'node', 'scripts', 'build_wasm.cjs'), out], {
    env: { WASM_CC: path.join(dir, 'absent') },
  });
  assert.equal(r.status, 1);
  assert.match(r.stderr, /no none\.wasm/);
  assert.ok(!fs.existsSync(out));
});

test('known answers', { skip }, () => {
  for (const level of [undefined, 'portable']) {
    const more = level === undefined ? {} : { HASHCORE_CPU: level, HASHCORE_TEST_EVERY: '31' };
    const r = node([path.join(root, 'tests', 'node', 'run_vectors.mjs')], {
      env: { ...env, HASHCORE_TEST_EVERY: '9', ...more },
      timeout: 900000,
    });
    assert.equal(r.status, 0, r.stderr);
    const { run, cpu } = JSON.parse(r.stdout);
    assert.ok(run > 400);
    assert.equal(cpu.enabled, level ?? 'simd128');
  }
});

for (const name of ['contract', 'many', 'trees', 'async']) {
  test(`the addon's tests: ${name}`, { skip }, () => {
    const r = node([path.join(root, 'tests', 'node', `${name}.test.mjs`)], { env, timeout: 900000 });
    assert.equal(r.status, 0, r.stdout.slice(-4000));
    assert.ok(Number(/^\S+ pass (\d+)$/m.exec(r.stdout)[1]) >= 8, r.stdout.slice(-400));
  });
}

test('it is loaded when no addon is there', { skip }, () => {
  const copy = path.join(dir, 'copy');
  const builtFolder = path.join(root, 'bindings', 'node', 'build');
  fs.cpSync(path.join(root, 'bindings', 'node'), path.join(copy, 'bindings', 'node'), {
    recursive: true,
    filter: (p) => !p.startsWith(builtFolder),
  });
  fs.mkdirSync(path.join(copy, 'prebuilds'));
  fs.copyFileSync(module, path.join(copy, 'prebuilds', 'hashcore.wasm'));
  const r = node([
    '-p',
    `const h = require(${JSON.stringify(path.join(copy, 'bindings', 'node', 'index.js'))}); h.cpu().detected + h.hash('blake3', 'abc')`,
  ]);
  assert.equal(r.stdout.trim(), `simd128${hashcore.hash('blake3', 'abc')}`, r.stderr);
});
