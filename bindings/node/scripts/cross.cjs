'use strict';
// cross.cjs - compiles the addon for another system with its gcc, without node-gyp: the headers come from npm packages.
//
//   node bindings/node/scripts/cross.cjs PREFIX MODULES OUTPUT
//
// PREFIX: of the compilers, as x86_64-w64-mingw32- or aarch64-linux-gnu-. MODULES: a folder whose node_modules holds
// node-api-headers and node-addon-api. OUTPUT: the .node file; objects lie beside it.
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const [prefix, modules, output] = process.argv.slice(2);
if (output === undefined) {
  console.error('cross.cjs: three arguments are needed: PREFIX MODULES OUTPUT');
  process.exit(2);
}
const addon = path.join(__dirname, '..');
const windows = prefix.includes('mingw');
const folder = path.join(path.dirname(path.resolve(output)), `${path.basename(output)}.obj`);
const api = path.join(path.resolve(modules), 'node_modules', 'node-api-headers');
const run = (tool, args) => execFileSync(prefix + tool, args, { stdio: 'inherit' });

const gyp = fs.readFileSync(path.join(addon, 'binding.gyp'), 'utf8');
const list = (name) => [...new RegExp(`"${name}": \\[([^\\]]*)\\]`).exec(gyp)[1].matchAll(/"([^"<][^"]*)"/g)].map((m) => m[1]);
const includes = [
  path.join(addon, '..', '..', 'core', 'include'),
  path.join(api, 'include'),
  path.join(path.resolve(modules), 'node_modules', 'node-addon-api'),
];
// What is linked in statically is all that the addon needs beyond libc: no libstdc++ of the target is asked for.
const flags = ['-O2', '-fPIC', '-fvisibility=hidden', ...includes.flatMap((i) => ['-I', i]), ...list('defines').map((d) => `-D${d}`)];

fs.mkdirSync(folder, { recursive: true });
const objects = [];
for (const source of [...list('sources'), ...(windows ? ['delay_load.c'] : [])]) {
  const cc = source.endsWith('.cc');
  const object = path.join(folder, `${path.basename(source)}.o`);
  run(cc ? 'g++' : 'gcc', [...flags, ...(cc ? ['-std=c++17', '-fno-exceptions'] : ['-std=c99']), '-c', path.join(addon, source), '-o', object]);
  objects.push(object);
}
let libraries = ['-static-libstdc++', '-static-libgcc', '-pthread'];
if (windows) {
  const names = ['js_native_api', 'node_api'].flatMap((n) =>
    fs.readFileSync(path.join(api, 'def', `${n}.def`), 'utf8').split('\n').map((l) => l.trim()).filter((l) => /^(napi|node_api)_\w+$/.test(l)),
  );
  const def = path.join(folder, 'node.def');
  const library = path.join(folder, 'libnode.a');
  fs.writeFileSync(def, `NAME node.exe\nEXPORTS\n${[...new Set(names)].join('\n')}\n`);
  run('dlltool', ['-d', def, '-D', 'node.exe', '-y', library]);
  libraries = ['-static', library, '-ldelayimp', library];
}
run('g++', ['-shared', '-s', '-o', output, ...objects, ...libraries]);
