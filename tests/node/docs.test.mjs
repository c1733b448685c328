// docs.test.mjs - every block of JavaScript in docs/node.md runs as it stands.
import test from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { node, root, temporary } from './common.mjs';

const text = fs.readFileSync(path.join(root, 'docs', 'node.md'), 'utf8');
const dir = temporary();
fs.mkdirSync(path.join(dir, 'node_modules'));
fs.writeFileSync(path.join(dir, 'package.json'), '{"private": true, "dependencies": {"hashcore": "*"}}'); // Deno asks for it
const installed = path.join(dir, 'node_modules', 'hashcore');
try {
  fs.symlinkSync(root, installed, 'junction');
} catch {
  // no links here: what of the package is needed
  for (const part of ['package.json', 'bindings/node', 'prebuilds'])
    fs.cpSync(path.join(root, part), path.join(installed, part), { recursive: true });
}
let title = '';
let count = 0;
for (const part of text.split(/^(?=#{1,3} )/m)) {
  title = part.slice(0, part.indexOf('\n')).replace(/^#+ /, '');
  for (const [, code] of part.matchAll(/^```js\n([\s\S]*?)^```/gm)) {
    const file = path.join(dir, `block${++count}.mjs`);
    fs.writeFileSync(file, code);
    test(`docs/node.md: ${title}`, () => {
      const r = node([file], { cwd: dir });
      assert.equal(r.status, 0, r.stderr);
    });
  }
}
test('docs/node.md has its recipes', () => assert.ok(count >= 13, `${count} blocks`));
