// elsewhere.mjs - runs the suites with another program than this Node: another version, another runtime, an emulator.
//
//   node tests/node/elsewhere.mjs NAME [--addon FILE] [--tag TAG] [--every N] [--suites A,B] [--seconds S] [--dir DIR]
//        [--run A,B] [--test A,B] -- COMMAND...
//
// NAME says what is run in the lines it prints. --addon: the compiled addon, as prebuilds/TAG.node of a copy of the
// package; otherwise the checkout's own. --every: each n-th known answer only. COMMAND gets a file to run as its last
// argument, before it the arguments that --run (known answers) and --test (suites) name. What each suite prints is read;
// one line `NAME: N passed, N failed, N skipped` ends it.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const split = process.argv.indexOf('--');
const command = process.argv.slice(split + 1);
const { values: o, positionals } = parseArgs({
  args: process.argv.slice(2, split),
  allowPositionals: true,
  options: {
    addon: { type: 'string' },
    tag: { type: 'string', default: `${process.platform}-${process.arch}` },
    every: { type: 'string', default: '1' },
    suites: { type: 'string', default: 'contract,many,trees,async,faults,docs,examples' },
    seconds: { type: 'string', default: '900' },
    dir: { type: 'string' },
    run: { type: 'string', default: '' },
    test: { type: 'string', default: '' },
  },
});
const name = positionals[0];
const root = fileURLToPath(new URL('../../', import.meta.url));
const built = path.join(root, 'bindings', 'node', 'build');

// The package as it is installed, and its tests; the addon where prebuilt ones lie.
const dir = o.dir ? path.resolve(o.dir) : fs.mkdtempSync(path.join(os.tmpdir(), 'hashcore-elsewhere-'));
fs.rmSync(dir, { recursive: true, force: true });
for (const part of ['bindings/node', 'tests/node', 'tests/vectors', 'examples/node', 'docs/node.md', 'package.json']) {
  fs.cpSync(path.join(root, part), path.join(dir, part), { recursive: true, filter: (p) => p !== built });
}
fs.mkdirSync(path.join(dir, 'prebuilds'));
fs.copyFileSync(o.addon ?? path.join(built, 'Release', 'hashcore.node'), path.join(dir, 'prebuilds', `${o.tag}.node`));

const total = { passed: 0, failed: 0, skipped: 0 };
// Output goes to files: pipes of an emulated system may lose some of it.
function run(file, args, env = {}) {
  const out = path.join(dir, 'out');
  const fd = fs.openSync(out, 'w');
  const r = spawnSync(command[0], [...command.slice(1), ...args.split(',').filter(Boolean), `./tests/node/${file}`], {
    cwd: dir,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NO_COLOR: '1', ...env },
    stdio: ['ignore', fd, fd],
    timeout: 1000 * Number(o.seconds),
  });
  fs.closeSync(fd);
  return { status: r.status, why: r.error?.message ?? r.signal ?? `status ${r.status}`, text: fs.readFileSync(out, 'utf8') };
}
function fail(what, text) {
  total.failed++;
  console.log(`  ${name} ${what}\n${text.slice(-3000)}`);
}

const vectors = run('run_vectors.mjs', o.run, { HASHCORE_TEST_EVERY: o.every });
const counts = /\{"run":(\d+).*"enabled":"([^"]*)"/.exec(vectors.text);
if (vectors.status !== 0 || counts === null || Number(counts[1]) < Math.floor(13000 / Number(o.every))) {
  fail(`known answers: ${vectors.why}`, vectors.text);
} else {
  total.passed += Number(counts[1]);
  console.log(`  ${name}: ${counts[1]} known answers at ${counts[2]}`);
}
for (const suite of o.suites.split(',').filter(Boolean)) {
  const { status, why, text } = run(`${suite}.test.mjs`, o.test);
  // TAP, what newer Nodes print, Bun's and Deno's.
  const bad = [...new Set(text.match(/^(?:not ok \d+ - |✖ (?!failing tests)|\(fail\) ).*$|^.* \.\.\. FAILED .*$/gm) ?? [])];
  const good = text.match(/^(?:ok \d+ - |✔ |﹣ |\((?:pass|skip)\) ).*$|^.* \.\.\. (?:ok|ignored)\b.*$/gm) ?? [];
  const skipped = good.filter((l) => / # (?:SKIP|TODO)\b|^﹣|^\(skip\)| \.\.\. ignored/.test(l)).length;
  total.passed += good.length - skipped;
  total.skipped += skipped;
  if (good.length + bad.length === 0 || (status !== 0 && bad.length === 0)) fail(`${suite}: ${why}`, text);
  for (const line of bad) {
    fail(`${suite}: ${line}`, text.slice(text.indexOf(line), text.indexOf(line) + 2000));
  }
}
if (!o.dir) fs.rmSync(dir, { recursive: true, force: true });
console.log(`${name.replace(/[^a-z0-9_]/g, '_')}: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;
