// build.test.mjs - the build list, what the addon exports, the loader's words, ESM and CJS, a packed install.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { has, hashcore, entry, node, require, root, temporary } from './common.mjs';

const addon = path.join(root, 'bindings', 'node', 'build', 'Release', 'hashcore.node');
const npm = process.env.npm_execpath
  ? (args, o) => spawnSync(process.execPath, [process.env.npm_execpath, ...args], o)
  : (args, o) => spawnSync('npm', args, o);

test('binding.gyp lists exactly the files of core/src', () => {
  const text = fs.readFileSync(path.join(root, 'bindings', 'node', 'binding.gyp'), 'utf8');
  const listed = [...text.matchAll(/"\.\.\/\.\.\/core\/src\/([^"]+\.c)"/g)].map((m) => m[1]);
  const there = fs.readdirSync(path.join(root, 'core', 'src')).filter((n) => n.endsWith('.c'));
  assert.deepEqual(listed.slice().sort(), there.sort());
});

test("the addon's C++ stays small, and index.mjs and index.d.ts name what index.js exports", async () => {
  const lines = fs.readFileSync(path.join(root, 'bindings', 'node', 'addon.cc'), 'utf8').split('\n').length;
  assert.ok(lines < 1000, `${lines} lines`);
  const esm = await import(path.join(root, 'bindings', 'node', 'index.mjs'));
  assert.equal(esm.default, hashcore);
  assert.deepEqual(
    Object.keys(esm)
      .filter((k) => k !== 'default')
      .sort(),
    Object.keys(hashcore).sort(),
  );
  const types = fs.readFileSync(path.join(root, 'bindings', 'node', 'index.d.ts'), 'utf8');
  for (const name of Object.keys(hashcore))
    assert.match(types, new RegExp(`export (function|class|const) ${name}\\b`), name);
});

test('exports nothing but Node-API entries', { skip: process.platform !== 'linux' && 'needs nm' }, () => {
  const symbols = execFileSync('nm', ['-D', '--defined-only', addon], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((l) => l.split(' ').at(-1));
  assert.deepEqual(
    symbols.filter((s) => !/^(napi_|node_api_|_init$|_fini$|__bss_start$|_edata$|_end$)/.test(s)),
    [],
  );
  const wanted = execFileSync('nm', ['-D', '--undefined-only', addon], { encoding: 'utf8' });
  assert.doesNotMatch(wanted, /\bhc_/);
});

test(
  "another library's functions of the same field are never called",
  { skip: process.platform !== 'linux' && 'needs LD_PRELOAD' },
  () => {
    const dir = temporary();
    const c = path.join(dir, 'clash.c');
    fs.writeFileSync(
      c,
      [
        'blake2b_init',
        'blake2b_update',
        'blake3_hasher_update',
        'sha256_update',
        'hc_sha256_update',
        'hc_blake2b_init',
        'hc_digest',
        'hc_xor',
      ]
        .map((f) => `int ${f}(void) { __builtin_trap(); }`)
        .join('\n'),
    );
    execFileSync('cc', ['-shared', '-fPIC', '-w', '-o', path.join(dir, 'clash.so'), c]);
    const r = node(
      [
        '-p',
        `const h = require(${JSON.stringify(entry)});
         h.getHashes().slice(0, 3).map((n) => h.createHash(n).update('abc').digest('hex')).join()`,
      ],
      { env: { LD_PRELOAD: path.join(dir, 'clash.so') } },
    );
    assert.equal(r.stdout.trim(), ['sha224', 'sha256', 'blake2b'].map((n) => hashcore.hash(n, 'abc')).join(), r.stderr);
  },
);

test('no globals', () => {
  const r = node([
    '-e',
    `const before = Object.getOwnPropertyNames(globalThis).join(); require(${JSON.stringify(entry)});
    process.stdout.write(String(before === Object.getOwnPropertyNames(globalThis).join()))`,
  ]);
  assert.equal(r.stdout, 'true', r.stderr);
});

test('the loader says what it tried', () => {
  const dir = temporary();
  fs.cpSync(path.join(root, 'bindings', 'node'), path.join(dir, 'bindings', 'node'), {
    recursive: true,
    filter: (p) => !p.includes(`${path.sep}build${path.sep}`) && path.basename(p) !== 'build',
  });
  fs.mkdirSync(path.join(dir, 'prebuilds'));
  fs.writeFileSync(path.join(dir, 'prebuilds', `${process.platform}-${process.arch}.node`), 'no library');
  const r = node(['-e', `require(${JSON.stringify(path.join(dir, 'bindings', 'node', 'index.js'))})`]);
  assert.equal(r.status, 1);
  assert.match(r.stderr, /ERR_DLOPEN_FAILED/);
  assert.match(r.stderr, /Release.hashcore\.node: no such file/);
  assert.match(r.stderr, new RegExp(`prebuilds.${process.platform}-${process.arch}\\.node: `));
  assert.match(r.stderr, /npm install/);
});

test('npm pack, then an install without scripts, from the prebuilt addon', () => {
  const dir = temporary();
  const packed = npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', dir], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(packed.status, 0, packed.stderr);
  const tarball = fs.readdirSync(dir).find((n) => n.endsWith('.tgz'));
  const names = execFileSync('tar', ['tzf', path.join(dir, tarball)], { encoding: 'utf8' })
    .trim()
    .split('\n');
  assert.ok(
    names.some((n) => /prebuilds\/.*\.node$/.test(n)),
    names.join(),
  );
  assert.deepEqual(
    names.filter((n) => /core\/|tests\/|addon|build\/|\.gyp/.test(n)),
    [],
  );
  fs.writeFileSync(path.join(dir, 'package.json'), '{"private": true}');
  const installed = npm(
    ['install', '--ignore-scripts', '--offline', '--no-package-lock', '--no-audit', '--no-fund', `./${tarball}`],
    { cwd: dir, encoding: 'utf8' },
  );
  assert.equal(installed.status, 0, installed.stderr);
  for (const [flag, code] of [
    ['-p', "require('hashcore').hash('sha256', 'abc')"],
    [
      '--input-type=module',
      "import h, { hash } from 'hashcore'; if (h.hash !== hash) throw 1; console.log(hash('sha256', 'abc'))",
    ],
  ]) {
    const r = node(flag === '-p' ? ['-p', code] : [flag, '-e', code], { cwd: dir });
    assert.equal(r.stdout.trim(), hashcore.hash('sha256', 'abc'), r.stderr);
  }
});

test(
  'types: examples of every kind compile, misuse does not',
  { skip: !has('typescript') && 'typescript is not installed' },
  () => {
    const tsc = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
    for (const [module, resolution] of [['node16', 'node16']]) {
      const r = spawnSync(
        process.execPath,
        [
          tsc,
          '--noEmit',
          '--strict',
          '--target',
          'es2022',
          '--module',
          module,
          '--moduleResolution',
          resolution,
          '--types',
          'node',
          path.join(root, 'tests', 'node', 'types', 'usage.mts'),
          path.join(root, 'tests', 'node', 'types', 'usage.cts'),
        ],
        { cwd: root, encoding: 'utf8' },
      );
      assert.equal(r.status, 0, r.stdout);
    }
  },
);
