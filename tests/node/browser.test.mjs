// browser.test.mjs - the browser's entry, in a Node that has lost what browsers lack; `scripts/check browser` is the real one.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { has, hashcore, node, require, root, temporary } from './common.mjs';

const dir = temporary();
const scripts = path.join(root, 'bindings', 'node', 'scripts');
const build = (name, ...args) => spawnSync(process.execPath, [path.join(scripts, name), ...args], { encoding: 'utf8' });
const wasm = build('build_wasm.cjs', path.join(dir, 'hashcore.wasm'));
const bundle = wasm.status === 0 ? build('build_browser.cjs', dir) : wasm;
const skip = bundle.status !== 0 && `not built: ${bundle.stderr.trim().slice(0, 200)}`;
const entry = path.join(dir, 'browser.mjs');

test('what cannot be built is named, and nothing is left', () => {
  const empty = path.join(dir, 'empty');
  fs.mkdirSync(empty);
  const r = build('build_browser.cjs', empty);
  assert.equal(r.status, 1);
  assert.match(r.stderr, /no browser\.mjs.*hashcore\.wasm was not built/);
  assert.deepEqual(fs.readdirSync(empty), []);
});

test('the contract, without Buffer, process and require', { skip }, () => {
  const vectors = path.join(root, 'tests', 'vectors');
  const r = node([
    '--input-type=module',
    '-e',
    `import fs from 'node:fs';
    import { runSuite } from ${JSON.stringify(path.join(root, 'tests', 'node', 'browser', 'suite.mjs'))};
    const files = fs.readdirSync(${JSON.stringify(vectors)}).filter((n) => n.endsWith('.txt'))
      .map((n) => [n, fs.readFileSync(${JSON.stringify(vectors + path.sep)} + n, 'latin1')]);
    const { write } = process.stdout;
    const print = write.bind(process.stdout);
    for (const name of ['Buffer', 'process', 'setImmediate', 'clearImmediate', 'global']) delete globalThis[name];
    const before = Object.getOwnPropertyNames(globalThis).join();
    const h = await import(${JSON.stringify(entry)});
    const result = await runSuite(h, files, { every: 60 });
    if (Object.getOwnPropertyNames(globalThis).join() !== before) result.failed.push('it made globals');
    print(JSON.stringify(result));`,
  ]);
  assert.equal(r.status, 0, r.stderr);
  const { passed, failed } = JSON.parse(r.stdout);
  assert.deepEqual(failed, []);
  assert.ok(passed >= 12);
});

test('it exports what index.js does but files, and nothing of Node is left in it', { skip }, async () => {
  const h = await import(entry);
  const names = Object.keys(hashcore).filter((n) => n !== 'hashFile');
  assert.deepEqual(Object.keys(h.default).sort(), names.sort());
  assert.deepEqual(Object.keys(h).filter((n) => n !== 'default').sort(), names);
  const files = ['encodeFile', 'decodeFile'];
  assert.deepEqual(Object.keys(h.bao).sort(), Object.keys(hashcore.bao).filter((n) => !files.includes(n)).sort());
  assert.doesNotMatch(fs.readFileSync(entry, 'utf8'), /\brequire\(|from\s*"|import\s*"/);
});

test('its types need no Node', { skip: skip || (!has('typescript') && 'typescript is not installed') }, () => {
  const tsc = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  const usage = path.join(dir, 'usage.mts');
  fs.copyFileSync(path.join(root, 'tests', 'node', 'types', 'browser.mts'), usage);
  const r = spawnSync(
    process.execPath,
    [tsc, '--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--module', 'esnext', '--moduleResolution',
      'bundler', usage],
    { cwd: dir, encoding: 'utf8' }, // where no @types are
  );
  assert.equal(r.status, 0, r.stdout);
});
