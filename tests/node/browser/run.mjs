// run.mjs - packs the package, installs it elsewhere without scripts, and runs suite.mjs on its browser entry in headless
// Chromium: as a plain module, bundled for modules and for classic scripts, and in a worker.
//
//   node tests/node/browser/run.mjs [folder to work in]
//
// CHROMIUM names the program. Closes with `browser: N passed, N failed, N skipped`.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SECONDS = 600;
const root = fileURLToPath(new URL('../../../', import.meta.url));
const dir = process.argv[2] ? path.resolve(process.argv[2]) : fs.mkdtempSync(path.join(os.tmpdir(), 'hashcore-browser-'));
fs.rmSync(dir, { recursive: true, force: true });
fs.mkdirSync(path.join(dir, 'site'), { recursive: true });
const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

// The package as its users get it, below the site.
npm(['pack', '--silent', '--pack-destination', dir], root);
const tarball = fs.readdirSync(dir).find((n) => n.endsWith('.tgz'));
const site = path.join(dir, 'site');
fs.writeFileSync(path.join(site, 'package.json'), '{"private": true}');
npm(['install', '--silent', '--ignore-scripts', '--offline', '--no-package-lock', '--no-audit', '--no-fund', `../${tarball}`], site);
const installed = path.join(site, 'node_modules', 'hashcore');
const entry = JSON.parse(fs.readFileSync(path.join(installed, 'package.json'), 'utf8')).exports['.'].browser.default;
if (!fs.existsSync(path.join(installed, entry))) throw new Error('the package has no browser entry: is clang there?');

// Ways to it. Each puts its result where the page waits for it.
fs.cpSync(path.join(root, 'tests', 'node', 'browser', 'suite.mjs'), path.join(site, 'tests', 'browser', 'suite.mjs'));
fs.cpSync(path.join(root, 'tests', 'node', 'known_answers.mjs'), path.join(site, 'tests', 'known_answers.mjs'));
const vectors = path.join(root, 'tests', 'vectors');
const names = fs.readdirSync(vectors).filter((n) => n.endsWith('.txt'));
for (const name of names) fs.cpSync(path.join(vectors, name), path.join(site, 'vectors', name));
const run = (from, every) => `
import * as hashcore from '${from}';
import { runSuite } from '${from.startsWith('/') ? '/' : './'}tests/browser/suite.mjs';
const names = ${JSON.stringify(names)};
export const done = (async () => {
  const files = await Promise.all(names.map(async (n) => [n, await (await fetch('/vectors/' + n)).text()]));
  return runSuite(hashcore, files, { every: ${every} });
})();
done.then(globalThis.report, (error) => globalThis.report({ passed: 0, failed: [String(error.stack)] }));`;
fs.writeFileSync(path.join(site, 'plain.mjs'), run(`/node_modules/hashcore/${entry}`, 1));
fs.writeFileSync(path.join(site, 'app.mjs'), run('hashcore', 40));
fs.writeFileSync(path.join(site, 'worker.mjs'), `globalThis.report = (r) => postMessage(r);\nawait import('/plain.mjs');`);
const esbuild = createRequire(path.join(root, 'package.json'))('esbuild');
const shared = { entryPoints: [path.join(site, 'app.mjs')], bundle: true, platform: 'browser', logLevel: 'error' };
esbuild.buildSync({ ...shared, format: 'esm', outfile: path.join(site, 'bundle.mjs') });
esbuild.buildSync({ ...shared, format: 'iife', minify: true, outfile: path.join(site, 'bundle.js') });
const page = (script) => `<!doctype html><meta charset="utf-8"><title>hashcore</title>
<script>
  globalThis.report = (r) => fetch('/report' + location.pathname, { method: 'POST', body: JSON.stringify(r) });
  addEventListener('error', (e) => report({ passed: 0, failed: [e.message] }));
</script>
${script}`;
const pages = {
  plain: '<script type="module" src="/plain.mjs"></script>',
  module: '<script type="module" src="/bundle.mjs"></script>',
  classic: '<script src="/bundle.js"></script>',
  worker: `<script>
  const worker = new Worker('/worker.mjs', { type: 'module' });
  worker.onmessage = (e) => report(e.data);
  worker.onerror = (e) => report({ passed: 0, failed: ['worker: ' + e.message] });
</script>`,
};

// The example of the guide as it stands; what it found is looked at after it.
const [, example] = /^```html\n([^]*?)^```/m.exec(fs.readFileSync(path.join(root, 'docs', 'node.md'), 'utf8'));
fs.writeFileSync(path.join(site, 'large.bin'), Buffer.alloc(3 << 20, 7));
const wanted = createHash('sha256').update(Buffer.alloc(3 << 20, 7)).digest('hex');
pages.docs = example.replace('</script>', `
  const got = Array.from(new Uint8Array(digest), (x) => x.toString(16).padStart(2, '0')).join('');
  report(got === '${wanted}' ? { passed: 1, failed: [] } : { passed: 0, failed: ['docs: ' + got] });
</script>`);

const TYPES = { '.mjs': 'text/javascript', '.js': 'text/javascript', '.txt': 'text/plain; charset=iso-8859-1' };
let settle;
const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (request.method === 'POST') {
    let body = '';
    request.setEncoding('utf8').on('data', (s) => (body += s));
    request.on('end', () => {
      response.end();
      settle?.(JSON.parse(body));
    });
    return;
  }
  const name = pathname.slice(1);
  const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
  if (pages[name] !== undefined) {
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(page(pages[name]));
    return;
  }
  const file = path.join(site, path.normalize(pathname));
  if (!file.startsWith(site + path.sep) || !fs.existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream', ...headers });
  fs.createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

async function visit(name) {
  const profile = path.join(dir, `profile-${name}`);
  const browser = spawn(
    process.env.CHROMIUM ?? 'chromium',
    ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-dev-shm-usage', `--user-data-dir=${profile}`,
      `http://127.0.0.1:${server.address().port}/${name}`],
    { stdio: 'ignore', detached: true },
  );
  let timer;
  const result = await new Promise((resolve) => {
    settle = resolve;
    browser.on('error', (error) => resolve({ passed: 0, failed: [error.message] }));
    browser.on('exit', (code) => resolve({ passed: 0, failed: [`Chromium ended with ${code} before the page did`] }));
    timer = setTimeout(() => resolve({ passed: 0, failed: [`no result after ${SECONDS} seconds`] }), SECONDS * 1000);
  });
  clearTimeout(timer);
  const gone = new Promise((resolve) => (browser.exitCode === null ? browser.on('exit', resolve) : resolve()));
  try {
    process.kill(-browser.pid); // it and its children, which are a group of their own
  } catch {
    // it has ended
  }
  await gone;
  return result;
}

const total = { passed: 0, failed: 0 };
for (const name of Object.keys(pages)) {
  const { passed, failed, note } = await visit(name);
  total.passed += passed;
  total.failed += failed.length;
  console.log(`  ${name}: ${passed} passed, ${failed.length} failed (${note ?? 'no records'})`);
  for (const text of failed) console.log(`    ${text}`);
}
server.close();
console.log(`browser: ${total.passed} passed, ${total.failed} failed, 0 skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
