'use strict';
// build_wasm.cjs - compiles the core to prebuilds/hashcore.wasm: what is loaded where no addon fits. Needs clang, lld,
// wasi-libc and compiler-rt for wasm32 (Debian: clang lld wasi-libc libclang-rt-14-dev-wasm32); without them it says so.
//
//   node bindings/node/scripts/build_wasm.cjs [output file]
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const root = path.join(__dirname, '..', '..', '..');
const addon = path.join(root, 'bindings', 'node');
const target = path.resolve(process.argv[2] ?? path.join(root, 'prebuilds', 'hashcore.wasm'));
const gyp = fs.readFileSync(path.join(addon, 'binding.gyp'), 'utf8');
const sources = [...gyp.matchAll(/"(\.\.\/\.\.\/core\/src\/[^"]+\.c)"/g)].map((m) => path.join(addon, m[1]));

fs.mkdirSync(path.dirname(target), { recursive: true });
const result = spawnSync(
  process.env.WASM_CC || 'clang',
  [
    '--target=wasm32-wasi',
    '-mexec-model=reactor',
    '-O3',
    '-msimd128',
    '-std=c99',
    '-I',
    path.join(root, 'core', 'include'),
    path.join(addon, 'wasm.c'),
    ...sources, // Batches want more stack than the usual 64 KiB; below the data, where running over it is caught.
    '-Wl,--strip-all,--stack-first,-z,stack-size=1048576',
    '-o',
    target,
  ],
  { encoding: 'utf8' },
);
if (result.status !== 0) {
  console.error(
    `hashcore: no ${path.basename(target)} (the package will have the addon only): ` +
      `${result.error ? result.error.message : result.stderr.trim().split('\n').slice(0, 3).join(' ')}`,
  );
  fs.rmSync(target, { force: true });
}
// Packing goes on without it; who asked for a file by name wants to know.
process.exitCode = result.status !== 0 && process.argv[2] ? 1 : 0;
