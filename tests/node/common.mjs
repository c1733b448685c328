// common.mjs - what the tests share: the checkout's addon, reproducible bytes, subprocesses.
import { createRequire } from 'node:module';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const require = createRequire(import.meta.url);
export const entry = path.join(root, 'bindings', 'node', 'index.js');
export const hashcore = require(entry);

// Whether a package is installed here.
export function has(name) {
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

function collector() {
  if (globalThis.Bun) return () => globalThis.Bun.gc(true);
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc');
}
export const gc = globalThis.Deno ? () => {} : collector();

// Byte i is i % 251, the pattern of the known answers.
export function mod251(n, start = 0) {
  const out = Buffer.alloc(n);
  for (let i = 0; i < n; i++) out[i] = (start + i) % 251;
  return out;
}

// A small generator with a seed that failures print (xorshift32).
export function random(seed) {
  let x = seed >>> 0 || 1;
  const next = () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>>= 0);
  };
  const below = (n) => next() % n;
  below.bytes = (n) => Buffer.from(Array.from({ length: n }, () => next() & 255));
  return below;
}

// Runs a script of ours in its own process: {status, signal, stdout, stderr}. HASHCORE_TEST_NODE: by which program, where
// this one's file cannot be started by itself (an emulator).
export function node(args, { env = {}, timeout = 120000, input, cwd = root } = {}) {
  return spawnSync(process.env.HASHCORE_TEST_NODE ?? process.execPath, args, {
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
    encoding: 'utf8',
    timeout,
    input,
    cwd,
    maxBuffer: 1 << 26,
  });
}

export const script = (text, options) =>
  node(['--expose-gc', '-e', `const hashcore = require(${JSON.stringify(entry)});\n${text}`], options);

// A folder that goes when the process does.
export function temporary() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hashcore-'));
  process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export const bands = (centre, width) => Array.from({ length: 2 * width + 1 }, (_, i) => centre - width + i);
